import { ChevronLeft, ChevronRight } from "lucide-react";
import type { ReactNode } from "react";
import { Link, useSearchParams } from "react-router";
import { t } from "#lib/messages/staff.ts";
import { showNumber } from "../text/format.ts";

export type Paged = {
  /** How many rows this page has. */
  shown: number;
  total: number;
  isCapped: boolean;
  /** Cursors of the neighbouring pages, if the provider has them. */
  next?: string | undefined;
  previous?: string | undefined;
  page: number;
  perPage: number;
  sizes: readonly number[];
};

/** Addresses of other pages of the list, with its filters. */
function usePages() {
  const [parameters] = useSearchParams();
  return (change: Record<string, number | string | undefined>) => {
    const changed = new URLSearchParams(parameters);
    for (const name of ["after", "before"]) changed.delete(name);
    for (const [name, value] of Object.entries(change)) if (value !== undefined) changed.set(name, String(value));
    if ("per_page" in change) changed.delete("page");
    return `?${changed}`;
  };
}

type PaginationProps = {
  part: Paged;
  /** The id of the list's filter form, whose entries go with another number of rows. */
  filterForm?: string | undefined;
  children?: ReactNode;
};

/** The rows of this page among all, as `1 - 5 of 128`. */
export function placeOf({ shown, total, isCapped, page, perPage }: Omit<Paged, "sizes">) {
  const first = (page - 1) * perPage + 1;
  return { first, last: first + shown - 1, count: showNumber(total) + (isCapped ? "+" : "") };
}

/** “Rows per page”, “1 - 5 of 128”, Previous and Next (`docs/specification.md` section 2); between them actions on all rows. */
export function Pagination({ part, filterForm, children }: PaginationProps) {
  const to = usePages();
  const { shown, total, isCapped, next, previous, page, perPage, sizes } = part;
  const last = (page - 1) * perPage + shown;
  // A provider that has cursors sends none for a next page only if there is none.
  const isNext = next !== undefined || (previous === undefined && (last < total || (isCapped && shown === perPage)));
  return (
    <nav className="pager" aria-label={t("components.pagination.pages")}>
      <p className="pager-rows" role="group" aria-label={t("components.pagination.rowsPerPage")}>
        <span>{t("components.pagination.rowsPerPage")}</span>
        {sizes.map((size) =>
          size === perPage ? (
            <b key={size} aria-current="true">
              {size}
            </b>
          ) : filterForm ? (
            <button key={size} type="submit" form={filterForm} name="per_page" value={size}>
              {size}
            </button>
          ) : (
            <Link key={size} to={to({ per_page: size })} preventScrollReset>
              {size}
            </Link>
          ),
        )}
      </p>
      {children}
      <div className="pager-move">
        <span className="pos sm:mr-2">{t("components.pagination.place", placeOf(part))}</span>
        <Move to={page > 1 ? to({ page: page - 1, before: page > 2 ? previous : undefined }) : undefined} rel="prev">
          <ChevronLeft className="ico" />
          {t("components.pagination.previous")}
        </Move>
        <Move to={isNext ? to({ page: page + 1, after: next }) : undefined} rel="next">
          {t("common.next")}
          <ChevronRight className="ico" />
        </Move>
      </div>
    </nav>
  );
}

/** A link, disabled at the ends of the list. */
function Move({ to, rel, children }: { to: string | undefined; rel: string; children: ReactNode }) {
  return to ? (
    <Link className="btn btn-quiet" to={to} rel={rel} preventScrollReset>
      {children}
    </Link>
  ) : (
    <span className="btn btn-off" role="link" aria-disabled="true">
      {children}
    </span>
  );
}
