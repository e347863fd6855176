import { capital, type Entry } from "../../components/audit-words.ts";
import { Empty } from "../../components/empty.tsx";
import { entryColumns } from "../../components/history-table.tsx";
import { ListPanel } from "../../components/list-panel.tsx";
import { PageTitle } from "../../components/page-title.tsx";
import { readList } from "../../server/lists/lists.ts";
import { once } from "../../server/first-paint/once.ts";
import { getProvider } from "../../server/provider/context.ts";
import type { Route } from "./+types/list";
import { filterFields, wishOf } from "./read-audit.ts";

export async function loader({ request, context, url }: Route.LoaderArgs) {
  const { wish, timeZone, reading } = wishOf(context, url);
  const part = await readList(getProvider(context), "listAudit", wish, reading);
  return { part: once(request, part), timeZone, filters: wish.filters, filterFields };
}

/** Who did what in the company, for administrators. */
export default function AuditTrail({ loaderData: { part, timeZone, ...filtering } }: Route.ComponentProps) {
  return (
    <>
      <PageTitle title="Audit trail" />
      <div className="page-head">
        <h1>Audit trail</h1>
      </div>
      <ListPanel
        {...filtering}
        caption="Audit trail"
        part={part}
        columns={entryColumns(timeZone, (entry) => (
          <On {...entry} />
        ))}
        exportAt="/audit.csv"
        noMatch="No entry matches the filters."
        emptyState={<Empty message="There are no entries yet. Changes appear here." />}
      />
    </>
  );
}

/** Where a record of a kind is shown. */
const pages: Record<string, (id: number) => string> = {
  "access group": (id) => `/users/group?id=${id}`,
  alert: (id) => `/alerts/${id}`,
  branch: (id) => `/branches/view/${id}`,
  company: () => "/branches/profile",
  document: (id) => `/documents/${id}`,
  user: (id) => `/users/view/${id}`,
};

/** The record that an entry is about; what was removed has no page any more. */
function On({ action, entity, entity_id, entity_name }: Entry) {
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
      <small>{capital(entity)}</small>
    </div>
  );
}
