import { t } from "#lib/messages/staff.ts";
import type { Alert } from "#provider/contract/alerts.ts";
import { alertInWords } from "../../components/scan/alert-words.ts";
import { caseInWords } from "../../components/scan/case-words.ts";
import { dayOf } from "../../components/text/format.ts";
import type { CsvColumn } from "../../server/lists/csv.ts";
import { getUser, timeZoneOf } from "../../server/sessions/current-user.ts";
import { csvRoute } from "../../server/lists/export.ts";
import { selectedOr } from "../../server/lists/selection.ts";
import { readAll, parseListQuery } from "../../server/lists/lists.ts";
import { getProvider } from "../../server/provider/context.ts";
import { isCompleted } from "./alert-actions.ts";
import { filterNames } from "./filters.ts";

const columns = (timeZone: string): CsvColumn<Alert>[] => [
  { label: t("common.alertNumber"), value: ({ number }) => number },
  { label: t("common.document"), value: ({ document }) => document },
  { label: t("common.branch"), value: ({ branch }) => branch },
  { label: t("common.alertType"), value: ({ alert }) => alertInWords(alert) },
  { label: t("common.completed"), value: (alert) => (isCompleted(alert) ? t("common.yes") : t("common.no")) },
  { label: t("common.date"), value: ({ date }) => dayOf(date, timeZone) },
  { label: t("alerts.listCsv.timesThatDay"), value: ({ count }) => count },
  { label: t("alerts.alertFacts.gpsLatitude"), value: ({ latitude }) => latitude ?? "" },
  { label: t("alerts.alertFacts.gpsLongitude"), value: ({ longitude }) => longitude ?? "" },
  { label: t("common.reason"), value: ({ reason }) => reason },
  { label: t("common.note"), value: ({ note }) => note },
  { label: t("alerts.alertFacts.reopenedBecause"), value: ({ reopened_because }) => reopened_because },
  { label: t("common.copy"), value: ({ copy }) => copy ?? "" },
  { label: t("common.owner"), value: ({ owner }) => owner },
  { label: t("components.viewColumns.caseState"), value: ({ case_state }) => caseInWords(case_state) },
];

const route = csvRoute(({ context, url }) => ({
  name: "alerts",
  columns: columns(timeZoneOf(getUser(context))),
  chunks: selectedOr(
    url,
    (id) => getProvider(context).getAlert({ params: { id } }),
    () => readAll(getProvider(context), "listAlerts", parseListQuery(url, "listAlerts", filterNames)),
  ),
}));

export const middleware = route.middleware;
export const loader = route.loader;

export default function AlertsCsv() {
  return null;
}
