import { type Kysely, sql } from "kysely";

/** Orders of documents that indexes have: those of the list, and those of the archive. */

/** A list is of what was put away, or of all else: one never reads over the other. */
export const shelves = {
  list: sql<boolean>`status <> 'archived'`,
  archive: sql<boolean>`status = 'archived'`,
} as const;
export type Shelf = keyof typeof shelves;

/** What conditions ask about: in each index, so that rows which are left out need not be looked up. */
export const facts = ["status", "date", "branch_id", "owner_id", "access_group_id"] as const;

const orders: Record<string, string[]> = {
  date: ["date", "id", "name_key"],
  name: ["name_key", "id"],
  number: ["number_key", "id"],
  type: ["document_type", "id"],
  branch: ["branch_id", "date", "id", "name_key"],
  owner: ["owner_id", "date", "id", "name_key"],
};

/** In place of the order by date and status, which reads over what the list leaves out. */
export async function createDocumentOrders(db: Kysely<any>) {
  await db.schema.dropIndex("documents_by_date").execute();
  for (const [shelf, isThere] of Object.entries(shelves)) {
    for (const [name, order] of Object.entries(orders)) {
      const columns = ["company_id", ...order];
      const rest = facts.filter((fact) => !columns.includes(fact));
      const index = db.schema.createIndex(`documents_${shelf}_by_${name}`).on("documents");
      await index
        .columns([...columns, ...rest])
        .where(isThere)
        .execute();
    }
  }
}
