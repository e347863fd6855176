import { Link } from "react-router";
import { alertTypes } from "#provider/contract/alerts.ts";
import { caseWords } from "../../components/case-words.ts";
import { Empty } from "../../components/empty.tsx";
import { dayOf } from "../../components/format.ts";
import { ListPanel } from "../../components/list-panel.tsx";
import { chosenColumns } from "../../components/view-columns.ts";
import { PageTitle } from "../../components/page-title.tsx";
import { getOffers, getUser, mayInCompany, timeZoneOf } from "../../server/sessions/current-user.ts";
import { dateErrors } from "../../server/lists/date-filters.ts";
import { readList, parseListQuery } from "../../server/lists/lists.ts";
import { omitRowsFromHydration } from "../../first-paint/omit-rows.ts";
import { viewsOf } from "../../server/lists/views.ts";
import { selectionOf } from "../../server/lists/selection.ts";
import { getProvider } from "../../server/provider/context.ts";
import { alertColumns } from "./columns.tsx";
import { filterNames, sorts } from "./filters.ts";
import type { Route } from "./+types/list";

export const handle = { isRenderedOnce: true };

export async function loader({ request, context, url }: Route.LoaderArgs) {
  const viewed = await viewsOf(context, url, "alerts");
  const query = parseListQuery(url, filterNames, sorts);
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
    types: [...Object.keys(alertTypes), "Completed"],
  };
}

/** “Completed” is any of the last three. */
const caseStates = ["Open", "Completed", ...Object.values(caseWords)];
const owners = "A name, me or nobody";

export default function AlertsList({ loaderData }: Route.ComponentProps) {
  const { part, types, viewed, mayRule, hasCases, ...filtering } = loaderData;
  return (
    <>
      <PageTitle title="Alerts" />
      <div className="page-head">
        <h1>Alerts</h1>
        {mayRule && (
          <div className="page-acts">
            <Link className="btn btn-quiet" to="/alerts/rules">
              Rules of alerts
            </Link>
          </div>
        )}
      </div>
      <ListPanel
        caption="Alerts"
        part={part}
        viewed={viewed}
        columns={chosenColumns("alerts", alertColumns(true), viewed.open?.columns)}
        boxLabel={({ number, document }) => `${number} ${document}`}
        filterFields={[
          { name: "name", label: "Name" },
          { name: "number", label: "Document number" },
          { name: "text", label: "Reason or complaint" },
          { name: "date", label: "Date", isDate: "YYYY-MM-DD" },
          { name: "alert", label: "Alert type", all: "All types", choices: types },
          { name: "state", label: "Status", all: "All", choices: hasCases ? caseStates : ["Open", "Completed"] },
          ...(hasCases ? [{ name: "owner", label: "Owner", suggestions: ["me", "nobody"], placeholder: owners }] : []),
        ]}
        {...filtering}
        exportAt="/alerts.csv"
        noMatch="No alert matches the filters."
        emptyState={<Empty message="There are no alerts. Suspicious scans and complaints appear here." />}
      />
    </>
  );
}
