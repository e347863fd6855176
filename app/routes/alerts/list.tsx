import { t } from "#lib/messages/staff.ts";
import { alertTypes } from "#provider/contract/alerts.ts";
import { alertInWords } from "../../components/scan/alert-words.ts";
import { caseWords, outcomeOptions } from "../../components/scan/case-words.ts";
import { Empty } from "../../components/list/empty.tsx";
import { dayOf } from "../../components/text/format.ts";
import { ListPanel } from "../../components/list/list-panel.tsx";
import { chosenColumns } from "../../components/list/view-columns.ts";
import { PageTitle } from "../../components/frame/page-title.tsx";
import { getOffers, getUser, timeZoneOf } from "../../server/sessions/current-user.ts";
import { dateErrors } from "../../server/lists/date-filters.ts";
import { distinct, readList, parseListQuery } from "../../server/lists/lists.ts";
import { omitRowsFromHydration } from "../../first-paint/omit-rows.ts";
import { viewsOf } from "../../server/lists/views.ts";
import { selectionOf } from "../../server/lists/selection.ts";
import { getProvider } from "../../server/provider/context.ts";
import { orUndefinedIfHidden } from "../../server/provider/failure.ts";
import { alertColumns } from "./columns.tsx";
import { filterNames } from "./filters.ts";
import type { Route } from "./+types/list";

export async function loader({ request, context, url }: Route.LoaderArgs) {
  const viewed = await viewsOf(context, url, "alerts");
  const query = parseListQuery(url, "listAlerts", filterNames);
  const part = await readList(getProvider(context), "listAlerts", query);
  const user = getUser(context);
  const timeZone = timeZoneOf(user);
  const hasCases = getOffers(context).cases;
  const rows = part.rows.map((alert) => ({ ...alert, date: dayOf(alert.date, timeZone) }));
  return {
    part: omitRowsFromHydration(request, { ...part, rows }),
    viewed,
    selection: selectionOf(context, "alerts", "alerts", query.filters),
    filters: query.filters,
    filterErrors: dateErrors(url),
    hasCases,
    owners: hasCases ? await ownersFor(context, rows[0]) : [],
    types: Object.keys(alertTypes),
  };
}

/** The names of colleagues who may own the first alert of the list, and so most of the others. */
async function ownersFor(context: Route.LoaderArgs["context"], first: { id: number } | undefined) {
  if (!first) return [];
  const colleagues = getProvider(context).listColleagues({ params: { id: String(first.id) }, query: {} });
  return distinct(((await orUndefinedIfHidden(colleagues)) ?? []).map(({ name }) => name));
}

const typesInWords = (types: string[]) => [
  ...types.map((type) => ({ value: type, label: alertInWords(type) })),
  { value: "Completed", label: t("common.completed") },
];
const states = [
  { value: "open", label: t("alerts.list.open") },
  { value: "completed", label: t("common.completed") },
];
const outcomes = new Set<string>(outcomeOptions.map(({ value }) => value));
const openStates = Object.entries(caseWords)
  .filter(([value]) => !outcomes.has(value))
  .map(([value, label]) => ({ value, label }));
const caseStates = [
  { label: t("alerts.list.open"), options: [{ value: "open", label: t("alerts.list.allOpen") }, ...openStates] },
  {
    label: t("common.completed"),
    options: [{ value: "completed", label: t("alerts.list.allCompleted") }, ...outcomeOptions],
  },
];
const anybody = [
  { value: "me", label: t("alerts.list.me") },
  { value: "nobody", label: t("common.noOwner") },
];

export default function AlertsList({ loaderData }: Route.ComponentProps) {
  const { part, types, viewed, hasCases, owners, ...filtering } = loaderData;
  return (
    <>
      <PageTitle title={t("common.alerts")} />
      <div className="page-head">
        <h1>{t("common.alerts")}</h1>
      </div>
      <ListPanel
        caption={t("common.alerts")}
        part={part}
        viewed={viewed}
        columns={chosenColumns("alerts", alertColumns(), viewed.open?.columns)}
        boxLabel={({ number, document }) => `${number} ${document}`}
        filterFields={[
          { name: "name", label: t("common.name") },
          { name: "date", label: t("common.date"), isDate: "YYYY-MM-DD" },
          {
            name: "alert",
            label: t("common.alertType"),
            all: t("alerts.list.allTypes"),
            choices: typesInWords(types),
          },
          {
            name: "state",
            label: t("common.status"),
            all: t("common.all"),
            choices: hasCases ? caseStates : states,
          },
          { name: "number", label: t("common.documentNumber"), isFolded: true },
          { name: "text", label: t("alerts.list.reasonOrComplaint"), isFolded: true },
          { name: "date_from", label: t("common.dateFrom"), isDate: "YYYY-MM-DD", isFolded: true },
          { name: "date_to", label: t("common.dateTo"), isDate: "YYYY-MM-DD", isFolded: true },
          ...(hasCases
            ? [
                {
                  name: "owner",
                  label: t("common.owner"),
                  all: t("common.all"),
                  choices: [...anybody, ...owners],
                  isFolded: true,
                },
              ]
            : []),
        ]}
        isBrief
        {...filtering}
        exportAt="/alerts.csv"
        noMatch={t("alerts.list.noMatch")}
        emptyState={<Empty message={t("alerts.list.none")} />}
      />
    </>
  );
}
