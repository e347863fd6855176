import type { ReactNode } from "react";
import { t } from "#lib/messages/staff.ts";
import { dialogIntents } from "./dialog-button.tsx";
import { CloseLink, Dialog, DialogName } from "./dialog.tsx";
import { Form } from "../form/form.tsx";

type ConfirmDialogProps = {
  /** Names the action and its record. */
  title: string;
  /** On the button that confirms: the action again. */
  confirm: string;
  intent: string;
  /** For actions that remove something. */
  isDanger?: boolean;
  closeTo: string;
  /** The dialog's name, if its address may lack it. */
  name?: string;
  /** The form that Cancel sends along, if that opened the dialog. */
  cancelForm?: string | undefined;
  /** What changes, and what stays. */
  children: ReactNode;
};

/** Asks before an action. Its result is shown on the page, with the dialog closed. */
export const ConfirmDialog = ({
  title,
  confirm,
  intent,
  isDanger = false,
  closeTo,
  name,
  cancelForm,
  children,
}: ConfirmDialogProps) => (
  <Dialog title={title} lead={children} closeTo={closeTo}>
    <Form method="post" action={closeTo} className="modal-foot">
      <DialogName name={name} />
      {cancelForm ? (
        <button
          type="submit"
          className="btn btn-quiet"
          form={cancelForm}
          name="intent"
          value={dialogIntents.back}
          data-first
        >
          {t("common.cancel")}
        </button>
      ) : (
        <CloseLink to={closeTo} />
      )}
      <button type="submit" className={`btn ${isDanger ? "btn-error" : "btn-primary"}`} name="intent" value={intent}>
        {confirm}
      </button>
    </Form>
  </Dialog>
);
