import { type Kysely, PostgresAdapter, sql } from "kysely";

/**
 * SQLite's index of scans with a place has their documents as well, so that the map of a user who sees a part looks up only
 * the scans that it shows. PostgreSQL reads as many blocks of the table either way.
 */
export async function up(db: Kysely<unknown>) {
  if (db.getExecutor().adapter instanceof PostgresAdapter) return;
  for (const statement of statements) await sql.raw(statement).execute(db);
}

const statements = [
  "drop index scans_by_place",
  `create index scans_by_place on scans (company_id, at, id, document_id, latitude)
   where latitude is not null or place <> ''`,
];
