import { type Kysely, sql } from "kysely";

/** The request from which a job's next run follows, and when its last run without a failure ended. */
export async function up(db: Kysely<unknown>) {
  for (const column of ["cause", "succeeded_at"]) {
    await sql`alter table jobs add column ${sql.ref(column)} text`.execute(db);
  }
  await sql`update jobs set succeeded_at = ended_at where outcome = 'done'`.execute(db);
}
