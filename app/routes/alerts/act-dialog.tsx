import { Form } from "react-router";
import type { Alert } from "#provider/contract/alerts.ts";
import { CloseLink, Dialog, useDialog } from "../../components/dialog.tsx";
import { Field, FieldError } from "../../components/field.tsx";
import { recordForm, type Refusal } from "../../components/record-form.tsx";
import { acts } from "./acts.ts";

/** The dialog of the act that the address has open. */
export default function ActDialog({ alert, refusal }: { alert: Alert; refusal: Refusal | undefined }) {
  const { open, closeTo } = useDialog();
  const act = acts.find(({ intent }) => intent === open);
  // Somebody else may have done it meanwhile: then the refusal is still told.
  if (!act || (!act.isOffered(alert) && !refusal)) return null;
  const { field, summary } = recordForm({}, refusal);
  const { name, ...words } = act.field;
  return (
    <Dialog title={`${act.confirm} ${alert.number}?`} lead={<p>{act.effect}</p>} closeTo={closeTo}>
      <Form method="post" noValidate>
        <div className="mt-4 grid gap-3" role={summary.length > 0 ? "alert" : undefined}>
          {summary
            .filter(({ fieldId }) => !fieldId)
            .map(({ message }) => (
              <FieldError key={message} message={message} />
            ))}
          <Field field={field(name)} {...words} rows={4} />
        </div>
        <div className="modal-foot">
          <CloseLink to={closeTo} />
          <button type="submit" className="btn btn-primary" name="intent" value={act.intent}>
            {act.confirm}
          </button>
        </div>
      </Form>
    </Dialog>
  );
}
