import { type Expression, type SelectQueryBuilder, type SqlBool, sql } from "kysely";
import { fold } from "#storage/database.ts";

/** Which part of a list is asked for: without `page` the whole. */
export type Part = { page?: number | undefined; per_page: number; sort?: string | undefined };

/** A column as `table.column`. */
type Column = string;

/** A condition: the column holds the text somewhere, whatever the case. Columns named `…_key` are folded already. */
export function contains(column: Column, text: string): Expression<SqlBool> {
  const pattern = `%${fold(text).replace(/[\\%_]/g, "\\$&")}%`;
  const folded = column.endsWith("_key") ? sql.ref(column) : sql`fold(${sql.ref(column)})`;
  return sql<SqlBool>`${folded} like ${pattern} escape '\\'`;
}

/** Conditions for the filters that are given, each on its column. */
export const filters = (given: Record<string, unknown>, columns: Record<string, Column>): Expression<SqlBool>[] =>
  Object.entries(columns).flatMap(([name, column]) => {
    const text = given[name];
    return typeof text === "string" && text !== "" ? [contains(column, text)] : [];
  });

/**
 * Reads a part of a list and how many rows there are in all. `columns` gives the column for each name that the list
 * can be sorted by; rows that are equal there follow `last`, so that no row is on two pages.
 */
export async function readPart<DB, TB extends keyof DB, Row>(
  rows: SelectQueryBuilder<DB, TB, Row>,
  { page, per_page, sort }: Part,
  columns: Record<string, Column>,
  { first, last }: { first: string; last: Column },
): Promise<{ rows: Row[]; total: number }> {
  const order = sort ?? first;
  const direction = order.startsWith("-") ? "desc" : "asc";
  const column = columns[order.replace("-", "")] ?? last;
  const ordered = rows.orderBy(sql.ref(column), direction).orderBy(sql.ref(last), direction);
  if (page === undefined) {
    const all = await ordered.execute();
    return { rows: all, total: all.length };
  }
  const counted = await rows
    .clearSelect()
    .select(sql<number>`count(*)`.as("total"))
    .executeTakeFirstOrThrow();
  const part = await ordered
    .limit(per_page)
    .offset((page - 1) * per_page)
    .execute();
  return { rows: part, total: (counted as { total: number }).total };
}
