import { type Selectable, sql } from "kysely";
import type { SortOf } from "../../contract/calls.ts";
import type { Tables } from "../../db/tables.ts";

/** The list and the archive have partial indexes of their own, so that neither reads over the other's rows. */
export const listOrArchive = {
  list: sql<boolean>`status <> 'archived'`,
  archive: sql<boolean>`status = 'archived'`,
} as const;
export type ListOrArchive = keyof typeof listOrArchive;

/** Columns that conditions read; every index has them, so that rows which don't match are not looked up. */
export const coveredColumns = ["status", "date", "branch_id", "owner_id", "access_group_id"] as const;

export type SortName = SortOf<"listDocuments">;
type DocumentsRow = Selectable<Tables["documents"]>;
/** A cursor compares the column, which therefore is a text and never null. */
type SortColumn = {
  [Name in keyof DocumentsRow]: DocumentsRow[Name] extends string ? Name : never;
}[keyof DocumentsRow];

/** By a column, of which list and archive have an index. */
type SortByColumn<Column> = { key: string; column: Column };
/** By the name of the branch or user that documents belong to. */
export type OwnerSort = { key: string; table: "branches" | "users"; id: "branch_id" | "owner_id" };

/** What each sort name of the contract orders by. */
export const sorts = {
  name: { key: "documents.name_key", column: "name_key" },
  number: { key: "documents.number_key", column: "number_key" },
  category: { key: "documents.document_type", column: "document_type" },
  date: { key: "documents.date", column: "date" },
  // Documents without a branch come before all branches.
  branch: { key: "branches.name_key", table: "branches", id: "branch_id" },
  user: { key: "users.name_key", table: "users", id: "owner_id" },
} as const satisfies Record<SortName, SortByColumn<SortColumn> | OwnerSort>;

/** Columns with an index of a whole company, by the column and then the id. */
export type IndexedColumn = Extract<(typeof sorts)[SortName], { column: unknown }>["column"] | "expire_date";
export type ColumnSort = SortByColumn<IndexedColumn>;

/** Within one branch or owner there are indexes by date and by id. */
type IndexOrder = IndexedColumn | `${"branch_id" | "owner_id"}_${"date" | "id"}`;

/** The name of an index. */
export const indexOf = (side: ListOrArchive, order: IndexOrder) => `documents_${side}_by_${order}`;
