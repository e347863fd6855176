import type { ReactNode } from "react";
import { t } from "#lib/messages/staff.ts";
import type { SortOf } from "#provider/contract/calls.ts";
import { EndedChip } from "../../../components/scan/state-chip.tsx";
import { showDate } from "../../../components/text/format.ts";
import { ListPanel } from "../../../components/list/list-panel.tsx";
import { RowAction } from "../../../components/list/row-action.tsx";
import type { ListColumn } from "../../../components/list/table.tsx";
import { chosenColumns } from "../../../components/list/view-columns.ts";
import type { ListViews } from "../../../server/lists/views.ts";
import type { Selection } from "../../../components/list/selection-lists.ts";
import { mailFilters, stateFilters } from "./state-filters.ts";
import type { readDocuments } from "./read-documents.server.ts";

type DocumentsRead = Awaited<ReturnType<typeof readDocuments>>;
type ListedDocument = DocumentsRead["part"]["rows"][number];

type DocumentTableProps = Omit<DocumentsRead, "part" | "viewed" | "matching"> & {
  viewed: ListViews;
  selection: Selection | undefined;
  part: Omit<DocumentsRead["part"], "rows"> & { rows?: ListedDocument[] };
  caption: string;
  exportAt: string;
  mayEdit: boolean;
  emptyState: ReactNode;
};

/** Documents with their filters and pages, in the list and in the archive. */
export const DocumentTable = ({
  branches,
  filtersByState,
  filtersByMail,
  isExpiring,
  mayEdit,
  viewed,
  ...panel
}: DocumentTableProps) => (
  <ListPanel
    {...panel}
    viewed={viewed}
    columns={chosenColumns("documents", columns(mayEdit, isExpiring), viewed.open?.columns)}
    boxLabel={({ name, number }) => `${name} ${number}`}
    isBrief
    filterFields={[
      { name: "name", label: t("common.name") },
      { name: "number", label: t("common.number") },
      { name: "email", label: t("common.email") },
      { name: "date", label: t("common.date"), isDate: true },
      {
        name: "branch",
        label: t("common.branch"),
        all: t("common.allBranches"),
        choices: branches,
      },
      { name: "date_from", label: t("common.dateFrom"), isDate: true, isFolded: true },
      { name: "date_to", label: t("common.dateTo"), isDate: true, isFolded: true },
      { name: "expires", label: t("documents.documentTable.expiresOn"), isDate: true, isFolded: true },
      ...(filtersByState
        ? [{ name: "status", label: t("common.status"), all: t("common.all"), choices: stateFilters, isFolded: true }]
        : []),
      ...(filtersByMail
        ? [{ name: "mail", label: mailLabel, all: t("common.all"), choices: mailFilters, isFolded: true }]
        : []),
    ]}
    noMatch={t("documents.documentTable.noDocument", { conditions: describeFilters(panel.filters) })}
  />
);

const mailLabel = t("documents.mailFilters.label");

const columns = (mayEdit: boolean, showsExpiry: boolean): ListColumn<ListedDocument, SortOf<"listDocuments">>[] => [
  {
    label: t("common.document"),
    sort: "name",
    cell: ({ id, name, validity, expire_date }) => (
      <>
        <a className="main" translate="no" href={`/documents/${id}`}>
          {name}
        </a>{" "}
        <EndedChip validity={validity} />
        {showsExpiry && <small>{t("documents.documentTable.expires", { date: showDate(expire_date) })}</small>}
      </>
    ),
  },
  { label: t("common.branch"), sort: "branch", cell: ({ branch }) => oneLineIfShort(branch) },
  { label: t("common.user"), sort: "user", className: "wide", cell: ({ user }) => oneLineIfShort(user) },
  { label: t("common.category"), sort: "category", className: "wide", cell: ({ category }) => category },
  {
    label: t("common.date"),
    sort: "date",
    cell: ({ date }) => <span className="whitespace-nowrap">{showDate(date)}</span>,
  },
  {
    label: t("common.number"),
    sort: "number",
    className: "first",
    cell: ({ number }) => <NumberCode number={number} />,
  },
  {
    label: t("common.action"),
    className: "act spare",
    cell: ({ id, name, status }) => (
      <>
        <RowAction to={`/documents/${id}`} verb={t("common.view")} name={name} />
        {mayEdit && status && <RowAction to={`/documents/edit/${id}`} verb={t("common.edit")} name={name} />}
      </>
    ),
  },
];

/** On wide screens a name of the usual length stays in one line. */
const oneLineIfShort = (name: string) =>
  name && <span className={name.length <= 24 ? "lg:whitespace-nowrap" : ""}>{name}</span>;

/** A number of the usual length stays in one line. */
const NumberCode = ({ number }: { number: string }) => (
  <span className={number.length <= 16 ? "code whitespace-nowrap" : "code"}>{number}</span>
);

/** `has “leese” in its name and is at Lancaster` */
function describeFilters(filters: Record<string, string>) {
  const { name, number, email, date, date_from, date_to, expires, branch, status, mail } = filters;
  const parts = [
    name && t("documents.documentTable.hasInName", { name }),
    number && t("documents.documentTable.hasInNumber", { number }),
    email && t("documents.documentTable.hasInEmail", { email }),
    date && t("documents.documentTable.isDated", { date: showDate(date) }),
    date_from && t("documents.documentTable.isDatedFrom", { date: showDate(date_from) }),
    date_to && t("documents.documentTable.isDatedUntil", { date: showDate(date_to) }),
    expires && t("documents.documentTable.expiresOnDate", { date: showDate(expires) }),
    branch && t("documents.documentTable.isAtBranch", { branch }),
    status && stateFilters.find(({ value }) => value === status)?.condition,
    mail && mailFilters.find(({ value }) => value === mail)?.condition,
  ].filter((part): part is string => Boolean(part));
  if (parts.length === 0) return "";
  return parts.reduce((first, second) => t("documents.documentTable.conditionsAnd", { first, second }));
}
