import { type Kysely, sql } from "kysely";

/** A JSON list of what was noted of each page file. */
export async function up(db: Kysely<unknown>) {
  await sql`alter table draft_files add column notes text not null default '[]'`.execute(db);
}
