import { type Kysely, PostgresAdapter, sql } from "kysely";

/** Whether a database is PostgreSQL; else it is SQLite. */
export const isPostgres = (db: Kysely<any>) => db.getExecutor().adapter instanceof PostgresAdapter;

/**
 * A table that SQLite reads through the given index. By itself it picks one that it has statistics of over one without,
 * and then sorts a million rows.
 */
export const forceIndex = (db: Kysely<any>, table: string, index: string) =>
  isPostgres(db) ? sql.table(table) : sql`${sql.table(table)} indexed by ${sql.ref(index)}`;

/** Whether `error` is the database's refusal of a second row with the same unique value. */
export function isUniqueViolation(error: unknown): boolean {
  const code = (error as { code?: unknown } | null)?.code;
  return code === "23505" || code === "SQLITE_CONSTRAINT_UNIQUE";
}
