import { type Kysely, sql } from "kysely";

/** Bytes of page files per company, for its quota, and a digest of the request that issued a document, for its idempotency key. */
export async function up(db: Kysely<unknown>) {
  await sql`alter table companies add column stored_bytes bigint not null default 0`.execute(db);
  await sql`update companies set stored_bytes = (
    select coalesce(sum(page_files.bytes), 0) from page_files
    join documents on documents.id = page_files.document_id
    where documents.company_id = companies.id
  )`.execute(db);
  await sql`alter table documents add column request_digest text`.execute(db);
}
