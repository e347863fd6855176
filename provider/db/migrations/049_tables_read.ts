import { type Kysely, sql } from "kysely";

/** The file of a table, as long as it may be read otherwise, and how it was read. */
export async function up(db: Kysely<unknown>) {
  for (const table of ["imports", "bulk_issues"]) {
    await sql`alter table ${sql.table(table)} add column table_key text`.execute(db);
    await sql`alter table ${sql.table(table)} add column table_facts text not null default ''`.execute(db);
  }
  await sql`alter table bulk_issues add column table_notes text not null default '[]'`.execute(db);
}
