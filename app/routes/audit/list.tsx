import { say } from "#messages/staff.ts";
import { entityInWords } from "../../components/audit-actions.ts";
import type { TrailEntry } from "../../components/audit-words.ts";
import { Empty } from "../../components/empty.tsx";
import { entryColumns } from "../../components/history-table.tsx";
import { ListPanel } from "../../components/list-panel.tsx";
import { PageTitle } from "../../components/page-title.tsx";
import { dateErrors } from "../../server/lists/date-filters.ts";
import { readList } from "../../server/lists/lists.ts";
import { omitRowsFromHydration } from "../../first-paint/omit-rows.ts";
import { getProvider } from "../../server/provider/context.ts";
import type { Route } from "./+types/list";
import { filterFields, parseAuditQuery } from "./read-audit.server.ts";

export async function loader({ request, context, url }: Route.LoaderArgs) {
  const { query, timeZone, options } = parseAuditQuery(context, url);
  const part = await readList(getProvider(context), "listAudit", query, options);
  return {
    part: omitRowsFromHydration(request, part),
    timeZone,
    filters: query.filters,
    filterErrors: dateErrors(url),
    filterFields,
  };
}

/** The company's audit trail, for administrators. */
export default function AuditTrail({ loaderData: { part, timeZone, ...filtering } }: Route.ComponentProps) {
  return (
    <>
      <PageTitle title={say("common.auditTrail")} />
      <div className="page-head">
        <h1>{say("common.auditTrail")}</h1>
      </div>
      <ListPanel
        {...filtering}
        caption={say("common.auditTrail")}
        part={part}
        columns={entryColumns(timeZone, (entry) => (
          <On {...entry} />
        ))}
        exportAt="/audit.csv"
        noMatch={say("audit.list.noMatch")}
        emptyState={<Empty message={say("audit.list.isEmpty")} />}
      />
    </>
  );
}

/** The page of a record, by kind. */
const pages: Record<string, (id: number) => string> = {
  "access group": (id) => `/users/group?id=${id}`,
  alert: (id) => `/alerts/${id}`,
  "alert rule": () => "/alerts/rules",
  branch: (id) => `/branches/view/${id}`,
  company: () => "/branches/profile",
  document: (id) => `/documents/${id}`,
  user: (id) => `/users/view/${id}`,
  webhook: (id) => `/webhooks/${id}`,
};

/** The record of an entry, with a link unless it was removed. */
function On({ action, entity, entity_id, entity_name }: TrailEntry) {
  const page = action === "removed" || entity_id === 0 ? undefined : pages[entity]?.(entity_id);
  return (
    <div>
      {page ? (
        <a className="main" href={page}>
          {entity_name}
        </a>
      ) : (
        entity_name
      )}
      <small>{entityInWords(entity)}</small>
    </div>
  );
}
