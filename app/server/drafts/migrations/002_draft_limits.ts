import { type Kysely, sql } from "kysely";

/**
 * Interrupted forms by session, at most one each, and rows to lock. Earlier forms name no session and are dropped: they
 * were good for an hour.
 */
export async function up(db: Kysely<unknown>) {
  await sql`drop table interrupted_forms`.execute(db);
  await sql`create table interrupted_forms (
    session text primary key,
    id text not null unique,
    network text not null,
    times integer not null,
    path text not null,
    body text not null,
    bytes integer not null,
    expires_at text not null
  )`.execute(db);
  await sql`create index interrupted_forms_by_network on interrupted_forms (network)`.execute(db);
  await sql`create index interrupted_forms_by_expiry on interrupted_forms (expires_at)`.execute(db);
  await sql`create table draft_locks (name text primary key)`.execute(db);
}
