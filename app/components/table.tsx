import { ArrowDown, ArrowUp } from "lucide-react";
import type { ReactNode } from "react";
import { Link, useSearchParams } from "react-router";
import { TableRows } from "./table-rows.tsx";

export type Column<Row> = {
  label: string;
  cell(row: Row): ReactNode;
  /** The list's sort key; without it, the heading does not sort. */
  sort?: string;
  className?: string;
};

type TableProps<Row> = {
  caption: string;
  /** Undefined if they came with the document (`table-rows.tsx`). */
  rows: Row[] | undefined;
  /** The first column has the row headings. */
  columns: Column<Row>[];
  keyOf(row: Row): string | number;
  className?: string;
  rowClass?(row: Row): string | undefined;
};

/** A table, or a stack of cards on phones. Roles are explicit, because the cards' CSS removes those of a table. */
export function Table<Row>({ caption, rows, columns, keyOf, className = "data reflow", rowClass }: TableProps<Row>) {
  const [first, ...others] = columns;
  return (
    <table className={className} role="table">
      <caption className="sr-only">{caption}</caption>
      <thead role="rowgroup">
        <tr role="row">
          {columns.map((column) => (
            <ColumnHeading key={column.label} {...column} />
          ))}
        </tr>
      </thead>
      <TableRows id={`rows-${caption.replace(/\W+/g, "-")}`}>
        {rows?.map((row) => (
          <tr role="row" key={keyOf(row)} className={rowClass?.(row)}>
            <th scope="row" role="rowheader">
              {first!.cell(row)}
            </th>
            {others.map(({ label, cell, className }) => (
              <td role="cell" key={label} data-label={label} className={className}>
                {cell(row)}
              </td>
            ))}
          </tr>
        ))}
      </TableRows>
    </table>
  );
}

function ColumnHeading({ label, sort, className }: Pick<Column<never>, "label" | "sort" | "className">) {
  const [parameters] = useSearchParams();
  const current = parameters.get("sort");
  if (!sort) {
    return (
      <th scope="col" role="columnheader" className={className}>
        {label}
      </th>
    );
  }
  const isUp = current === sort;
  const isDown = current === `-${sort}`;
  const Arrow = isDown ? ArrowDown : ArrowUp;
  const next = new URLSearchParams(parameters);
  next.set("sort", isUp ? `-${sort}` : sort);
  for (const name of ["page", "after", "before"]) next.delete(name);
  return (
    <th
      scope="col"
      role="columnheader"
      className={className}
      aria-sort={isUp ? "ascending" : isDown ? "descending" : undefined}
    >
      <Link className="sort" to={`?${next}`} preventScrollReset>
        {label}
        <Arrow className={`ico ${isUp || isDown ? "" : "invisible"}`} />
      </Link>
    </th>
  );
}
