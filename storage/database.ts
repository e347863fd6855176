import type { Kysely } from "kysely";
import type { Migration } from "kysely/migration";
import type { Limiter } from "./limiters.ts";

/** Where rows are stored: SQLite in a folder, or PostgreSQL (`open-database.ts`). */
export type Database = {
  /** The same connections for every owner of tables, typed with that owner's. */
  tables<Tables>(): Kysely<Tables>;
  /** Applies the migrations of one owner of tables that are still missing. */
  migrate(owner: string, migrations: Record<string, Migration>): Promise<void>;
  /**
   * A rate limit of `points` in `seconds` for each key, shared between machines where the database is. Keys of clients'
   * addresses come from `networksOf`.
   */
  limiter(name: string, points: number, seconds: number): Limiter;
  /** Removes expired counts of rate limits. */
  removeExpiredCounts(): Promise<void>;
  /** Whether other processes may use it at the same time. */
  isShared: boolean;
  /** Defects of the database's own files, a line each; PostgreSQL's server looks after its own. */
  integrityErrors(): Promise<string[]>;
  close(): Promise<void>;
};

/** Another process holds the folder's database. */
export class DatabaseInUse extends Error {}
