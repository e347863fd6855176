import { type Kysely, PostgresAdapter, sql } from "kysely";

/** PostgreSQL's text index by blocks of 2^14 ids, so that a search can begin with the newest documents. */
export async function up(db: Kysely<unknown>) {
  const isPostgres = db.getExecutor().adapter instanceof PostgresAdapter;
  if (isPostgres) await sql.raw(textIndex).execute(db);
}

// A role that may not create extensions does without the index; docs/operations.md says how to add it later.
const textIndex = `do $$ begin
  create extension if not exists pg_trgm;
  create extension if not exists btree_gin;
  create index if not exists documents_texts on documents using gin
    (company_id, (id >> 14), name_key gin_trgm_ops, number_key gin_trgm_ops);
  drop index if exists documents_text;
exception when insufficient_privilege or undefined_file or feature_not_supported or undefined_object then
  raise warning 'Document search runs without an index, as pg_trgm or btree_gin is missing: %', sqlerrm;
end $$`;
