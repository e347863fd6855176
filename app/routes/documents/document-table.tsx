import type { ReactNode } from "react";
import { Link, useLocation, useNavigation } from "react-router";
import { Empty } from "../../components/empty.tsx";
import { Filters } from "../../components/filters.tsx";
import { showDate } from "../../components/format.ts";
import { Pagination } from "../../components/pagination.tsx";
import { Table } from "../../components/table.tsx";
import type { readDocuments } from "./read-documents.ts";

type Row = {
  id: number;
  name: string;
  branch: string;
  user: string;
  category: string;
  date: string;
  number: string;
  status?: string;
};

type DocumentTableProps = Awaited<ReturnType<typeof readDocuments>> & {
  caption: string;
  mayEdit: boolean;
  /** What to show where there is no document at all. */
  none: ReactNode;
};

/** Documents with their filters and pages, in the list and in the archive. */
export function DocumentTable({ part, branches, filters, caption, mayEdit, none }: DocumentTableProps) {
  const { pathname } = useLocation();
  const navigation = useNavigation();
  const isLoading = navigation.state === "loading" && navigation.location.pathname === pathname;
  const isFiltered = Object.keys(filters).length > 0;
  return (
    <>
      <Filters
        fields={[
          { name: "name", label: "Name" },
          { name: "email", label: "Email" },
          { name: "date", label: "Date", isDate: true },
          { name: "branch", label: "Branch", all: "All branches", choices: branches },
        ]}
        sorts={columns(mayEdit).flatMap(({ sort, label }) => (sort ? [{ name: sort, label }] : []))}
      />
      <section className="panel relative overflow-hidden" aria-label={caption} aria-busy={isLoading}>
        {part.rows.length > 0 ? (
          <>
            <Table caption={caption} rows={part.rows as Row[]} columns={columns(mayEdit)} keyOf={({ id }) => id} />
            <Pagination part={part} />
          </>
        ) : isFiltered ? (
          <Empty message={`No document ${inWords(filters)}. Check the spelling or look among all.`}>
            <Link className="btn btn-quiet" to={pathname}>
              Clear the filter
            </Link>
          </Empty>
        ) : (
          none
        )}
        {isLoading && (
          <p className="list-loading" role="status">
            Loading …
          </p>
        )}
      </section>
    </>
  );
}

const columns = (mayEdit: boolean) => [
  {
    label: "Document",
    sort: "name",
    cell: ({ id, name }: Row) => (
      <Link className="main" to={`/documents/${id}`}>
        {name}
      </Link>
    ),
  },
  {
    label: "Branch",
    sort: "branch",
    cell: ({ branch }: Row) => <span className="lg:whitespace-nowrap">{branch}</span>,
  },
  { label: "User", sort: "user", cell: ({ user }: Row) => <span className="lg:whitespace-nowrap">{user}</span> },
  { label: "Category", sort: "category", cell: ({ category }: Row) => category },
  { label: "Date", sort: "date", cell: ({ date }: Row) => <span className="whitespace-nowrap">{showDate(date)}</span> },
  { label: "Number", sort: "number", cell: ({ number }: Row) => <NumberCode number={number} /> },
  {
    label: "Action",
    className: "act",
    cell: ({ id, name, status }: Row) => (
      <>
        <RowAction to={`/documents/${id}`} verb="View" name={name} />
        {mayEdit && status && <RowAction to={`/documents/edit/${id}`} verb="Edit" name={name} />}
      </>
    ),
  },
];

/** A number of the usual length stays in one line. */
const NumberCode = ({ number }: { number: string }) => (
  <span className={number.length <= 16 ? "code whitespace-nowrap" : "code"}>{number}</span>
);

const RowAction = ({ to, verb, name }: { to: string; verb: string; name: string }) => (
  <Link className="row-act" to={to}>
    {verb}
    <span className="sr-only"> {name}</span>
  </Link>
);

/** `has “leese” in its name and is at Lancaster` */
function inWords({ name, email, date, branch }: Record<string, string>) {
  const parts = [
    name && `has “${name}” in its name`,
    email && `has “${email}” in its user’s email`,
    date && `is dated ${showDate(date)}`,
    branch && `is at ${branch}`,
  ].filter(Boolean);
  return parts.join(" and ");
}
