import { type Kysely, sql } from "kysely";

/** Sealed PDFs that are kept, and the documents that are still to be sealed: at first all of them. */
export async function up(db: Kysely<unknown>) {
  await sql`create table sealed_files (
    document_id integer not null references documents (id),
    qr_placing text not null,
    public_url text not null,
    bytes bigint not null,
    sha256 text not null,
    digest text not null,
    timestamped integer not null,
    made_at text not null,
    primary key (document_id, qr_placing, public_url)
  )`.execute(db);
  await sql`create table documents_to_seal (
    document_id integer primary key references documents (id),
    company_id integer not null references companies (id)
  )`.execute(db);
  await sql`insert into documents_to_seal (document_id, company_id) select id, company_id from documents`.execute(db);
  await sql`create index documents_to_seal_by_company on documents_to_seal (company_id, document_id)`.execute(db);
  await sql`alter table companies add column sealed_bytes bigint not null default 0`.execute(db);
}
