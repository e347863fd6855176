import { type RefObject, useEffect, useLayoutEffect } from "react";
import { type Location, useNavigation, useNavigationType, useSubmit } from "react-router";
import {
  forgetAfterSignOut,
  forgetEntries,
  forgetTypedFilters,
  formWithRows,
  isFilled,
  storeTypedFilter,
  setCurrentLocation,
  pageOf,
  restoreEntries,
} from "./unsaved-entries.ts";

/** Whether a page is left on purpose, and by sending its form; and the link that discards what was typed. */
export type Intent = { isMeant: boolean; isSent: boolean; discard: Element | null };
export const noIntent: Intent = { isMeant: false, isSent: false, discard: null };

/** The page that was shown last. */
let shown = "";

/** Fills the forms of a page again that Back leads to, or whose own link, dialog or tab was opened. */
export function useRestoreEntries(location: Location, intent: RefObject<Intent>) {
  const loading = useNavigation().location?.pathname;
  const type = useNavigationType();
  const submit = useSubmit();
  useLayoutEffect(() => setCurrentLocation(location), [location]);
  useEffect(() => {
    if (loading !== undefined) {
      if (loading !== location.pathname) return forgetTypedFilters();
      document.addEventListener("input", storeTypedFilter);
      return () => document.removeEventListener("input", storeTypedFilter);
    }
    const page = pageOf(location);
    if (page !== shown && type !== "POP") forgetEntries(page);
    shown = page;
    // Outside of React's own work, which would put off what the controls' events lead to.
    const timer = setTimeout(() => {
      // The user has left the page already: another submission would end that navigation.
      if (isFilled(location) || !restoreEntries(location)) return;
      intent.current = { isMeant: true, isSent: true, discard: null };
      const options = { action: location.pathname + location.search, preventScrollReset: true, replace: true };
      // Rejects if the user navigates again before the reply.
      submit(formWithRows(location), { method: "post", ...options }).catch(() => {});
    });
    return () => clearTimeout(timer);
  }, [loading, location, type, submit, intent]);
  useEffect(() => forgetAfterSignOut, []);
}
