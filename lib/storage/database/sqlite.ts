import { mkdirSync } from "node:fs";
import { join } from "node:path";
import Sqlite from "better-sqlite3";
import { Kysely, SqliteAdapter, SqliteDialect, SqliteQueryCompiler } from "kysely";
import { LRUCache } from "lru-cache";
import { moveCommitsBeside, pagesInLog } from "./checkpoints.ts";
import { type Database, DatabaseInUse } from "./database.ts";
import { limitersInMemory } from "../limits/limiters.ts";
import { migrate } from "./migrate.ts";
import { measureQuery } from "./query-metrics.ts";
import { fold } from "../../text.ts";

type Options = { alongside?: boolean; movesBeside?: boolean };

export function openSqlite(directory: string, { alongside = false, movesBeside = false }: Options): Database {
  mkdirSync(directory, { recursive: true, mode: 0o700 });
  const unlock = alongside ? () => {} : lockDirectory(directory);
  const file = join(directory, "sealdesk.db");
  const sqlite = new Sqlite(file);
  for (const pragma of [
    "journal_mode = WAL",
    "synchronous = FULL",
    "foreign_keys = ON",
    "busy_timeout = 5000",
    // In kilobytes. The default of 2 MB makes lookups of thousands of rows among a million two to three times slower.
    "cache_size = -32768",
    ...(movesBeside ? [`wal_autocheckpoint = ${pagesInLog}`] : []),
  ]) {
    sqlite.pragma(pragma);
  }
  const endMoving = movesBeside ? moveCommitsBeside(file) : async () => {};
  sqlite.function("fold", { deterministic: true }, (text) => (typeof text === "string" ? fold(text) : text));
  // Preparing a statement takes longer than running most of them; none is streamed while it runs again.
  const prepared = new LRUCache<string, Sqlite.Statement>({ max: 500, memoMethod: (query) => sqlite.prepare(query) });
  const database = { prepare: (query: string) => prepared.memo(query), close: () => sqlite.close() };
  const version = sqlite
    .prepare<[], string>("select data_version || '.' || total_changes() from pragma_data_version")
    .pluck();
  const kysely = new Kysely<unknown>({ dialect: new Dialect({ database }), log: measureQuery });
  return {
    tables: <Tables>() => kysely as unknown as Kysely<Tables>,
    migrate: (owner, migrations) => migrate(kysely, owner, migrations),
    limiter: limitersInMemory(),
    removeExpiredCounts: async () => {},
    isShared: false,
    // What other connections committed, and what this one wrote.
    version: async () => version.get()!,
    async integrityErrors() {
      const rows = sqlite.pragma("integrity_check") as { integrity_check: string }[];
      return rows.map(({ integrity_check }) => integrity_check).filter((line) => line !== "ok");
    },
    async close() {
      await endMoving();
      await kysely.destroy();
      unlock();
    },
  };
}

class Dialect extends SqliteDialect {
  override createAdapter() {
    return new TransactionalAdapter();
  }
  override createQueryCompiler() {
    return new LastingStatements();
  }
}

/** Runs migrations in transactions, which Kysely does not expect of SQLite: none stays half applied. */
class TransactionalAdapter extends SqliteAdapter {
  override get supportsTransactionalDdl() {
    return true;
  }
}

/** Statements that stay prepared: the sign keeps SQLite from looking at values (`docs/decisions/sqlite-statements.md`). */
class LastingStatements extends SqliteQueryCompiler {
  protected override getCurrentParameterPlaceholder() {
    return "+?";
  }
}

/** Holds a transaction on `lock.db`, which the operating system ends with the process; returns its release. */
function lockDirectory(directory: string) {
  const lock = new Sqlite(join(directory, "lock.db"), { timeout: 0 });
  try {
    lock.exec("BEGIN EXCLUSIVE");
  } catch (error) {
    lock.close();
    if ((error as { code?: unknown }).code !== "SQLITE_BUSY") throw error;
    throw new DatabaseInUse(`Another Sealdesk process is using the data in ${directory}`);
  }
  return () => lock.close();
}
