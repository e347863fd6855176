import { Link } from "react-router";
import { t } from "#lib/messages/staff.ts";
import { alertTypes } from "#provider/contract/alerts.ts";
import { alertInWords } from "../../components/scan/alert-words.ts";
import { caseWords } from "../../components/scan/case-words.ts";
import { Empty } from "../../components/list/empty.tsx";
import { capital, dayOf } from "../../components/text/format.ts";
import { ListPanel } from "../../components/list/list-panel.tsx";
import { chosenColumns } from "../../components/list/view-columns.ts";
import { PageTitle } from "../../components/frame/page-title.tsx";
import { getOffers, getUser, mayInCompany, timeZoneOf } from "../../server/sessions/current-user.ts";
import { dateErrors } from "../../server/lists/date-filters.ts";
import { readList, parseListQuery } from "../../server/lists/lists.ts";
import { omitRowsFromHydration } from "../../first-paint/omit-rows.ts";
import { viewsOf } from "../../server/lists/views.ts";
import { selectionOf } from "../../server/lists/selection.ts";
import { getProvider } from "../../server/provider/context.ts";
import { alertColumns } from "./columns.tsx";
import { filterNames } from "./filters.ts";
import type { Route } from "./+types/list";

export async function loader({ request, context, url }: Route.LoaderArgs) {
  const viewed = await viewsOf(context, url, "alerts");
  const query = parseListQuery(url, "listAlerts", filterNames);
  const part = await readList(getProvider(context), "listAlerts", query);
  const user = getUser(context);
  const timeZone = timeZoneOf(user);
  const rows = part.rows.map((alert) => ({ ...alert, date: dayOf(alert.date, timeZone) }));
  return {
    part: omitRowsFromHydration(request, { ...part, rows }),
    viewed,
    selection: selectionOf(context, "alerts", "alerts", query.filters),
    filters: query.filters,
    filterErrors: dateErrors(url),
    mayRule: getOffers(context).alertRules && mayInCompany(user, "alerts", "write"),
    hasCases: getOffers(context).cases,
    types: Object.keys(alertTypes),
  };
}

const completed = { value: "Completed", label: t("common.completed") };
const typesInWords = (types: string[]) => [
  ...types.map((type) => ({ value: type, label: alertInWords(type) })),
  completed,
];
const states = [{ value: "Open", label: t("alerts.list.open") }, completed];
/** “Completed” is any of the last three. */
const caseStates = [
  ...states,
  ...Object.entries(caseWords).map(([state, label]) => ({ value: capital(state), label })),
];
const owners = t("alerts.list.ownerHint");

export default function AlertsList({ loaderData }: Route.ComponentProps) {
  const { part, types, viewed, mayRule, hasCases, ...filtering } = loaderData;
  return (
    <>
      <PageTitle title={t("common.alerts")} />
      <div className="page-head">
        <h1>{t("common.alerts")}</h1>
        {mayRule && (
          <div className="page-acts">
            <Link className="btn btn-quiet" to="/alerts/rules">
              {t("common.rulesOfAlerts")}
            </Link>
          </div>
        )}
      </div>
      <ListPanel
        caption={t("common.alerts")}
        part={part}
        viewed={viewed}
        columns={chosenColumns("alerts", alertColumns(true), viewed.open?.columns)}
        boxLabel={({ number, document }) => `${number} ${document}`}
        filterFields={[
          { name: "name", label: t("common.name") },
          { name: "number", label: t("common.documentNumber") },
          { name: "text", label: t("alerts.list.reasonOrComplaint") },
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
          ...(hasCases
            ? [{ name: "owner", label: t("common.owner"), suggestions: ["me", "nobody"], placeholder: owners }]
            : []),
        ]}
        {...filtering}
        exportAt="/alerts.csv"
        noMatch={t("alerts.list.noMatch")}
        emptyState={<Empty message={t("alerts.list.none")} />}
      />
    </>
  );
}
