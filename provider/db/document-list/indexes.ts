import { type Kysely, sql } from "kysely";

/** Orders of documents that indexes have: those of the list, and those of the archive. */

/** A list is of what was put away, or of all else: one never reads over the other. */
export const listOrArchive = {
  list: sql<boolean>`status <> 'archived'`,
  archive: sql<boolean>`status = 'archived'`,
} as const;
export type ListOrArchive = keyof typeof listOrArchive;

/** What conditions ask about: in each index, so that rows which are left out need not be looked up. */
export const facts = ["status", "date", "branch_id", "owner_id", "access_group_id"] as const;

/** By a column and then the id, or within one branch or owner by that. */
const orders = {
  date: ["date", "id", "name_key", ...facts],
  name_key: ["name_key", "id", ...facts],
  number_key: ["number_key", "id", ...facts],
  document_type: ["document_type", "id", ...facts],
  branch_id_date: ["branch_id", "date", "id", "name_key", ...facts],
  owner_id_date: ["owner_id", "date", "id", "name_key", ...facts],
  branch_id_id: ["branch_id", "id"],
  owner_id_id: ["owner_id", "id"],
};
type Ordered = keyof typeof orders;

/** The index of a side that has an order. */
export const indexOf = (side: ListOrArchive, order: Ordered) => `documents_${side}_by_${order}`;

/** In place of the order by date and status, which reads over what the list leaves out. */
export async function createDocumentOrders(db: Kysely<any>) {
  await db.schema.dropIndex("documents_by_date").execute();
  for (const side of Object.keys(listOrArchive) as ListOrArchive[]) {
    for (const order of Object.keys(orders) as Ordered[]) {
      const index = db.schema.createIndex(indexOf(side, order)).on("documents");
      const columns = [...new Set(["company_id", ...orders[order]])];
      await index.columns(columns).where(listOrArchive[side]).execute();
    }
  }
}
