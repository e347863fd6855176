import type { SubmissionResult } from "@conform-to/react";
import type { ReactNode } from "react";
import { CloseLink, Dialog, DialogProblems } from "./dialog.tsx";
import { formState } from "../form/form-state.ts";
import { Form } from "../form/form.tsx";

type FormDialogProps = {
  /** Names the action and its record. */
  title: string;
  /** What changes, and what stays. */
  lead?: ReactNode;
  /** On the button that confirms: the action again. */
  confirm: string;
  intent: string;
  /** For actions that remove something. */
  isDanger?: boolean;
  reply: SubmissionResult | undefined;
  closeTo: string;
  /** What the form asks. */
  children?: ReactNode;
};

/** Asks before an action, and stays open with what is wrong if that is refused. */
export const FormDialog = ({ title, lead, confirm, intent, isDanger, reply, closeTo, children }: FormDialogProps) => (
  <Dialog title={title} lead={lead} closeTo={closeTo}>
    <div className="mt-4">
      <DialogProblems errors={formState({}, reply).summary.filter(({ fieldId }) => !fieldId)} />
    </div>
    <Form method="post" className="grid gap-4" noValidate>
      {children}
      <div className="modal-foot !mt-2">
        <CloseLink to={closeTo} />
        <button type="submit" className={`btn ${isDanger ? "btn-error" : "btn-primary"}`} name="intent" value={intent}>
          {confirm}
        </button>
      </div>
    </Form>
  </Dialog>
);
