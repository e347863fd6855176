import { type Kysely, sql } from "kysely";

/**
 * How many bytes of page files a company has, for its quota; and what a document was issued from, by which a request
 * that is sent again is told from another one with the same idempotency key.
 */
export async function storedBytes(db: Kysely<unknown>) {
  await sql`alter table companies add column stored_bytes bigint not null default 0`.execute(db);
  await sql`update companies set stored_bytes = (
    select coalesce(sum(page_files.bytes), 0) from page_files
    join documents on documents.id = page_files.document_id
    where documents.company_id = companies.id
  )`.execute(db);
  await sql`alter table documents add column request_digest text`.execute(db);
}
