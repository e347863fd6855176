import { Plus } from "lucide-react";
import { Link } from "react-router";
import { t } from "#lib/messages/staff.ts";
import type { BulkIssue } from "#provider/contract/bulk-issues.ts";
import { Empty } from "../../../components/list/empty.tsx";
import { showInstant } from "../../../components/text/format.ts";
import { ListRows } from "../../../components/list/list-panel.tsx";
import { PageTitle } from "../../../components/frame/page-title.tsx";
import type { Column } from "../../../components/list/table.tsx";
import { parseListQuery, readList } from "../../../server/lists/lists.ts";
import { getProvider } from "../../../server/provider/context.ts";
import { getUser, timeZoneOf } from "../../../server/sessions/current-user.ts";
import type { Route } from "./+types/list";
import { requireBulk } from "./bulk.server.ts";
import { bulkStateWords } from "./steps.ts";

/** Bulk issues, to go on with or to look at. */
export async function loader({ context, url }: Route.LoaderArgs) {
  requireBulk(context);
  const part = await readList(
    getProvider(context),
    "listBulkIssues",
    parseListQuery(url, "listBulkIssues", [], [10, 25, 50]),
  );
  return { part, timeZone: timeZoneOf(getUser(context)) };
}

export default function BulkList({ loaderData: { part, timeZone } }: Route.ComponentProps) {
  const begin = (look: string) => (
    <Link className={`btn ${look}`} to="/documents/bulk/new">
      <Plus className="ico" />
      {t("common.issueMany")}
    </Link>
  );
  return (
    <>
      <PageTitle title={t("common.issueManyDocuments")} />
      <div className="page-head">
        <div>
          <h1>{t("common.issueManyDocuments")}</h1>
          <p className="lead">{t("documents.bulk.list.eachRowBecomesADocument")}</p>
        </div>
        <div className="page-acts">{begin("btn-primary")}</div>
      </div>
      <div className="panel overflow-hidden">
        <ListRows
          caption={t("documents.bulk.list.bulkIssues")}
          part={part}
          columns={columns(timeZone)}
          emptyState={<Empty message={t("documents.bulk.list.noneYet")}>{begin("btn-quiet")}</Empty>}
        />
      </div>
    </>
  );
}

const columns = (timeZone: string): Column<BulkIssue>[] => [
  {
    label: t("documents.bulk.list.bulkIssue"),
    cell: ({ id, document_type, document_subtype }) => (
      <a className="main" translate="no" href={`/documents/bulk/${id}`}>
        {t("documents.bulk.list.issueOfType", { id, type: document_type, subtype: document_subtype })}
      </a>
    ),
  },
  { label: t("documents.bulk.list.table"), cell: ({ table_name }) => table_name || "–" },
  { label: t("common.state"), cell: ({ state }) => bulkStateWords[state] },
  {
    label: t("common.issued"),
    cell: ({ issued, awaiting_release, rows }) =>
      t("documents.bulk.list.issuedOfRows", { issued: issued - awaiting_release, rows }),
  },
  { label: t("common.by"), cell: ({ user }) => user },
  { label: t("common.begun"), cell: ({ created_at }) => showInstant(created_at, timeZone) },
];
