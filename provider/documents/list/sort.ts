import { type SqlBool, sql } from "kysely";
import type { Cursor } from "../../contract/cursors.ts";
import { documentRows } from "../document-queries.ts";
import { byId, isAmong } from "../../db/lists.ts";
import type { Db } from "../../db/tables.ts";
import type { ListPlan } from "./plan.ts";
import { type ColumnSort, type OwnerSort, type SortName, sorts } from "./indexes.ts";

export type Sort = { by: ColumnSort | OwnerSort; isDescending: boolean };

export type ListOrder = SortName | `-${SortName}`;

/** Parses an order such as `-date`. */
export const parseSort = (order: ListOrder): Sort => ({
  by: sorts[order.replace("-", "") as SortName],
  isDescending: order.startsWith("-"),
});

/** Rows of a list: `limit` of them behind a cursor, or behind the first `skip`. */
export type Window = { after?: Cursor | undefined; skip: number; limit: number };

/** A window of `ids`, sorted, as far as these documents meet the plan's whole condition. */
type Sorted = Sort & Window & { ids: number[] };

/** The rows that lists show, each with what it is sorted by. */
export async function sortedRows(db: Db, plan: ListPlan, sorted: Sorted) {
  if (sorted.ids.length === 0) return [];
  const { key, direction } = orderOf(sorted);
  // Names of owners and branches are looked up for the window alone: for a thousand documents PostgreSQL takes 80 ms.
  return documentRows(db)
    .select(key.as("key"))
    .where("documents.id", "in", sortedIds(db, plan, sorted))
    .orderBy(key, direction)
    .orderBy("documents.id", direction)
    .execute();
}

const orderOf = ({ by, isDescending }: Sort) => ({
  key: sql<string>`coalesce(${sql.ref(by.key)}, '')`,
  direction: isDescending ? ("desc" as const) : ("asc" as const),
});

/** The query for the ids of a window. */
export function sortedIds(db: Db, { condition }: ListPlan, sorted: Sorted) {
  const { by, isDescending, ids, after, skip, limit } = sorted;
  const { key, direction } = orderOf(sorted);
  const owner =
    "table" in by
      ? sql`left join ${sql.table(by.table)} on ${sql.ref(`${by.table}.id`)} = ${sql.ref(`documents.${by.id}`)}`
      : sql``;
  const conditions = [isAmong(db, "documents.id", ids), condition];
  const beyond = sql.raw(isDescending ? "<" : ">");
  if (after) conditions.push(sql<SqlBool>`(${key}, documents.id) ${beyond} (${after.key}, ${after.id})`);
  return sql<number>`(select documents.id from ${byId(db, "documents")} ${owner} where ${sql.join(conditions, sql` and `)}
    order by ${key} ${sql.raw(direction)}, documents.id ${sql.raw(direction)} limit ${limit} offset ${skip})`;
}
