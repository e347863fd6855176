import type { SubmissionResult } from "@conform-to/react";
import { Form } from "react-router";
import type { Import } from "#provider/contract/imports.ts";
import { CloseLink, Dialog, DialogProblems } from "../../components/dialog.tsx";
import { formState } from "../../components/form-state.ts";
import { countOf, type Noun } from "./noun.ts";

type ApplyDialogProps = { found: Import; noun: Noun; reply: SubmissionResult | undefined; closeTo: string };

/** Asks before an import is applied. */
export function ApplyDialog({ found, noun, reply, closeTo }: ApplyDialogProps) {
  const { counts, needs_proof } = found;
  const { summary } = formState({}, reply);
  return (
    <Dialog
      title={`Apply changes to ${countOf(counts.new + counts.changed, noun)}?`}
      lead={leadOf(found, noun)}
      closeTo={closeTo}
    >
      <div className="mt-4">
        <DialogProblems errors={summary.filter(({ fieldId }) => !fieldId)} />
      </div>
      <Form method="post" className="grid gap-4" noValidate>
        {needs_proof && (
          <p>Users whose email changes are sent a link, and sign in with the old one until they follow it.</p>
        )}
        <div className="modal-foot !mt-2">
          <CloseLink to={closeTo} />
          <button type="submit" className="btn btn-primary" name="intent" value="apply">
            Apply changes
          </button>
        </div>
      </Form>
    </Dialog>
  );
}

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
  const [anHour, aDay] = [an_hour, a_day].map((count) => count.toLocaleString("en-GB"));
  const limits = `Each new user is sent an invitation. At most ${anHour} an hour and ${aDay} a day are sent for you; then the import waits, and goes on by itself.`;
  const days = Math.ceil(added / a_day);
  return days > 1 ? `${limits} This takes ${days} days or more.` : limits;
}
