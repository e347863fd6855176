import type { SubmissionResult } from "@conform-to/react";
import { t } from "#lib/messages/staff.ts";
import type { CopyWithdrawal } from "#provider/contract/document-options.ts";
import { ChoiceGroup } from "../../../components/form/choice-group.tsx";
import { CloseLink, Dialog, DialogProblems } from "../../../components/dialog/dialog.tsx";
import { Field } from "../../../components/form/field.tsx";
import { formState } from "../../../components/form/form-state.ts";
import { Form } from "../../../components/form/form.tsx";
import { VerdictPicture } from "../../../components/scan/verdict-picture.tsx";
import type { CopyQuestion } from "./copies.server.ts";
import { copyDialogs } from "./copy-dialogs.ts";

const reasons: { value: CopyWithdrawal; label: string }[] = [
  { value: "lost", label: t("documents.copyDialog.lost") },
  { value: "destroyed", label: t("documents.copyDialog.destroyed") },
  { value: "other", label: t("documents.copyDialog.anotherReason") },
];

type CopyDialogProps = { question: CopyQuestion; reply: SubmissionResult | undefined; closeTo: string };

/** Asks before a copy is withdrawn or restored, and shows what its scan will say afterwards. */
export default function CopyDialog({ question: { intent, n, title, effect, scan }, reply, closeTo }: CopyDialogProps) {
  const { field, summary, values } = formState({}, reply);
  const isWithdrawal = intent === copyDialogs.withdraw;
  const ofForm = summary.filter(({ fieldId }) => !["reason", "note"].includes(fieldId ?? ""));
  return (
    <Dialog
      title={title}
      lead={
        <>
          <DialogProblems errors={ofForm} />
          <p>{effect}</p>
          <p className="mt-3 mb-2 font-semibold">{t("documents.actionDialog.scanWillSay")}</p>
          <VerdictPicture {...scan} />
        </>
      }
      closeTo={closeTo}
    >
      <Form method="post" noValidate>
        <input type="hidden" name="n" value={n} />
        {isWithdrawal && (
          <div className="mt-4 grid gap-3" role={summary.length > 0 ? "alert" : undefined}>
            <ChoiceGroup
              field={field("reason")}
              legend={t("documents.copyDialog.whatHappenedToIt")}
              type="radio"
              options={reasons}
              chosen={[values.reason]}
              isFirst
            />
            <Field field={field("note")} label={t("common.note")} hint={t("common.noteHint")} rows={3} />
          </div>
        )}
        <div className="modal-foot">
          <CloseLink to={closeTo} />
          <button type="submit" className="btn btn-primary" name="intent" value={intent}>
            {isWithdrawal ? t("documents.copyDialog.withdrawCopy") : t("documents.copyDialog.restoreCopy")}
          </button>
        </div>
      </Form>
    </Dialog>
  );
}
