import type { ReactNode } from "react";
import { Form } from "react-router";
import { CloseLink, Dialog } from "./dialog.tsx";

type ConfirmDialogProps = {
  /** Names the act and what it is about. */
  title: string;
  /** On the button that acts: the act again. */
  confirm: string;
  /** What the button sends as `intent`. */
  intent: string;
  /** Acts that take something away. */
  isDanger?: boolean;
  closeTo: string;
  /** The effect, and what stays. */
  children: ReactNode;
};

/** Asks before an act. What comes of it is told on the page below, where the dialog is closed. */
export const ConfirmDialog = ({ title, confirm, intent, isDanger = false, closeTo, children }: ConfirmDialogProps) => (
  <Dialog title={title} lead={children} closeTo={closeTo}>
    <Form method="post" action={closeTo} className="modal-foot">
      <CloseLink to={closeTo} />
      <button type="submit" className={`btn ${isDanger ? "btn-error" : "btn-primary"}`} name="intent" value={intent}>
        {confirm}
      </button>
    </Form>
  </Dialog>
);
