import type { SubmissionResult } from "@conform-to/react";
import { Form } from "react-router";
import { copyWithdrawals } from "#provider/contract/document-options.ts";
import { CloseLink, Dialog, DialogProblems } from "../../components/dialog.tsx";
import { Field, FieldError, type FieldState } from "../../components/field.tsx";
import { formState } from "../../components/form-state.ts";
import { VerdictPicture } from "../../components/verdict-picture.tsx";
import type { CopyQuestion } from "./copies.server.ts";
import { copyDialogs } from "./copy-dialogs.ts";

type CopyDialogProps = { question: CopyQuestion; reply: SubmissionResult | undefined; closeTo: string };

/** Asks before a copy is withdrawn or restored, and shows what its scan will say afterwards. */
export default function CopyDialog({ question: { intent, n, name, was, scan }, reply, closeTo }: CopyDialogProps) {
  const { field, summary } = formState({}, reply);
  const isWithdrawal = intent === copyDialogs.withdraw;
  const ofForm = summary.filter(({ fieldId }) => !["reason", "note"].includes(fieldId ?? ""));
  return (
    <Dialog
      title={`${isWithdrawal ? "Withdraw" : "Restore"} ${name}?`}
      lead={
        <>
          <DialogProblems errors={ofForm} />
          <p>
            {isWithdrawal
              ? "A scan of it will say that it is withdrawn, and raise an alert. The document and its other copies stay in force. You can undo this."
              : `${was} A scan of it will say the same as one of the other copies again.`}
          </p>
          <p className="mt-3 mb-2 font-semibold">A scan of its code will say:</p>
          <VerdictPicture {...scan} />
        </>
      }
      closeTo={closeTo}
    >
      <Form method="post" noValidate>
        <input type="hidden" name="n" value={n} />
        {isWithdrawal && (
          <div className="mt-4 grid gap-3" role={summary.length > 0 ? "alert" : undefined}>
            <Reasons field={field("reason")} />
            <Field field={field("note")} label="Note" hint="For your colleagues; visitors don’t see it" rows={3} />
          </div>
        )}
        <div className="modal-foot">
          <CloseLink to={closeTo} />
          <button type="submit" className="btn btn-primary" name="intent" value={intent}>
            {isWithdrawal ? "Withdraw copy" : "Restore copy"}
          </button>
        </div>
      </Form>
    </Dialog>
  );
}

function Reasons({ field: { id, errors, initialValue } }: { field: FieldState }) {
  const error = errors?.[0];
  return (
    <fieldset className={`field ${error ? "field-bad" : ""}`} aria-describedby={error && `${id}-error`}>
      <legend>What happened to it</legend>
      {error && <FieldError id={`${id}-error`} message={error} />}
      {Object.entries(copyWithdrawals).map(([value, label], index) => (
        <label className="choice" key={value}>
          <input
            className="radio radio-primary"
            type="radio"
            id={index === 0 ? id : undefined}
            data-first={index === 0 ? "" : undefined}
            name="reason"
            value={value}
            defaultChecked={value === initialValue}
          />
          {label}
        </label>
      ))}
    </fieldset>
  );
}
