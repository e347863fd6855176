import { type Kysely, sql } from "kysely";

/** The index has all that a map of suspicions reads: they lie far apart in the table, so that each was a block of its own. */
export async function up(db: Kysely<unknown>) {
  for (const statement of statements) await sql.raw(statement).execute(db);
}

const statements = [
  "drop index scans_by_suspicion",
  `create index scans_by_suspicion on scans (company_id, at, id, document_id, day, latitude, longitude, place, suspicion)
   where suspicion = 1`,
];
