import { lazy } from "react";
import { t } from "#lib/messages/staff.ts";
import type { HistoryPart } from "./history-table.tsx";

/** A record's history, below its tabs. Browsers fetch its code when the tab is opened. */
export const History = lazy(() => import("./history-table.tsx"));

/** A record's tabs, with its history if there is one: `{tab === "history" && history && <History …/>}`. */
export const withHistory = <T extends { id: string; label: string }>(
  tabs: readonly T[],
  history: HistoryPart | undefined,
) => (history ? [...tabs, { id: "history", label: t("components.historyTable.history") }] : tabs);
