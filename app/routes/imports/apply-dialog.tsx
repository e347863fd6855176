import type { SubmissionResult } from "@conform-to/react";
import { t } from "#lib/messages/staff.ts";
import type { Import } from "#provider/contract/imports.ts";
import { FormDialog } from "../../components/dialog/form-dialog.tsx";
import type { Noun } from "./noun.ts";

type ApplyDialogProps = { found: Import; noun: Noun; reply: SubmissionResult | undefined; closeTo: string };

/** Asks before an import is applied. */
export const ApplyDialog = ({ found, noun, ...props }: ApplyDialogProps) => (
  <FormDialog
    {...props}
    title={t("imports.applyDialog.question", { ...noun, count: found.counts.new + found.counts.changed })}
    lead={leadOf(found, noun)}
    intent="apply"
    confirm={t("imports.applyDialog.applyChanges")}
  >
    {found.needs_proof && <p>{t("imports.applyDialog.linkIsSentForEmail")}</p>}
  </FormDialog>
);

const leadOf = ({ counts: { new: added, changed, refused }, invitations }: Import, noun: Noun) =>
  [
    added > 0 && t("imports.applyDialog.willBeAdded", { ...noun, count: added }),
    changed > 0 && t("imports.applyDialog.willBeChanged", { ...noun, count: changed }),
    refused > 0 && t("imports.applyDialog.refusedAreLeftOut", { refused }),
    noun.kind === "users" && added > 0 && inviting(added, invitations),
  ]
    .filter(Boolean)
    .join(" ");

/** How long it takes until all new users are invited. */
function inviting(added: number, { an_hour, a_day }: Import["invitations"]) {
  const limits = { anHour: an_hour, aDay: a_day };
  const days = Math.ceil(added / a_day);
  return days > 1
    ? t("imports.applyDialog.invitingForDays", { ...limits, days })
    : t("imports.applyDialog.inviting", limits);
}
