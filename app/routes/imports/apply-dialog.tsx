import type { SubmissionResult } from "@conform-to/react";
import { say } from "#messages/staff.ts";
import type { Import } from "#provider/contract/imports.ts";
import { FormDialog } from "../../components/form-dialog.tsx";
import { countOf, type Noun } from "./noun.ts";

type ApplyDialogProps = { found: Import; noun: Noun; reply: SubmissionResult | undefined; closeTo: string };

/** Asks before an import is applied. */
export const ApplyDialog = ({ found, noun, ...props }: ApplyDialogProps) => (
  <FormDialog
    {...props}
    title={`Apply changes to ${countOf(found.counts.new + found.counts.changed, noun)}?`}
    lead={leadOf(found, noun)}
    intent="apply"
    confirm={say("imports.applyDialog.applyChanges")}
  >
    {found.needs_proof && <p>{say("imports.applyDialog.usersWhoseEmailChanges")}</p>}
  </FormDialog>
);

const leadOf = ({ counts: { new: added, changed, refused }, invitations }: Import, noun: Noun) => (
  <>
    {[
      added > 0 && `${countOf(added, noun)} will be added.`,
      changed > 0 && `${countOf(changed, noun)} will be changed.`,
    ]
      .filter(Boolean)
      .join(" ")}
    {refused > 0 && ` Refused rows are left out: ${refused}.`}
    {noun.kind === "users" && added > 0 && ` ${inviting(added, invitations)}`}
  </>
);

/** How long it takes until all new users are invited. */
function inviting(added: number, { an_hour, a_day }: Import["invitations"]) {
  const limits = say("imports.applyDialog.eachNewUserIs", { anHour: an_hour, aDay: a_day });
  const days = Math.ceil(added / a_day);
  return days > 1 ? `${limits} ${say("imports.applyDialog.thisTakes", { days })}` : limits;
}
