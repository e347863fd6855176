import { t } from "#lib/messages/staff.ts";
import type { Alert } from "#provider/contract/alerts.ts";
import { alertInWords } from "../../components/scan/alert-words.ts";
import { caseInWords } from "../../components/scan/case-words.ts";
import { dayOf } from "../../components/text/format.ts";
import type { ColumnName } from "../../components/list/view-columns.ts";
import type { CsvColumn, CsvColumns } from "../../server/lists/csv.ts";
import { getUser, timeZoneOf } from "../../server/sessions/current-user.ts";
import { csvRoute } from "../../server/lists/export.ts";
import { selectedOr } from "../../server/lists/selection.ts";
import { readAll, parseListQuery } from "../../server/lists/lists.ts";
import { getProvider } from "../../server/provider/context.ts";
import { isCompleted } from "./alert-actions.ts";
import { filterNames } from "./filters.ts";

const columns = (timeZone: string): CsvColumn<Alert>[] =>
  Object.values({
    number: { label: t("common.alertNumber"), value: ({ number }) => number },
    document: { label: t("common.document"), value: ({ document }) => document },
    branch: { label: t("common.branch"), value: ({ branch }) => branch },
    alert: { label: t("common.alertType"), value: ({ alert }) => alertInWords(alert) },
    completed: {
      label: t("common.completed"),
      value: (alert) => (isCompleted(alert) ? t("common.yes") : t("common.no")),
    },
    date: { label: t("common.date"), value: ({ date }) => dayOf(date, timeZone) },
    count: { label: t("alerts.listCsv.timesThatDay"), value: ({ count }) => count },
    latitude: { label: t("alerts.alertFacts.gpsLatitude"), value: ({ latitude }) => latitude ?? "" },
    longitude: { label: t("alerts.alertFacts.gpsLongitude"), value: ({ longitude }) => longitude ?? "" },
    reason: { label: t("common.reason"), value: ({ reason }) => reason },
    note: { label: t("common.note"), value: ({ note }) => note },
    reopened_because: {
      label: t("alerts.alertFacts.reopenedBecause"),
      value: ({ reopened_because }) => reopened_because,
    },
    copy: { label: t("common.copy"), value: ({ copy }) => copy ?? "" },
    owner: { label: t("common.owner"), value: ({ owner }) => owner },
    case_state: { label: t("components.viewColumns.caseState"), value: ({ case_state }) => caseInWords(case_state) },
  } satisfies CsvColumns<Alert, ColumnName<"alerts">>);

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
