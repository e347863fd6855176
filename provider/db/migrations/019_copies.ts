import { type Kysely, sql } from "kysely";

/**
 * Numbered copies of documents. One with a single copy has no row here: its code is its own, and its scans and alerts name no
 * copy. The first copy of several has the document's code.
 */
export async function up(db: Kysely<unknown>) {
  for (const statement of [
    "alter table documents add column copies integer not null default 1 check (copies between 1 and 100)",
    `create table document_copies (
      document_id integer not null references documents (id),
      n integer not null check (n between 1 and 100),
      code text not null,
      withdrawn_at text,
      withdrawn_reason text,
      withdrawn_note text,
      primary key (document_id, n)
    )`,
    "create unique index document_copies_by_code on document_copies (code)",
    "alter table scans add column copy integer",
    "create index scans_by_copy on scans (document_id, copy, at) where copy is not null",
    "alter table alerts add column copy integer",
    "drop index alerts_by_rule",
    "create unique index alerts_by_rule on alerts (document_id, rule, day, coalesce(copy, 0))",
    // SQLite can't change a primary key.
    "drop index sealed_files_by_sha256",
    "alter table sealed_files rename to sealed_files_before",
    `create table sealed_files (
      document_id integer not null references documents (id),
      copy integer not null,
      qr_placing text not null,
      public_url text not null,
      bytes bigint not null,
      sha256 text not null,
      digest text not null,
      timestamped integer not null,
      made_at text not null,
      constraint sealed_files_key primary key (document_id, copy, qr_placing, public_url)
    )`,
    `insert into sealed_files (document_id, copy, qr_placing, public_url, bytes, sha256, digest, timestamped, made_at)
      select document_id, 1, qr_placing, public_url, bytes, sha256, digest, timestamped, made_at from sealed_files_before`,
    "drop table sealed_files_before",
    "create index sealed_files_by_sha256 on sealed_files (sha256)",
  ]) {
    await sql.raw(statement).execute(db);
  }
}
