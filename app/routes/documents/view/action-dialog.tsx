import type { SubmissionResult } from "@conform-to/react";
import { t } from "#lib/messages/staff.ts";
import { CloseLink, Dialog, DialogProblems } from "../../../components/dialog/dialog.tsx";
import { formState } from "../../../components/form/form-state.ts";
import { Form } from "../../../components/form/form.tsx";
import { VerdictPicture } from "../../../components/scan/verdict-picture.tsx";
import { WithdrawalFields } from "../../../components/record/withdrawal-fields.tsx";
import type { ActionQuestion } from "./action-question.server.ts";

type ActionDialogProps = { question: ActionQuestion; reply: SubmissionResult | undefined; closeTo: string };

/** Asks before a document's state changes, for a withdrawal's reason, and shows what a scan will say afterwards. */
export default function ActionDialog({ question, reply, closeTo }: ActionDialogProps) {
  const { intent, title, effect, confirm, isSame, scan, reasons } = question;
  const { field, summary } = formState({}, reply);
  const ofForm = summary.filter(({ fieldId }) => !reasons || !["reason", "note"].includes(fieldId ?? ""));
  return (
    <Dialog
      title={title}
      lead={
        <>
          <DialogProblems errors={ofForm} />
          <p>{effect}</p>
          <p className="mt-3 mb-2 font-semibold">
            {isSame ? t("documents.actionDialog.scanSaysTheSame") : t("documents.actionDialog.scanWillSay")}
          </p>
          <VerdictPicture {...scan} />
        </>
      }
      closeTo={closeTo}
    >
      <Form method="post" noValidate>
        {reasons && (
          <div className="mt-4 grid gap-3" role={summary.length > 0 ? "alert" : undefined}>
            <WithdrawalFields field={field} reasons={reasons} />
          </div>
        )}
        <div className="modal-foot">
          <CloseLink to={closeTo} />
          <button type="submit" className="btn btn-primary" name="intent" value={intent}>
            {confirm}
          </button>
        </div>
      </Form>
    </Dialog>
  );
}
