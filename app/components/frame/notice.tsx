import { CircleAlert, CircleCheck } from "lucide-react";
import { useEffect } from "react";
import { useHydrated } from "remix-utils/use-hydrated";
import { keepInTab, keptNotice, takeFromTab } from "./tab-storage.ts";

/** Says for 5 seconds what was done (`docs/specification.md` section 9), or why not; stays while hovered or focused. */
export function Notice({ text, isRefusal = false }: { text: string; isRefusal?: boolean }) {
  return (
    <div className={`notice notice-toast ${isRefusal ? "is-bad" : ""}`} role={isRefusal ? "alert" : "status"}>
      {isRefusal ? <CircleAlert className="ico" /> : <CircleCheck className="ico" />}
      <p>{text}</p>
    </div>
  );
}

/** Of the page before, which could not show it without a full load. */
let notShown = typeof document === "undefined" ? undefined : takeFromTab(keptNotice);

/** Keeps a notice until it is shown: its page may have to be loaded anew, and the session gives a notice once. */
export function keepNotice(text: string | undefined) {
  notShown = undefined;
  if (text) keepInTab(keptNotice, text);
}

/** The page's notice, or the one that was kept for it. */
export function useNotice(notice: string | undefined): string | undefined {
  const earlier = useHydrated() ? notShown : undefined;
  useEffect(() => {
    if (notice) keepInTab(keptNotice, undefined);
  }, [notice]);
  return notice ?? earlier;
}
