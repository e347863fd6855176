import { type Kysely, sql } from "kysely";

/** Scans that the rules have not looked at: stored with the scan, and deleted with what the rules find. */
export async function up(db: Kysely<unknown>) {
  for (const statement of [
    `create table "scans_to_judge" (
      "scan_id" integer primary key,
      "company_id" integer not null,
      "at" text not null,
      "findings" text not null
    )`,
  ]) {
    await sql.raw(statement).execute(db);
  }
}
