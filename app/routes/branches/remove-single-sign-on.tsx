import type { SubmissionResult } from "@conform-to/react";
import { say } from "#lib/messages/staff.ts";
import { FormDialog } from "../../components/dialog/form-dialog.tsx";

type RemoveSingleSignOnProps = { reply: SubmissionResult | undefined; closeTo: string };

/** Asks before the company's identity provider is removed. */
export const RemoveSingleSignOn = (props: RemoveSingleSignOnProps) => (
  <FormDialog
    {...props}
    title={say("branches.removeSingleSignOn.title")}
    lead={<p>{say("branches.removeSingleSignOn.effect")}</p>}
    intent="remove-identity-provider"
    confirm={say("branches.removeSingleSignOn.confirm")}
    isDanger
  />
);
