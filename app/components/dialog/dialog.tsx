import { type ReactNode, useLayoutEffect, useRef } from "react";
import { X } from "lucide-react";
import { Link, useActionData, useLocation, useNavigate } from "react-router";
import { useHydrated } from "remix-utils/use-hydrated";
import { t } from "#lib/messages/staff.ts";
import type { SummaryError } from "../form/error-summary.tsx";
import { InDialog } from "./in-dialog.ts";

/**
 * Dialogs are part of the address: `dialog` names the open one, `at` its record. Returns both, and the addresses that open
 * another dialog and close this one.
 */
export function useDialog() {
  const { pathname, search } = useLocation();
  const parameters = new URLSearchParams(search);
  const address = (dialog?: string, at?: string | number) => {
    const changed = new URLSearchParams(search);
    changed.delete("dialog");
    changed.delete("at");
    if (dialog) changed.set("dialog", dialog);
    if (at !== undefined) changed.set("at", String(at));
    const query = changed.toString();
    return pathname + (query && `?${query}`);
  };
  return { open: parameters.get("dialog") ?? "", at: parameters.get("at") ?? "", openTo: address, closeTo: address() };
}

type DialogProps = { title: string; lead?: ReactNode; className?: string; closeTo: string; children: ReactNode };

/** What of a dialog says why its form was refused. */
const refusedPart = (dialog: Element) =>
  dialog.querySelector<HTMLElement>(".error-summary, .is-bad[tabindex], .field-bad :is(input, select, textarea)");

/** A dialog over the page, modal if scripts run. */
export function Dialog({ title, lead, className = "", closeTo, children }: DialogProps) {
  const dialog = useRef<HTMLDialogElement>(null);
  const navigate = useNavigate();
  useLayoutEffect(() => {
    const element = dialog.current!;
    const focused = document.activeElement;
    const isTyping = element.contains(focused) && focused!.matches("input, textarea, select");
    element.close();
    element.showModal();
    // The field in which the user types since before scripts came, the first one, or else the close link.
    const first = element.querySelector<HTMLElement>(".input, .select, .textarea, [data-first]");
    (isTyping ? (focused as HTMLElement) : (refusedPart(element) ?? first))?.focus();
    // Closed before it is removed, so that focus returns to what opened it.
    return () => element.close();
  }, []);
  const reply = useActionData<object>();
  const shownReply = useRef(reply);
  useLayoutEffect(() => {
    if (shownReply.current !== reply) refusedPart(dialog.current!)?.focus();
    shownReply.current = reply;
  }, [reply]);
  return (
    <dialog
      open
      ref={dialog}
      className="modal"
      aria-labelledby="dialog-title"
      onCancel={(event) => {
        event.preventDefault();
        void navigate(closeTo, { preventScrollReset: true, replace: true });
      }}
    >
      <div className={`modal-box ${className}`}>
        <h2 id="dialog-title">{title}</h2>
        {lead && <div className="mt-2">{lead}</div>}
        <InDialog value={true}>{children}</InDialog>
      </div>
    </dialog>
  );
}

/** Names the dialog in a form whose address has none, so that `/confirm` leads back to it. */
export function DialogName({ name }: { name?: string | undefined }) {
  const { open, at } = useDialog();
  return (
    <>
      <input type="hidden" name="dialog" value={open || name} />
      {at && <input type="hidden" name="at" value={at} />}
    </>
  );
}

/** Why a dialog's form was refused, if no field says so, above it. A long dialog is scrolled to it by the focus. */
export const DialogProblems = ({ errors }: { errors: SummaryError[] }) =>
  errors.map(({ message }) => (
    <p key={message} className="notice is-bad mb-3" role="alert" tabIndex={-1} autoFocus>
      {message}
    </p>
  ));

/** The cross in the corner of a long dialog. */
export const CloseCross = ({ to }: { to: string }) => (
  <Link className="btn btn-plain btn-icon absolute top-4 right-4 !text-base-content" to={to} preventScrollReset replace>
    <X className="ico" />
    <span className="sr-only">{t("common.close")}</span>
  </Link>
);

/**
 * Whether the page itself gives the focus to a dialog's field: only as served. Later the dialog does, so that it goes back
 * to what opened the dialog.
 */
export const useServedFocus = () => !useHydrated();

/** Closes a dialog. Focus starts here if there is no field. */
export function CloseLink({ to, children = t("common.cancel") }: { to: string; children?: ReactNode }) {
  return (
    <Link className="btn btn-quiet" to={to} preventScrollReset replace data-discard data-first autoFocus>
      {children}
    </Link>
  );
}
