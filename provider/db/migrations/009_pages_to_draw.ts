import { type Kysely, sql } from "kysely";

/** Documents whose open pages are still to be rendered, and how many of them are done. */
export async function up(db: Kysely<unknown>) {
  await sql`create table pages_to_draw (
    document_id integer primary key references documents (id),
    company_id integer not null references companies (id),
    done integer not null default 0
  )`.execute(db);
  await sql`create index pages_to_draw_by_company on pages_to_draw (company_id, document_id)`.execute(db);
}
