import type { Kysely } from "kysely";
import type { Migration } from "kysely/migration";
import type { Limiter } from "../limits/limiters.ts";
import type { MigrationLog } from "./lock-waits.ts";
import type { NewerSchema } from "./schema-guard.ts";

/** SQLite in a folder, or PostgreSQL (`open-database.ts`). */
export type Database = {
  tables<Tables>(): Kysely<Tables>;
  /** Throws `NewerSchema`. */
  migrate(owner: string, migrations: Record<string, Migration>, log?: MigrationLog): Promise<void>;
  /** From now on no transaction writes into tables that a newer Sealdesk has migrated, and `onNewer` is called once. */
  watchSchema(onNewer: (newer: NewerSchema) => void): void;
  /** A rate limit of `points` in `seconds` for each key, shared between machines if the database is. */
  limiter(name: string, points: number, seconds: number): Limiter;
  removeExpiredCounts(): Promise<void>;
  isShared: boolean;
  integrityErrors(): Promise<string[]>;
  close(): Promise<void>;
};

/** The web server, its worker, or a command that runs beside both. An SQLite folder has one server and one worker at a time. */
export type Role = "server" | "worker" | "command";

/** Another process holds the folder's database. */
export class DatabaseInUse extends Error {}
