import { type Kysely, sql } from "kysely";

/** Companies' status lists, which are made again from their documents; these are read in lots by id. */
export async function up(db: Kysely<unknown>) {
  for (const statement of [
    `create table status_lists (
      company_id integer primary key references companies (id),
      list text not null,
      public_url text not null,
      token text not null,
      made_at text not null,
      audit_id integer not null
    )`,
    "create unique index status_lists_by_list on status_lists (list)",
    "create index documents_by_company on documents (company_id, id)",
  ]) {
    await sql.raw(statement).execute(db);
  }
}
