import { type Kysely, PostgresAdapter, sql } from "kysely";

export const isPostgres = (db: Kysely<any>) => db.getExecutor().adapter instanceof PostgresAdapter;

/** A table that SQLite reads through this index: left to itself, it may sort a million rows. */
export const forceIndex = (db: Kysely<any>, table: string, index: string) =>
  isPostgres(db) ? sql.table(table) : sql`${sql.table(table)} indexed by ${sql.ref(index)}`;

export function isUniqueViolation(error: unknown): boolean {
  const code = (error as { code?: unknown } | null)?.code;
  return code === "23505" || code === "SQLITE_CONSTRAINT_UNIQUE";
}
