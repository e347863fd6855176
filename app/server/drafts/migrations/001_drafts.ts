import { type Kysely, sql } from "kysely";

/** Drafts, their page files, and forms that were sent after their session had ended. */
export async function up(db: Kysely<unknown>) {
  for (const statement of statements) await sql.raw(statement).execute(db);
}

const statements = [
  // Another provider's ids may exceed an integer.
  `create table drafts (
    id text primary key, user_id bigint not null, "values" text not null, refusal text, version integer not null,
    issued_at text, document_id bigint, updated_at text not null, expires_at text not null
  )`,
  "create index drafts_by_user on drafts (user_id, expires_at)",
  "create index drafts_by_expiry on drafts (expires_at)",
  `create table draft_files (
    key text primary key, draft_id text not null references drafts (id) on delete cascade, n integer not null,
    name text not null, type text not null, bytes integer not null, pages integer not null, width integer not null,
    height integer not null
  )`,
  `create table interrupted_forms (
    id text primary key, path text not null, body text not null, expires_at text not null
  )`,
  "create index draft_files_by_draft on draft_files (draft_id, n)",
];
