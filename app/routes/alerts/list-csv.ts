import type { Alert } from "#provider/contract/alerts.ts";
import { caseInWords } from "../../components/case-words.ts";
import { dayOf } from "../../components/format.ts";
import type { CsvColumn } from "../../server/lists/csv.ts";
import { getUser, timeZoneOf } from "../../server/sessions/current-user.ts";
import { csvRoute } from "../../server/lists/export.ts";
import { selectedOr } from "../../server/lists/selection.ts";
import { readAll, parseListQuery } from "../../server/lists/lists.ts";
import { getProvider } from "../../server/provider/context.ts";
import { isCompleted } from "./alert-actions.ts";
import { filterNames, sorts } from "./filters.ts";

const columns = (timeZone: string): CsvColumn<Alert>[] => [
  { label: "Alert number", value: ({ number }) => number },
  { label: "Document", value: ({ document }) => document },
  { label: "Branch", value: ({ branch }) => branch },
  { label: "Alert type", value: ({ alert }) => alert },
  { label: "Completed", value: (alert) => (isCompleted(alert) ? "Yes" : "No") },
  { label: "Date", value: ({ date }) => dayOf(date, timeZone) },
  { label: "Times that day", value: ({ count }) => count },
  { label: "GPS latitude", value: ({ latitude }) => latitude ?? "" },
  { label: "GPS longitude", value: ({ longitude }) => longitude ?? "" },
  { label: "Reason", value: ({ reason }) => reason },
  { label: "Note", value: ({ note }) => note },
  { label: "Reopened because", value: ({ reopened_because }) => reopened_because },
  { label: "Copy", value: ({ copy }) => copy ?? "" },
  { label: "Owner", value: ({ owner }) => owner },
  { label: "Case state", value: ({ case_state }) => caseInWords(case_state) },
];

const route = csvRoute(({ context, url }) => ({
  name: "alerts",
  columns: columns(timeZoneOf(getUser(context))),
  chunks: selectedOr(
    url,
    (id) => getProvider(context).getAlert({ params: { id } }),
    () => readAll(getProvider(context), "listAlerts", parseListQuery(url, filterNames, sorts)),
  ),
}));

export const middleware = route.middleware;
export const loader = route.loader;

export default function AlertsCsv() {
  return null;
}
