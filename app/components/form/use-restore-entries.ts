import { useEffect, useLayoutEffect } from "react";
import { type Location, useNavigation, useNavigationType, useSubmit } from "react-router";
import { leaveIntent, sentIntent } from "./leave-intent.ts";
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

/** The page that was shown last. */
let shown = "";

/** Fills the forms of a page again that Back leads to, or whose own link, dialog or tab was opened. */
export function useRestoreEntries(location: Location) {
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
      leaveIntent.current = sentIntent;
      const options = { action: location.pathname + location.search, preventScrollReset: true, replace: true };
      // Rejects if the user navigates again before the reply.
      submit(formWithRows(location), { method: "post", ...options }).catch(() => {});
    });
    return () => clearTimeout(timer);
  }, [loading, location, type, submit]);
  useEffect(() => forgetAfterSignOut, []);
}
