import { type Kysely, sql } from "kysely";

/** The tables of 1.0.0: drafts, their page files, and forms that were sent after their session had ended. */
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
    height integer not null, notes text not null default '[]', covered text not null default ''
  )`,
  "create index draft_files_by_draft on draft_files (draft_id, n)",
  `create table interrupted_forms (
    session text primary key, id text not null unique, network text not null, times integer not null,
    path text not null, body text not null, bytes integer not null, expires_at text not null
  )`,
  "create index interrupted_forms_by_network on interrupted_forms (network)",
  "create index interrupted_forms_by_expiry on interrupted_forms (expires_at)",
  "create table draft_locks (name text primary key)",
];
