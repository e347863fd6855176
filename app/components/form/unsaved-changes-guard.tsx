import { useEffect, useState } from "react";
import { type Location, useBlocker, useLocation, useNavigation } from "react-router";
import { t } from "#lib/messages/staff.ts";
import {
  forgetEntries,
  forgetSent,
  hasUnsavedEntries,
  isEdited,
  isFilled,
  keepEntries,
  storeEntries,
  takeKeptEntries,
  pageOf,
} from "./unsaved-entries.ts";
import { usePageUser } from "./form.tsx";
import { leaveIntent, noIntent } from "./leave-intent.ts";
import { useRestoreEntries } from "./use-restore-entries.ts";

/**
 * Asks before a page is left whose form was edited, and fills the form again when the user comes back. Links marked
 * `data-discard` leave without the question.
 */
export function UnsavedChangesGuard() {
  useLeaveIntent();
  const location = useLocation();
  const { state } = useNavigation();
  const user = usePageUser() ?? "";
  // Before the page's forms are filled.
  useState(() => takeKeptEntries(user));
  useRestoreEntries(location);
  const blocker = useBlocker(({ currentLocation, nextLocation, historyAction }) => {
    // The browser's Back leaves a form that is on its way, without a click.
    const isBack = historyAction === "POP" && !leaveIntent.current.discard;
    const { isMeant, isSent, discard } = isBack ? noIntent : leaveIntent.current;
    const dialog = discard?.closest("dialog") ?? null;
    if (discard && !dialog) {
      forgetEntries(pageOf(currentLocation));
      return false;
    }
    storeEntries(currentLocation, { isSent, cancelled: dialog });
    const asks = pageOf(currentLocation) !== pageOf(nextLocation) && !isMeant && isUnsaved(currentLocation);
    // While the user is asked, the reply may still come.
    if (!asks && !isSent) forgetSent();
    return asks;
  });
  useEffect(() => {
    const warn = (event: BeforeUnloadEvent) => {
      const { isMeant, discard } = leaveIntent.current;
      // A page that could not be opened without a full load: the user was asked already.
      if (state === "idle" && !isMeant && !discard && isUnsaved(location)) event.preventDefault();
    };
    const keep = () => {
      const { isSent, discard } = leaveIntent.current;
      const dialog = discard?.closest("dialog") ?? null;
      if (discard && !dialog) forgetEntries(pageOf(location));
      else storeEntries(location, { isSent, cancelled: dialog });
      keepEntries(user);
    };
    addEventListener("beforeunload", warn);
    addEventListener("pagehide", keep);
    document.addEventListener("click", followHash);
    return () => {
      removeEventListener("beforeunload", warn);
      removeEventListener("pagehide", keep);
      document.removeEventListener("click", followHash);
    };
  }, [location, state, user]);
  if (blocker.state !== "blocked") return null;
  return (
    <dialog
      ref={(dialog) => dialog?.showModal()}
      className="modal"
      aria-labelledby="leave-title"
      onCancel={() => blocker.reset()}
    >
      <div className="modal-box">
        <h2 id="leave-title">{t("components.unsavedChangesGuard.title")}</h2>
        <p className="mt-2">{t("components.unsavedChangesGuard.effect")}</p>
        <div className="modal-foot">
          <button type="button" className="btn btn-quiet" onClick={() => blocker.reset()} autoFocus>
            {t("components.unsavedChangesGuard.stay")}
          </button>
          <button
            type="button"
            className="btn btn-error"
            onClick={() => {
              forgetSent();
              blocker.proceed();
            }}
          >
            {t("components.unsavedChangesGuard.confirm")}
          </button>
        </div>
      </div>
    </dialog>
  );
}

const isUnsaved = (location: Location) => isFilled(location) && (isEdited() || hasUnsavedEntries(pageOf(location)));

/** Moves the focus as the browser does for a link within the page, but without an entry in the history, where no router knows it. */
function followHash(event: MouseEvent) {
  const link = event.target instanceof Element && event.target.closest<HTMLAnchorElement>("a[href^='#']");
  const target = link && document.getElementById(link.hash.slice(1));
  if (!target || event.defaultPrevented) return;
  event.preventDefault();
  target.scrollIntoView();
  target.focus({ preventScroll: true });
}

/** Knows from clicks and sent forms whether the page is left on purpose. */
function useLeaveIntent() {
  const { state } = useNavigation();
  useEffect(() => {
    if (state === "idle") leaveIntent.current = noIntent;
  }, [state]);
  useEffect(() => {
    const send = ({ target }: Event) => {
      const isSent = (target as Element).matches("main form, dialog form");
      leaveIntent.current = { isMeant: navigator.onLine, isSent, discard: null };
    };
    const press = ({ target }: Event) => {
      const closest = (marked: string) => (target instanceof Element ? target.closest(marked) : null);
      const isMeant = closest("[data-keeps-entries]") !== null;
      leaveIntent.current = { isMeant, isSent: false, discard: closest("[data-discard]") };
    };
    document.addEventListener("submit", send, true);
    document.addEventListener("click", press, true);
    return () => {
      document.removeEventListener("submit", send, true);
      document.removeEventListener("click", press, true);
    };
  }, []);
}
