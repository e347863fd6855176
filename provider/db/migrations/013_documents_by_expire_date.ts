import { type Kysely, sql } from "kysely";

/** Expired documents of the list and of the archive, with the columns that conditions read. */
export async function up(db: Kysely<unknown>) {
  await sql`create index documents_list_by_expire_date on documents
    (company_id, expire_date, id, status, date, branch_id, owner_id, access_group_id)
    where status <> 'archived'`.execute(db);
  await sql`create index documents_archive_by_expire_date on documents
    (company_id, expire_date, id, status, date, branch_id, owner_id, access_group_id, status_before_archive)
    where status = 'archived'`.execute(db);
}
