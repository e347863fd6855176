import { type Expression, expressionBuilder, type Kysely, type SelectQueryBuilder, type SqlBool, sql } from "kysely";
import { forceIndex, isPostgres } from "#lib/storage/database/dialect.ts";
import type { DateFilter } from "../contract/partial-dates.ts";
import { fold } from "#lib/text.ts";
import type { Tables } from "./tables.ts";

/** A page of a list; without `page`, the whole list. */
export type Part<Sort extends string = string> = {
  page?: number | undefined;
  per_page: number;
  sort?: Sort | `-${Sort}` | undefined;
  /** Whether the client does without the total. */
  isUncounted?: boolean;
};

/** A column as `table.column`. */
type Column = string;

/** A condition: the column contains the text, in any case. Columns named `…_key` are folded already. */
export function contains(column: Column, text: string): Expression<SqlBool> {
  // The key has the domain as ASCII alone.
  if (column === "users.email_key") return expressionBuilder().or([has(column, text), has("users.email", text)]);
  return has(column, text);
}

function has(column: Column, text: string): Expression<SqlBool> {
  const pattern = `%${fold(text).replace(/[\\%_]/g, "\\$&")}%`;
  const folded = column.endsWith("_key") ? sql.ref(column) : sql`fold(${sql.ref(column)})`;
  return sql<SqlBool>`${folded} like ${pattern} escape '\\'`;
}

/** A condition: one of a table's columns contains a text. */
export const containsIn = (table: string, columns: readonly string[], text: string) =>
  expressionBuilder().or(columns.map((column) => contains(`${table}.${column}`, text)));

/** A condition: a column of dates is in a range, or contains a part with the year or the day first. */
export function isWithinDates(column: Column, filter: DateFilter, orders: ("year" | "day")[]): Expression<SqlBool> {
  const date = sql.ref(column);
  if ("from" in filter) return sql<SqlBool>`(${date} >= ${filter.from} and ${date} <= ${filter.to})`;
  const dayFirst = sql`substr(${date}, 9, 2) || '-' || substr(${date}, 6, 2) || '-' || substr(${date}, 1, 4)`;
  const pattern = `%${filter.part.replace(/[\\%_]/g, "\\$&")}%`;
  const has = orders.map((first) => sql`${first === "year" ? date : dayFirst} like ${pattern} escape '\\'`);
  return sql<SqlBool>`(${sql.join(has, sql` or `)})`;
}

/**
 * A condition: the column is one of the ids, possibly thousands. Passed one by one, a hundred or more make SQLite scan the
 * whole table.
 */
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

/** A table that SQLite reads by an index, for queries that Kysely builds. */
export const byIndex = <Name extends keyof Tables>(db: Kysely<Tables>, table: Name, index: string) =>
  sql<Tables[Name]>`${sql.table(table)}`.as<Name>(forceIndex(db, table, index));

/** A condition for each filter of a query that has a text, on its column. */
export const filters = (query: Record<string, unknown>, columns: Record<string, Column>): Expression<SqlBool>[] =>
  Object.entries(columns).flatMap(([name, column]) => {
    const text = query[name];
    return typeof text === "string" && text !== "" ? [contains(column, text)] : [];
  });

type ReadOptions<Sort extends string> = {
  first: Sort | `-${Sort}`;
  last: Column;
  countedIn?: Kysely<any>;
};

/**
 * Reads a page of a list and its total. `columns` has the column of each sort name, `first` is the default sort, and rows
 * that are equal follow the column `last`, so that none is on two pages. With `countedIn`, counting ends at `countLimit`,
 * for lists that visitors add to; without a count, at the end of the first page.
 */
export async function readList<DB, TB extends keyof DB, Row, Sort extends string>(
  rows: SelectQueryBuilder<DB, TB, Row>,
  { page, per_page, sort, isUncounted }: Part<Sort>,
  columns: NoInfer<Record<Sort, Column>>,
  { first, last, countedIn }: NoInfer<ReadOptions<Sort>>,
): Promise<{ rows: Row[]; total: number; isCapped: boolean }> {
  const order = sort ?? first;
  const direction = order.startsWith("-") ? "desc" : "asc";
  const column = columns[order.replace("-", "") as Sort] ?? last;
  const ordered = rows.orderBy(sql.ref(column), direction).orderBy(sql.ref(last), direction);
  if (page === undefined) {
    const all = await ordered.execute();
    return { rows: all, total: all.length, isCapped: false };
  }
  if (isUncounted && page === 1) {
    const firstRows = await ordered.limit(per_page + 1).execute();
    const pageRows = firstRows.slice(0, per_page);
    return { rows: pageRows, total: pageRows.length, isCapped: firstRows.length > per_page };
  }
  const total = await (countedIn ? countTo(countLimit + 1, rows, countedIn) : countOf(rows));
  const pageRows = await ordered
    .limit(per_page)
    .offset((page - 1) * per_page)
    .execute();
  const isCapped = countedIn !== undefined && total > countLimit;
  return { rows: pageRows, total: isCapped ? countLimit : total, isCapped };
}

async function countOf<DB, TB extends keyof DB, Row>(rows: SelectQueryBuilder<DB, TB, Row>) {
  const counting = rows.clearSelect().select(sql<number>`count(*)`.as("total"));
  return ((await counting.executeTakeFirstOrThrow()) as { total: number }).total;
}

/** The limit of counting (`docs/contract.md`, "Lists"). */
export const countLimit = 10_000;

/** How many rows a query has; counting ends at `limit`. */
export async function countTo<DB, TB extends keyof DB, Row>(
  limit: number,
  rows: SelectQueryBuilder<DB, TB, Row>,
  db: Kysely<any>,
) {
  const counted = rows
    .clearSelect()
    .select(sql`1`.as("one"))
    .limit(limit);
  const result = await sql<{ total: number }>`select count(*) as total from (${counted}) as counted`.execute(db);
  return result.rows[0]!.total;
}
