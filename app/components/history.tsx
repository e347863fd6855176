import { lazy } from "react";
import type { Told } from "./history-table.tsx";

/** What became of one record, below its tabs. Browsers fetch its code when the tab is opened: few look. */
export const History = lazy(() => import("./history-table.tsx"));

/** A record's tabs, with its history where the provider tells it: `{tab === "history" && history && <History …/>}`. */
export const withHistory = <T extends { id: string; label: string }>(tabs: readonly T[], history: Told | undefined) =>
  history ? [...tabs, { id: "history", label: "History" }] : tabs;
