import { type Kysely, sql } from "kysely";

/** Runs of backups and restore drills, and the rows that are read back from a continuous copy. */
export async function up(db: Kysely<unknown>) {
  await sql`create table backup_runs (
    kind text not null, started_at text not null, ended_at text not null, name text not null, bytes bigint not null,
    error text not null, primary key (kind, started_at)
  )`.execute(db);
  await sql`create table heartbeats (
    at text primary key, mark text not null, wal_file text not null, copied_at text
  )`.execute(db);
}
