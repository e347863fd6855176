import { type Kysely, sql } from "kysely";

/** Administrators see the shared views of their company, without a look at those of all others. */
export async function up(db: Kysely<unknown>) {
  await sql`create index saved_views_by_company on saved_views (company_id, list)`.execute(db);
}
