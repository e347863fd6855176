import { type Expression, type Kysely, type SelectQueryBuilder, type SqlBool, sql } from "kysely";
import { isPostgres } from "#storage/dialect.ts";
import { fold } from "#storage/text.ts";

/** Which part of a list is asked for: without `page` the whole. */
export type Part = {
  page?: number | undefined;
  per_page: number;
  sort?: string | undefined;
  /** Whether nobody wants to know how many rows there are in all. */
  isUncounted?: boolean;
};

/** A column as `table.column`. */
type Column = string;

/** A condition: the column holds the text somewhere, whatever the case. Columns named `…_key` are folded already. */
export function contains(column: Column, text: string): Expression<SqlBool> {
  const pattern = `%${fold(text).replace(/[\\%_]/g, "\\$&")}%`;
  const folded = column.endsWith("_key") ? sql.ref(column) : sql`fold(${sql.ref(column)})`;
  return sql<SqlBool>`${folded} like ${pattern} escape '\\'`;
}

/** A condition: the column holds one of the ids, however many there are. */
export const isAmong = (db: Kysely<any>, column: Column, ids: number[]): Expression<SqlBool> =>
  isPostgres(db)
    ? sql<SqlBool>`${sql.ref(column)} = any(${ids})`
    : sql<SqlBool>`${sql.ref(column)} in (select value from json_each(${JSON.stringify(ids)}))`;

/**
 * A table whose rows are looked up by id. Without statistics SQLite reads a whole company by another index instead: 53 ms
 * of a million documents.
 */
export const byId = (db: Kysely<any>, table: string) =>
  isPostgres(db) ? sql.table(table) : sql`${sql.table(table)} not indexed`;

/** Conditions for the filters that are given, each on its column. */
export const filters = (given: Record<string, unknown>, columns: Record<string, Column>): Expression<SqlBool>[] =>
  Object.entries(columns).flatMap(([name, column]) => {
    const text = given[name];
    return typeof text === "string" && text !== "" ? [contains(column, text)] : [];
  });

/**
 * Reads a part of a list and how many rows there are in all. `columns` gives the column for each name that the list
 * can be sorted by; rows that are equal there follow `last`, so that no row is on two pages. With `countedIn` counting ends at
 * ten thousand, for lists that strangers add to; uncounted, with the first part.
 */
export async function readPart<DB, TB extends keyof DB, Row>(
  rows: SelectQueryBuilder<DB, TB, Row>,
  { page, per_page, sort, isUncounted }: Part,
  columns: Record<string, Column>,
  { first, last, countedIn }: { first: string; last: Column; countedIn?: Kysely<any> },
): Promise<{ rows: Row[]; total: number; isCapped: boolean }> {
  const order = sort ?? first;
  const direction = order.startsWith("-") ? "desc" : "asc";
  const column = columns[order.replace("-", "")] ?? last;
  const ordered = rows.orderBy(sql.ref(column), direction).orderBy(sql.ref(last), direction);
  if (page === undefined) {
    const all = await ordered.execute();
    return { rows: all, total: all.length, isCapped: false };
  }
  if (isUncounted && page === 1) {
    const found = await ordered.limit(per_page + 1).execute();
    const shown = found.slice(0, per_page);
    return { rows: shown, total: shown.length, isCapped: found.length > per_page };
  }
  const total = await (countedIn ? countTo(mostCounted + 1, rows, countedIn) : countOf(rows));
  const part = await ordered
    .limit(per_page)
    .offset((page - 1) * per_page)
    .execute();
  const isCapped = countedIn !== undefined && total > mostCounted;
  return { rows: part, total: isCapped ? mostCounted : total, isCapped };
}

async function countOf<DB, TB extends keyof DB, Row>(rows: SelectQueryBuilder<DB, TB, Row>) {
  const counting = rows.clearSelect().select(sql<number>`count(*)`.as("total"));
  return ((await counting.executeTakeFirstOrThrow()) as { total: number }).total;
}

/** Where counting ends (`docs/contract.md`, "Lists"); of documents that have a text, earlier. */
export const mostCounted = 10_000;

async function countTo<DB, TB extends keyof DB, Row>(
  most: number,
  rows: SelectQueryBuilder<DB, TB, Row>,
  db: Kysely<unknown>,
) {
  const found = rows
    .clearSelect()
    .select(sql`1`.as("one"))
    .limit(most);
  const counted = await sql<{ total: number }>`select count(*) as total from (${found}) as found`.execute(db);
  return counted.rows[0]!.total;
}
