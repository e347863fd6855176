import { t } from "#lib/messages/staff.ts";
import type { SortOf } from "#provider/contract/calls.ts";
import { entryInWords } from "../../components/record/audit-words.server.ts";
import { BackLink } from "../../components/frame/back-link.tsx";
import { Empty } from "../../components/list/empty.tsx";
import { entryColumns, type HistoryEntry } from "../../components/record/history-table.tsx";
import { ListPanel } from "../../components/list/list-panel.tsx";
import { PageTitle } from "../../components/frame/page-title.tsx";
import type { Column } from "../../components/list/table.tsx";
import { dateErrors } from "../../server/lists/date-filters.ts";
import { readList } from "../../server/lists/lists.ts";
import { omitRowsFromHydration } from "../../first-paint/omit-rows.ts";
import { getProvider } from "../../server/provider/context.ts";
import type { Route } from "./+types/list";
import { filterFields, parseAuditQuery, recordOf } from "./read-audit.server.ts";

export async function loader({ request, context, url }: Route.LoaderArgs) {
  const { query, timeZone, options } = parseAuditQuery(context, url);
  const part = await readList(getProvider(context), "listAudit", query, options);
  const rows = part.rows.map((entry) => ({ ...entryInWords(entry, timeZone), record: recordOf(entry) }));
  return {
    part: omitRowsFromHydration(request, { ...part, rows }),
    filters: query.filters,
    filterErrors: dateErrors(url),
    filterFields,
  };
}

/** The company's audit trail, for administrators. */
export default function AuditTrail({ loaderData: { part, ...filtering } }: Route.ComponentProps) {
  return (
    <>
      <PageTitle title={t("common.auditTrail")} />
      <BackLink to="/settings">{t("common.backToSettings")}</BackLink>
      <div className="page-head mt-1">
        <h1>{t("common.auditTrail")}</h1>
      </div>
      <ListPanel
        {...filtering}
        caption={t("common.auditTrail")}
        part={part}
        columns={columns}
        exportAt="/audit.csv"
        noMatch={t("audit.list.noMatch")}
        emptyState={<Empty message={t("audit.list.isEmpty")} />}
      />
    </>
  );
}

type Entry = HistoryEntry & { record: ReturnType<typeof recordOf> };

/** With the record, as entries are about several. */
const columns: Column<Entry, SortOf<"listAudit">>[] = [
  ...entryColumns.slice(0, -1),
  { label: t("common.record"), cell: ({ record }) => <On {...record} /> },
  ...entryColumns.slice(-1),
];

const On = ({ name, kind, page }: Entry["record"]) => (
  <div>
    {page ? (
      <a className="main" translate="no" href={page}>
        {name}
      </a>
    ) : (
      name
    )}
    <small>{kind}</small>
  </div>
);
