import { useEffect } from "react";
import { Link, useLocation, useNavigation, useRevalidator } from "react-router";
import { t, tRich } from "#lib/messages/staff.ts";

const pollMs = 2000;

/** Loads the page's data again while something goes on; without scripts the page refreshes itself (`root.tsx`). */
export function AutoRefresh({ seconds }: { seconds: number | undefined }) {
  const { revalidate, state } = useRevalidator();
  const isNavigating = useNavigation().state !== "idle";
  const { pathname, search } = useLocation();
  useEffect(() => {
    // Would restart what is being opened.
    if (!seconds || state !== "idle" || isNavigating) return undefined;
    const timer = setTimeout(() => {
      // A page in a background tab requests nothing.
      if (document.visibilityState === "visible") void revalidate();
    }, pollMs);
    const onShown = () => document.visibilityState === "visible" && void revalidate();
    document.addEventListener("visibilitychange", onShown);
    return () => {
      clearTimeout(timer);
      document.removeEventListener("visibilitychange", onShown);
    };
  }, [seconds, state, isNavigating, revalidate]);
  if (!seconds) return null;
  const still = new URLSearchParams(search);
  still.set("still", "1");
  return (
    <>
      <noscript>
        <p className="mt-3 text-sm text-muted">
          {tRich("components.autoRefresh.refreshesItself", {
            link: (words) => <Link to={`${pathname}?${still}`}>{words}</Link>,
          })}
        </p>
      </noscript>
      <p className="unscripted mt-3 text-sm">
        <Link to={pathname + search} reloadDocument>
          {t("components.autoRefresh.refresh")}
        </Link>
      </p>
    </>
  );
}
