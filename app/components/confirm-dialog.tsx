import type { ReactNode } from "react";
import { Form } from "react-router";
import { CloseLink, Dialog } from "./dialog.tsx";

type ConfirmDialogProps = {
  /** Names the action and its subject. */
  title: string;
  /** On the button: the action again. */
  confirm: string;
  /** What the button sends as `intent`. */
  intent: string;
  /** For actions that remove something. */
  isDanger?: boolean;
  closeTo: string;
  /** The effect, and what stays. */
  children: ReactNode;
};

/** Asks before an action. The result is shown on the page after closing. */
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
