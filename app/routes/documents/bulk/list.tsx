import { Plus } from "lucide-react";
import { Link } from "react-router";
import type { BulkIssue } from "#provider/contract/bulk-issues.ts";
import { Empty } from "../../../components/empty.tsx";
import { showInstant } from "../../../components/format.ts";
import { ListRows } from "../../../components/list-panel.tsx";
import { PageTitle } from "../../../components/page-title.tsx";
import type { Column } from "../../../components/table.tsx";
import { parseListQuery, readList } from "../../../server/lists/lists.ts";
import { getProvider } from "../../../server/provider/context.ts";
import { getUser, timeZoneOf } from "../../../server/sessions/current-user.ts";
import type { Route } from "./+types/list";
import { requireBulk } from "./bulk.server.ts";
import { bulkStateWords } from "./steps.ts";

/** Bulk issues, to go on with or to look at. */
export async function loader({ context, url }: Route.LoaderArgs) {
  requireBulk(context);
  const part = await readList(getProvider(context), "listBulkIssues", parseListQuery(url, [], [], [10, 25, 50]));
  return { part, timeZone: timeZoneOf(getUser(context)) };
}

export default function BulkList({ loaderData: { part, timeZone } }: Route.ComponentProps) {
  const begin = (
    <Link className="btn btn-primary" to="/documents/bulk/new">
      <Plus className="ico" />
      Issue many
    </Link>
  );
  return (
    <>
      <PageTitle title="Issue many documents" />
      <div className="page-head">
        <div>
          <h1>Issue many documents</h1>
          <p className="lead">
            Each row of a table becomes a document, from a template or a ZIP of page files. Kept for 30 days after the
            last change.
          </p>
        </div>
        <div className="page-acts">{begin}</div>
      </div>
      <div className="panel overflow-hidden">
        <ListRows
          caption="Bulk issues"
          part={part}
          columns={columns(timeZone)}
          emptyState={<Empty message="There are no bulk issues yet.">{begin}</Empty>}
        />
      </div>
    </>
  );
}

const columns = (timeZone: string): Column<BulkIssue>[] => [
  {
    label: "Bulk issue",
    cell: ({ id, document_type, document_subtype }) => (
      <a className="main" href={`/documents/bulk/${id}`}>
        {id}: {document_type}, {document_subtype}
      </a>
    ),
  },
  { label: "Table", cell: ({ table_name }) => table_name || "–" },
  { label: "State", cell: ({ state }) => bulkStateWords[state] },
  { label: "Issued", cell: ({ issued, rows }) => `${issued} of ${rows}` },
  { label: "By", cell: ({ user }) => user },
  { label: "Begun", cell: ({ created_at }) => showInstant(created_at, timeZone) },
];
