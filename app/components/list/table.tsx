import { isValidElement, type ReactNode } from "react";
import { t } from "#lib/messages/staff.ts";
import { ColumnHeading } from "./column-heading.tsx";
import { PageUserContext, usePageUser } from "../form/form.tsx";
import { TableRows } from "../../first-paint/table-rows.tsx";

/** The id of the form that the boxes of a list's rows belong to. */
export const selectionForm = "selection";
/** The value of a box that ticks all rows of the page. */
export const onPage = "page";

/** `Sort` has the names that the list can be sorted by, as `SortOf` of its call. */
export type Column<Row, Sort extends string = never> = {
  label: string;
  cell(row: Row): ReactNode;
  sort?: Sort;
  /** In narrow rows `first` leads the second line, `beside` stands beside the name, `wide` and `spare` are left out. */
  className?: string | undefined;
};

/** A column of a list with saved views, which find it by its sort. Only actions have none. */
export type ListColumn<Row, Sort extends string> = Column<Row, Sort> & ({ sort: Sort } | { className: `act${string}` });

type TableProps<Row> = {
  caption: string;
  /** Undefined if the document has them already (`app/first-paint`). */
  rows: Row[] | undefined;
  /** The first column names its row. */
  columns: Column<Row, string>[];
  keyOf(row: Row): string | number;
  className?: string;
  /** The id of the list's filter form, whose entries go with another order. */
  filterForm?: string | undefined;
  /** The name of a row whose box can be ticked (`selection-bar.tsx`). */
  boxLabel?: ((row: Row) => string) | undefined;
  /** A class for highlighted rows. */
  rowClass?(row: Row): string | undefined;
};

/** From so many columns on, a table needs the room of a desk. */
const manyColumns = 6;

/**
 * A table that becomes a stack of cards, or of rows in two lines (`brief`), where its place is narrow. With explicit roles,
 * because those lose a table's own.
 */
export function Table<Row>(props: TableProps<Row>) {
  const { caption, rows, columns, keyOf, className = "data reflow", filterForm, boxLabel, rowClass } = props;
  const pageUser = usePageUser();
  const isWide = columns.length >= manyColumns && !className.includes("matrix");
  return (
    <div className={isWide ? "table-box table-wide" : "table-box"}>
      <table className={className} role="table">
        <caption className="sr-only">{caption}</caption>
        <thead role="rowgroup">
          <tr role="row">
            {boxLabel && (
              <th scope="col" role="columnheader" className="pick">
                <span className="sr-only">{t("components.table.select")}</span>
                <input
                  className="checkbox checkbox-primary scripted"
                  type="checkbox"
                  form={selectionForm}
                  value={onPage}
                  aria-label={t("components.selectionBar.allOnThisPage")}
                />
              </th>
            )}
            {columns.map((column) => (
              <ColumnHeading key={column.label} {...column} filterForm={filterForm} />
            ))}
          </tr>
        </thead>
        <TableRows id={`rows-${caption.replaceAll(/[^\p{L}\p{N}]+/gu, "-")}`}>
          {rows && (
            // Drawn apart from the page (`app/first-paint`), with forms of their own.
            <PageUserContext value={pageUser}>
              {rows.map((row) => (
                <tr role="row" key={keyOf(row)} className={rowClass?.(row)}>
                  {boxLabel && <RowBox value={keyOf(row)} label={boxLabel(row)} />}
                  {columns.map(({ label, cell, className = "" }, n) => {
                    const content = cell(row);
                    const classes = hasLongWord(content) ? className : `${className} whole`;
                    return n === 0 ? (
                      <th key={label} scope="row" role="rowheader" className={classes}>
                        {content}
                      </th>
                    ) : (
                      <td key={label} role="cell" data-label={label} className={classes}>
                        {content}
                      </td>
                    );
                  })}
                </tr>
              ))}
            </PageUserContext>
          )}
        </TableRows>
      </table>
    </div>
  );
}

/** A box that belongs to the list's form, wherever the row is drawn. */
const RowBox = ({ value, label }: { value: string | number; label: string }) => (
  <td role="cell" className="pick">
    <input
      className="checkbox checkbox-primary"
      type="checkbox"
      form={selectionForm}
      name="id"
      value={value}
      aria-label={t("components.table.selectLabel", { label })}
    />
  </td>
);

/** Whether a cell may have a long word, which wide screens must break. What a component draws is not known here. */
function hasLongWord(content: ReactNode): boolean {
  if (Array.isArray(content)) return content.some(hasLongWord);
  if (!isValidElement<{ children?: ReactNode }>(content)) return /[^\s-]{21}/.test(String(content ?? ""));
  return typeof content.type === "function" || hasLongWord(content.props.children);
}
