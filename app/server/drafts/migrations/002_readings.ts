import type { Kysely } from "kysely";

/** What the pages of a draft's file say of its fields. */
export async function up(db: Kysely<unknown>) {
  await db.schema.alterTable("draft_files").addColumn("readings", "text").execute();
}
