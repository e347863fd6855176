import { type Kysely, sql } from "kysely";

/** The list and the archive have partial indexes of their own, so that neither reads over the other's rows. */
export const listOrArchive = {
  list: sql<boolean>`status <> 'archived'`,
  archive: sql<boolean>`status = 'archived'`,
} as const;
export type ListOrArchive = keyof typeof listOrArchive;

/** Columns that conditions read; every index has them, so that rows which don't match are not looked up. */
export const coveredColumns = ["status", "date", "branch_id", "owner_id", "access_group_id"] as const;

/** By a column and then the id, of a whole company or within a partition of it. */
const orders = {
  date: ["date", "id", "name_key", ...coveredColumns],
  name_key: ["name_key", "id", ...coveredColumns],
  number_key: ["number_key", "id", ...coveredColumns],
  document_type: ["document_type", "id", ...coveredColumns],
  branch_id_date: ["branch_id", "date", "id", "name_key", ...coveredColumns],
  owner_id_date: ["owner_id", "date", "id", "name_key", ...coveredColumns],
  branch_id_id: ["branch_id", "id"],
  owner_id_id: ["owner_id", "id"],
};
type IndexOrder = keyof typeof orders;

/** The name of an index. */
export const indexOf = (side: ListOrArchive, order: IndexOrder) => `documents_${side}_by_${order}`;

/** In place of the order by date and status, which reads over what the list leaves out. */
export async function createDocumentOrders(db: Kysely<any>) {
  await db.schema.dropIndex("documents_by_date").execute();
  for (const side of Object.keys(listOrArchive) as ListOrArchive[]) {
    for (const order of Object.keys(orders) as IndexOrder[]) {
      const index = db.schema.createIndex(indexOf(side, order)).on("documents");
      const columns = [...new Set(["company_id", ...orders[order]])];
      await index.columns(columns).where(listOrArchive[side]).execute();
    }
  }
}
