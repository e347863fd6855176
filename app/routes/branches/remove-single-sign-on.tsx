import type { SubmissionResult } from "@conform-to/react";
import { t } from "#lib/messages/staff.ts";
import { FormDialog } from "../../components/dialog/form-dialog.tsx";

type RemoveSingleSignOnProps = { reply: SubmissionResult | undefined; closeTo: string };

/** Asks before the company's identity provider is removed. */
export const RemoveSingleSignOn = (props: RemoveSingleSignOnProps) => (
  <FormDialog
    {...props}
    title={t("branches.removeSingleSignOn.title")}
    lead={<p>{t("branches.removeSingleSignOn.effect")}</p>}
    intent="remove-identity-provider"
    confirm={t("branches.removeSingleSignOn.confirm")}
    isDanger
  />
);
