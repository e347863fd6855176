import { type Kysely, sql } from "kysely";

/** Where a code would lie over something of each page file. */
export async function up(db: Kysely<unknown>) {
  await sql`alter table draft_files add column covered text not null default ''`.execute(db);
}
