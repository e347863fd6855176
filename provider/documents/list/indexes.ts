import { sql } from "kysely";

/** The list and the archive have partial indexes of their own, so that neither reads over the other's rows. */
export const listOrArchive = {
  list: sql<boolean>`status <> 'archived'`,
  archive: sql<boolean>`status = 'archived'`,
} as const;
export type ListOrArchive = keyof typeof listOrArchive;

/** Columns that conditions read; every index has them, so that rows which don't match are not looked up. */
export const coveredColumns = ["status", "date", "branch_id", "owner_id", "access_group_id"] as const;

/** A column and then the id, of a whole company; or a column or the id within one branch or owner. */
type IndexOrder =
  | "date"
  | "name_key"
  | "number_key"
  | "document_type"
  | "expire_date"
  | "branch_id_date"
  | "owner_id_date"
  | "branch_id_id"
  | "owner_id_id";

/** The name of an index. */
export const indexOf = (side: ListOrArchive, order: IndexOrder) => `documents_${side}_by_${order}`;
