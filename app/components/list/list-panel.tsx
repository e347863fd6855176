import type { ReactNode } from "react";
import { Link, useLocation, useSearchParams } from "react-router";
import { t } from "#lib/messages/staff.ts";
import { Empty } from "./empty.tsx";
import { ExportLink } from "./export-link.tsx";
import type { FilterField } from "./filter-control.tsx";
import { filterForm, Filters } from "./filters.tsx";
import { Loading, useIsLoading } from "../frame/loading.tsx";
import { type Paged, Pagination, placeOf } from "./pagination.tsx";
import { SelectionBar } from "./selection-bar.tsx";
import type { Selection } from "./selection-lists.ts";
import { type Column, Table } from "./table.tsx";
import { ViewBar, type ViewBarProps } from "./view-bar.tsx";

type ListRowsProps<Row> = {
  caption: string;
  part: Paged & { rows?: Row[]; isPartial?: boolean };
  columns: Column<Row, string>[];
  /** Shown in place of an empty list. */
  emptyState: ReactNode;
  /** The address of the filtered list as a CSV file. */
  exportAt?: string;
  /** What can be done to ticked rows, and how a row is called there. */
  selection?: Selection | undefined;
  boxLabel?: (row: Row) => string;
  /** The id of its filter form. */
  filterForm?: string;
  /** Whether narrow rows have two lines, in place of a line for each cell. */
  isBrief?: boolean;
};

type ListPanelProps<Row> = ListRowsProps<Row> & {
  filterFields: FilterField[];
  /** What the list is filtered by, and what is wrong with it. */
  filters: Record<string, string>;
  /** Messages for filters that can't be used, by field name. */
  filterErrors?: Record<string, string>;
  /** Says that the filters leave nothing, in a sentence. */
  noMatch: string;
  /** Other parameters of the address, which filtering keeps. */
  preserve?: Record<string, string> | undefined;
  /** Where Clear leads, if not to the page's path alone. */
  resetTo?: string | undefined;
  /** Its saved views, if it has any. */
  viewed?: ViewBarProps | undefined;
  /** On the button that filters. */
  submitLabel?: string;
  /** What stands between the filters and the rows. */
  children?: ReactNode;
};

/** A list with its filters and pages. */
export function ListPanel<Row extends { id: number }>(props: ListPanelProps<Row>) {
  const { filterFields, filterErrors, filters, noMatch, emptyState, preserve, ...others } = props;
  const { resetTo, submitLabel, viewed, children, ...rows } = others;
  const { pathname } = useLocation();
  const [parameters] = useSearchParams();
  const view = viewed?.open ? String(viewed.open.id) : parameters.get("view") && "all";
  // A default view would filter the list again.
  const all = resetTo ?? (viewed && viewed.views.length > 0 ? `${pathname}?view=all` : pathname);
  const isFiltered = Object.keys(filters).length > 0;
  const noMatchState = (
    <Empty message={`${noMatch} ${t("components.listPanel.noMatchHint")}`}>
      <Link className="btn btn-quiet" to={all} data-discard>
        {t("components.listPanel.clearTheFilters")}
      </Link>
    </Empty>
  );
  return (
    <>
      {viewed && <ViewBar {...viewed} />}
      <Filters
        fields={filterFields}
        errors={filterErrors}
        preserve={{ ...preserve, ...(viewed && view && { view }) }}
        resetTo={all}
        submitLabel={submitLabel}
        saveAt={viewed?.isOffered ? viewed.list : undefined}
        sorts={rows.columns.flatMap(({ sort, label }) => (sort ? [{ name: sort, label }] : []))}
      />
      {children}
      {rows.part.isPartial && <p className="mb-4 text-sm text-muted">{searchedNewest}</p>}
      <div className="panel overflow-clip">
        <ListRows {...rows} filterForm={filterForm} emptyState={isFiltered ? noMatchState : emptyState} />
      </div>
    </>
  );
}

/** Short texts are searched among the newest rows only. */
const searchedNewest = t("components.listPanel.isPartial");

/** A list's rows and pages, on a panel with something above them. */
export function ListRows<Row extends { id: number }>(props: ListRowsProps<Row>) {
  const { caption, part, columns, emptyState, exportAt, selection, boxLabel, filterForm, isBrief } = props;
  const isLoading = useIsLoading();
  const result = useListResult({ caption, part, columns });
  return (
    <section className="list relative" aria-label={caption} aria-busy={isLoading} data-result={result}>
      {part.shown > 0 ? (
        <>
          <Table
            className={isBrief ? "data reflow brief" : undefined}
            caption={caption}
            rows={part.rows}
            columns={columns}
            keyOf={({ id }) => id}
            filterForm={filterForm}
            boxLabel={selection && boxLabel}
          />
          {selection && <SelectionBar selection={selection} part={part} />}
          <Pagination part={part} filterForm={filterForm}>
            {exportAt && <ExportLink to={exportAt} />}
          </Pagination>
        </>
      ) : (
        emptyState
      )}
      {isLoading && <Loading />}
    </section>
  );
}

type ResultProps = { caption: string; part: Paged; columns?: { label: string; sort?: string }[] };

/** What a list shows, for screen readers, which hear it after filtering, sorting and paging (`announcer.tsx`). */
export function useListResult({ caption, part, columns = [] }: ResultProps): string {
  const sort = useSearchParams()[0].get("sort") ?? "";
  const column = columns.find((one) => one.sort === sort.replace(/^-/, ""))?.label;
  if (part.shown === 0) return t("components.listPanel.nothingFound", { caption });
  const result = t("components.listPanel.shown", { caption, ...placeOf(part) });
  return column
    ? t("components.listPanel.shownSorted", { result, column, order: sort.startsWith("-") ? "down" : "up" })
    : result;
}
