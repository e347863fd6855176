import { lazy } from "react";
import type { HistoryPage } from "./history-table.tsx";

/** A record's history. Browsers fetch its code when the tab is opened, which few do. */
export const History = lazy(() => import("./history-table.tsx"));

/** A record's tabs, with History if the provider returns it. */
export const withHistory = <T extends { id: string; label: string }>(
  tabs: readonly T[],
  history: HistoryPage | undefined,
) => (history ? [...tabs, { id: "history", label: "History" }] : tabs);
