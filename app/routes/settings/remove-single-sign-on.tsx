import type { SubmissionResult } from "@conform-to/react";
import { t } from "#lib/messages/staff.ts";
import { FormDialog } from "../../components/dialog/form-dialog.tsx";

type RemoveSingleSignOnProps = { reply: SubmissionResult | undefined; closeTo: string };

/** Asks before the company's identity provider is removed. */
export const RemoveSingleSignOn = (props: RemoveSingleSignOnProps) => (
  <FormDialog
    {...props}
    title={t("settings.removeSingleSignOn.title")}
    lead={<p>{t("settings.removeSingleSignOn.effect")}</p>}
    intent="remove-identity-provider"
    confirm={t("settings.removeSingleSignOn.confirm")}
    isDanger
  />
);
