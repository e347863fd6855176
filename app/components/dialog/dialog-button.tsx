import type { MouseEvent, ReactNode } from "react";
import { useNavigate } from "react-router";
import { useDialog } from "./dialog.tsx";

/**
 * The intents of buttons that send a form along without saving it, so that nothing typed is lost without scripts.
 * `server/forms/forms.ts` knows them by `changesNothing`.
 */
export const dialogIntents = { open: (dialog: string) => `open-${dialog}`, back: "back" };

/** The id of a page's form whose buttons open dialogs. */
export const formId = "record";

/** The dialog that the address has open or, without scripts, the button that sent the form; Cancel sends it back then. */
export function useFormDialog({ values }: { values: Record<string, string> }, name: string) {
  const { open, closeTo } = useDialog();
  const isSent = values.intent === dialogIntents.open(name);
  return { isOpen: isSent || open === name, closeTo, cancelForm: isSent ? formId : undefined };
}

type DialogButtonProps = { dialog: string; className: string; children: ReactNode };

/** Opens a dialog over the form that it stands in. */
export function DialogButton({ dialog, ...button }: DialogButtonProps) {
  const { openTo } = useDialog();
  const navigate = useNavigate();
  const open = (event: MouseEvent) => {
    event.preventDefault();
    void navigate(openTo(dialog), { preventScrollReset: true });
  };
  return <button type="submit" name="intent" value={dialogIntents.open(dialog)} onClick={open} {...button} />;
}
