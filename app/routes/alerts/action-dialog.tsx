import type { SubmissionResult } from "@conform-to/react";
import { t } from "#lib/messages/staff.ts";
import type { Alert } from "#provider/contract/alerts.ts";
import { outcomeOptions } from "../../components/scan/case-words.ts";
import { CloseLink, Dialog, useDialog, useServedFocus } from "../../components/dialog/dialog.tsx";
import { Field, FieldError } from "../../components/form/field.tsx";
import { formState } from "../../components/form/form-state.ts";
import { Form } from "../../components/form/form.tsx";
import { alertActions } from "./alert-actions.ts";

/** The dialog of the action that the address has open. */
export default function ActionDialog({ alert, reply }: { alert: Alert; reply: SubmissionResult | undefined }) {
  const { open, closeTo } = useDialog();
  const hasFocus = useServedFocus();
  const action = alertActions.find(({ intent }) => intent === open);
  // Another user may have done it meanwhile: the refusal is shown all the same.
  if (!action || (!action.isOffered(alert) && !reply)) return null;
  const { field, summary } = formState({ outcome: "done" }, reply);
  const { name, ...words } = action.field;
  return (
    <Dialog title={action.title(alert.number)} lead={<p>{action.effect}</p>} closeTo={closeTo}>
      <Form method="post" noValidate>
        <div className="mt-4 grid gap-3" role={summary.length > 0 ? "alert" : undefined}>
          {summary
            .filter(({ fieldId }) => fieldId !== name)
            .map(({ message }) => (
              <FieldError key={message} message={message} />
            ))}
          <Field field={field(name)} {...words} {...(action.intent !== "assign" && { rows: 4 })} autoFocus={hasFocus} />
          {action.intent === "complete" && alert.case_state && (
            <Field field={field("outcome")} label={t("alerts.actionDialog.whatItWas")} options={outcomeOptions} />
          )}
        </div>
        <div className="modal-foot">
          <CloseLink to={closeTo} />
          <button type="submit" className="btn btn-primary" name="intent" value={action.intent}>
            {action.confirm}
          </button>
        </div>
      </Form>
    </Dialog>
  );
}
