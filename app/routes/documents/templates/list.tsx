import { Plus } from "lucide-react";
import { Link } from "react-router";
import { t } from "#lib/messages/staff.ts";
import type { Template } from "#provider/contract/templates.ts";
import type { SortOf } from "#provider/contract/calls.ts";
import { BackLink } from "../../../components/frame/back-link.tsx";
import { Empty } from "../../../components/list/empty.tsx";
import { PageTitle } from "../../../components/frame/page-title.tsx";
import { Pagination } from "../../../components/list/pagination.tsx";
import { RowAction } from "../../../components/list/row-action.tsx";
import { type Column, Table } from "../../../components/list/table.tsx";
import { parseListQuery, readList } from "../../../server/lists/lists.ts";
import { getProvider } from "../../../server/provider/context.ts";
import type { Route } from "./+types/list";
import { HowTo } from "./how-to.tsx";
import { mayManageTemplates, requireTemplates } from "./rights.server.ts";
import { columnsInWords, previewOf } from "./template-words.ts";

const pageSizes = [20, 50, 100];

export async function loader({ context, url }: Route.LoaderArgs) {
  requireTemplates(context);
  const part = await readList(
    getProvider(context),
    "listTemplates",
    parseListQuery(url, "listTemplates", [], pageSizes),
  );
  return { part, mayManage: mayManageTemplates(context) };
}

export default function TemplatesList({ loaderData: { part, mayManage } }: Route.ComponentProps) {
  const add = (
    <Link className="btn btn-primary" to="/documents/templates/new">
      <Plus className="ico" />
      {t("common.addTemplate")}
    </Link>
  );
  return (
    <>
      <PageTitle title={t("common.templates")} />
      <BackLink to="/settings">{t("common.backToSettings")}</BackLink>
      <div className="page-head mt-1">
        <div>
          <h1>{t("common.templates")}</h1>
          <p className="lead">{t("documents.templates.list.whatTemplatesAre")}</p>
        </div>
        {mayManage && part.rows.length > 0 && <div className="page-acts">{add}</div>}
      </div>
      <section className="panel overflow-hidden" aria-label={t("common.templates")}>
        {part.rows.length > 0 ? (
          <>
            <Table
              caption={t("common.templates")}
              rows={part.rows}
              columns={columns(mayManage)}
              keyOf={({ id }) => id}
            />
            {part.total > pageSizes[0]! && <Pagination part={part} />}
          </>
        ) : (
          <Empty
            title={t("documents.templates.list.noTemplatesYet")}
            message={t("documents.templates.list.whatATemplateIs")}
          >
            {mayManage && add}
          </Empty>
        )}
      </section>
      <HowTo />
    </>
  );
}

const columns = (mayManage: boolean): Column<Template, SortOf<"listTemplates">>[] => [
  {
    label: t("common.name"),
    sort: "name",
    cell: (template) => (
      <span className="flex items-center gap-3">
        <img className="template-picture" src={previewOf(template, "small")} alt="" loading="lazy" decoding="async" />
        <a className="main" translate="no" href={`/documents/templates/${template.id}`}>
          {template.name}
        </a>
      </span>
    ),
  },
  { label: t("common.pages"), cell: ({ pages }) => pages },
  { label: t("common.columns"), cell: columnsInWords },
  {
    label: t("common.actions"),
    className: "act",
    cell: ({ id, name }) => (
      <>
        <RowAction to={`/documents/templates/${id}`} verb={t("documents.templates.list.try")} name={name} />
        {mayManage && <RowAction to={`/documents/templates/${id}/edit`} verb={t("common.edit")} name={name} />}
      </>
    ),
  },
];
