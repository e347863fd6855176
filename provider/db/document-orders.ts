import { sql } from "kysely";

/** Orders of documents that indexes have: those of the list, and those of the archive. */

/** A list is of what was put away, or of all else: one never reads over the other. */
export const shelves = {
  list: sql<boolean>`status <> 'archived'`,
  archive: sql<boolean>`status = 'archived'`,
} as const;
export type Shelf = keyof typeof shelves;

/** What conditions ask about: in each index, so that rows which are left out need not be looked up. */
export const facts = ["status", "date", "branch_id", "owner_id", "access_group_id"] as const;

/** A column and then the id, or the date within one branch or owner. */
type Ordered =
  | "date"
  | "name_key"
  | "number_key"
  | "document_type"
  | "branch_id_date"
  | "owner_id_date"
  | "branch_id_id"
  | "owner_id_id";

/** The index of a shelf that has an order. */
export const indexOf = (shelf: Shelf, order: Ordered) => `documents_${shelf}_by_${order}`;
