import { type Kysely, sql } from "kysely";

/** When an operator removed a root's private key from the server, so that no restore takes it for a lost one. */
export async function up(db: Kysely<unknown>) {
  await sql`alter table seal_roots add column key_removed_at text`.execute(db);
}
