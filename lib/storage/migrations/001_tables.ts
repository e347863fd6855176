import { type Kysely, sql } from "kysely";

/** The table of 1.0.0: one row for each job: when it runs next, which process holds it, and how its last run ended. */
export async function up(db: Kysely<unknown>) {
  await sql`create table jobs (
    name text primary key, next_run text not null, locked_by text, locked_until text, started_at text, ended_at text,
    outcome text, seconds double precision
  )`.execute(db);
}
