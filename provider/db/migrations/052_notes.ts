import { type Kysely, sql } from "kysely";

/** JSON lists of what was noted of page files, templates and rows, and how many rows of a bulk issue have notes. */
export async function up(db: Kysely<unknown>) {
  await sql`alter table page_files add column notes text not null default '[]'`.execute(db);
  await sql`alter table templates add column notes text not null default '[]'`.execute(db);
  await sql`alter table bulk_issue_rows add column notes text not null default '[]'`.execute(db);
  await sql`alter table bulk_issues add column noted integer not null default 0`.execute(db);
}
