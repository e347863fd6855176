import { type Kysely, sql } from "kysely";

/** Sealed PDFs by SHA-256: of a file that is compared, it is asked whether another document was sealed as it. */
export async function up(db: Kysely<unknown>) {
  await sql`create index sealed_files_by_sha256 on sealed_files (sha256)`.execute(db);
}
