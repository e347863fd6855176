import type { SubmissionResult } from "@conform-to/react";
import { FormDialog } from "../../components/form-dialog.tsx";

type RemoveSingleSignOnProps = { reply: SubmissionResult | undefined; closeTo: string };

/** Asks before the company's identity provider is removed. */
export const RemoveSingleSignOn = (props: RemoveSingleSignOnProps) => (
  <FormDialog
    {...props}
    title="Remove single sign-on?"
    lead={
      <p>
        Your users sign in by passwords again. Those who have none set one by “Forgot password?” on the sign-in page.
      </p>
    }
    intent="remove-identity-provider"
    confirm="Remove single sign-on"
    isDanger
  />
);
