import { type Kysely, sql } from "kysely";
import type { Cursor } from "../../contract/cursors.ts";
import { documentRows } from "../documents.ts";
import { isAmong } from "../lists.ts";
import type { Tables } from "../tables.ts";
import type { ListPlan } from "./plan.ts";
import type { Order } from "./range-scan.ts";

type Db = Kysely<Tables>;

/** By a column that has an index. */
export type ColumnSort = { key: string; column: Order["column"] };
/** By the name of the branch or user that documents belong to. */
export type OwnerSort = { key: string; table: "branches" | "users"; id: "branch_id" | "owner_id" };

const sorts = {
  name: { key: "documents.name_key", column: "name_key" },
  number: { key: "documents.number_key", column: "number_key" },
  category: { key: "documents.document_type", column: "document_type" },
  date: { key: "documents.date", column: "date" },
  // Documents without a branch come before all branches.
  branch: { key: "branches.name_key", table: "branches", id: "branch_id" },
  user: { key: "users.name_key", table: "users", id: "owner_id" },
} satisfies Record<string, ColumnSort | OwnerSort>;

export type Sort = { by: ColumnSort | OwnerSort; isDescending: boolean };

/** Parses an order such as `-date`. */
export const parseSort = (order: string): Sort => ({
  by: sorts[order.replace("-", "") as keyof typeof sorts],
  isDescending: order.startsWith("-"),
});

/** Rows of a list behind a cursor. */
export type Window = { after?: Cursor | undefined; skip: number; limit: number };

/** Sorts the documents of `ids` that meet the plan's whole condition, and gives a window of them with their cursors. */
export async function sortedRows(db: Db, { condition }: ListPlan, ids: number[], sort: Sort, window: Window) {
  if (ids.length === 0) return [];
  const { by, isDescending } = sort;
  const { after, skip, limit } = window;
  const direction = isDescending ? "desc" : "asc";
  const key = sql<string>`coalesce(${sql.ref(by.key)}, '')`;
  const beyond = sql.raw(isDescending ? "<" : ">");
  const wanted = db
    .selectFrom("documents")
    .$if("table" in by, (rows) =>
      rows
        .leftJoin("branches", "branches.id", "documents.branch_id")
        .leftJoin("users", "users.id", "documents.owner_id"),
    )
    .select("documents.id")
    .where(isAmong(db, "documents.id", ids))
    .where(condition)
    .$if(after !== undefined, (rows) =>
      rows.where(sql<boolean>`(${key}, documents.id) ${beyond} (${after!.key}, ${after!.id})`),
    )
    .orderBy(key, direction)
    .orderBy("documents.id", direction)
    .limit(limit)
    .offset(skip);
  // What belongs to them is looked up of these only: of a thousand it takes PostgreSQL up to 80 ms.
  return documentRows(db)
    .select(key.as("key"))
    .where("documents.id", "in", wanted)
    .orderBy(key, direction)
    .orderBy("documents.id", direction)
    .execute();
}
