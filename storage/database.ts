import type { Kysely } from "kysely";
import type { Migration } from "kysely/migration";
import type { Limiter } from "./limiters.ts";

/** SQLite in a folder, or PostgreSQL (`open-database.ts`). */
export type Database = {
  /** Queries, typed with one owner's tables; all share the connections. */
  tables<Tables>(): Kysely<Tables>;
  /** Applies the migrations of one owner of tables that are still missing. */
  migrate(owner: string, migrations: Record<string, Migration>): Promise<void>;
  /** A rate limit of `points` in `seconds` for each key, shared between machines where the database is. */
  limiter(name: string, points: number, seconds: number): Limiter;
  /** Removes expired counts of rate limits. */
  removeExpiredCounts(): Promise<void>;
  /** Whether other processes may use it at the same time. */
  isShared: boolean;
  /** Defects of SQLite's file, a line each. */
  integrityErrors(): Promise<string[]>;
  close(): Promise<void>;
};

/** Another process holds the folder's database. */
export class DatabaseInUse extends Error {}
