import { type Kysely, sql } from "kysely";

/** What each scan was told, and why an alert was reopened, beside the note with which it was completed. */
export async function up(db: Kysely<unknown>) {
  for (const statement of [
    `alter table "scans" add column "verdict" text not null default ''`,
    `alter table "alerts" add column "reopened_because" text not null default ''`,
    // The note of an open alert was the reason for reopening it.
    `update "alerts" set "reopened_because" = "note", "note" = '' where "status" < 3 and "note" <> ''`,
  ]) {
    await sql.raw(statement).execute(db);
  }
}
