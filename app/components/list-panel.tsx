import type { ReactNode } from "react";
import { Link, useLocation } from "react-router";
import { Empty } from "./empty.tsx";
import { type FilterField, Filters } from "./filters.tsx";
import { Loading, useIsLoading } from "./loading.tsx";
import { type Paged, Pagination } from "./pagination.tsx";
import { type Column, Table } from "./table.tsx";

type ListRowsProps<Row> = {
  caption: string;
  part: Paged & { rows: Row[] };
  columns: Column<Row>[];
  /** What to show where there is nothing. */
  none: ReactNode;
};

type ListPanelProps<Row> = ListRowsProps<Row> & {
  filterFields: FilterField[];
  /** What the list is filtered by. */
  filters: Record<string, string>;
  /** Says that the filters leave nothing, in a sentence. */
  noMatch: string;
};

/** A list with its filters and pages. */
export function ListPanel<Row extends { id: number }>(props: ListPanelProps<Row>) {
  const { caption, part, columns, filterFields, filters, noMatch, none } = props;
  const { pathname } = useLocation();
  const isFiltered = Object.keys(filters).length > 0;
  const noneMatches = (
    <Empty message={`${noMatch} Check the spelling or look among all.`}>
      <Link className="btn btn-quiet" to={pathname}>
        Clear the filter
      </Link>
    </Empty>
  );
  return (
    <>
      <Filters
        fields={filterFields}
        sorts={columns.flatMap(({ sort, label }) => (sort ? [{ name: sort, label }] : []))}
      />
      <div className="panel overflow-hidden">
        <ListRows caption={caption} part={part} columns={columns} none={isFiltered ? noneMatches : none} />
      </div>
    </>
  );
}

/** A list's rows and pages, on a panel that has something above them. */
export function ListRows<Row extends { id: number }>({ caption, part, columns, none }: ListRowsProps<Row>) {
  const isLoading = useIsLoading();
  return (
    <section className="relative" aria-label={caption} aria-busy={isLoading}>
      {part.rows.length > 0 ? (
        <>
          <Table caption={caption} rows={part.rows} columns={columns} keyOf={({ id }) => id} />
          <Pagination part={part} />
        </>
      ) : (
        none
      )}
      {isLoading && <Loading />}
    </section>
  );
}

/** What can be done with a row: the name tells screen readers which one. */
export const RowAction = ({ to, verb, name }: { to: string; verb: string; name: string }) => (
  <Link className="row-act" to={to}>
    {verb}
    <span className="sr-only"> {name}</span>
  </Link>
);
