import { mkdirSync, statSync } from "node:fs";
import { join } from "node:path";
import Sqlite from "better-sqlite3";
import { Kysely, SqliteAdapter, SqliteDialect, type SqliteDialectConfig, SqliteQueryCompiler } from "kysely";
import { LRUCache } from "lru-cache";
import { type Database, DatabaseInUse, type Role } from "./database.ts";
import { limitersInMemory } from "../limits/limiters.ts";
import { migrate } from "./migrate.ts";
import { measureQuery } from "./query-metrics.ts";
import { SchemaGuard } from "./schema-guard.ts";
import { SharedConnectionDriver } from "./sqlite-driver.ts";
import { fold } from "../../text.ts";
import { mebibytesInBytes } from "../../units.ts";

/** The file that the one process of a role keeps locked. */
const locks: Partial<Record<Role, string>> = { server: "lock.db", worker: "worker-lock.db" };

/** The worker moves commits from SQLite's log into its file, which blocks for 20 to 30 ms; others do so at 32 MB. */
const checkpointEveryMs = 250;
const checkpointPages = 8000;
/** Litestream moves them at 500 MB at the latest; beyond this it has stopped, and the disk would fill. */
const abandonedLogBytes = mebibytesInBytes(1024);

export function openSqlite(directory: string, role: Role, isCopied = false): Database {
  mkdirSync(directory, { recursive: true, mode: 0o700 });
  const unlock = lockDirectory(directory, role);
  const file = join(directory, "sealdesk.db");
  const sqlite = new Sqlite(file);
  for (const pragma of [
    "journal_mode = WAL",
    "synchronous = FULL",
    "foreign_keys = ON",
    // In kilobytes. The default of 2 MB makes lookups of thousands of rows among a million two to three times slower.
    "cache_size = -32768",
    ...(isCopied ? ["wal_autocheckpoint = 0"] : role === "command" ? [] : [`wal_autocheckpoint = ${checkpointPages}`]),
    "busy_timeout = 0",
  ]) {
    sqlite.pragma(pragma);
  }
  const isDue = () => !isCopied || (statSync(`${file}-wal`, { throwIfNoEntry: false })?.size ?? 0) > abandonedLogBytes;
  const checkpoints =
    role === "worker" ? setInterval(() => isDue() && checkpoint(sqlite), checkpointEveryMs).unref() : undefined;
  sqlite.function("fold", { deterministic: true }, (text) => (typeof text === "string" ? fold(text) : text));
  // Preparing a statement takes longer than running most of them; none is streamed while it runs again.
  const prepared = new LRUCache<string, Sqlite.Statement>({ max: 500, memoMethod: (query) => sqlite.prepare(query) });
  const database = { prepare: (query: string) => prepared.memo(query), close: () => sqlite.close() };
  const kysely = new Kysely<unknown>({ dialect: new Dialect(sqlite, { database }), log: measureQuery("sqlite") });
  const guard = new SchemaGuard();
  return {
    tables: <Tables>() => kysely as unknown as Kysely<Tables>,
    async migrate(owner, migrations, log) {
      await migrate(kysely, owner, migrations, log);
      guard.add(owner, migrations);
    },
    watchSchema: (onNewer) => guard.watch(kysely, onNewer),
    limiter: limitersInMemory(),
    removeExpiredCounts: async () => {},
    isShared: false,
    async integrityErrors() {
      const rows = sqlite.pragma("integrity_check") as { integrity_check: string }[];
      return rows.map(({ integrity_check }) => integrity_check).filter((line) => line !== "ok");
    },
    async close() {
      clearInterval(checkpoints);
      guard.stop();
      await kysely.destroy();
      unlock();
    },
  };
}

class Dialect extends SqliteDialect {
  readonly #sqlite: Sqlite.Database;
  readonly #config: SqliteDialectConfig;

  constructor(sqlite: Sqlite.Database, config: SqliteDialectConfig) {
    super(config);
    [this.#sqlite, this.#config] = [sqlite, config];
  }
  override createDriver() {
    return new SharedConnectionDriver(this.#sqlite, this.#config);
  }
  override createAdapter() {
    return new Adapter();
  }
  override createQueryCompiler() {
    return new LastingStatements();
  }
}

class Adapter extends SqliteAdapter {
  /** Runs migrations in transactions, which Kysely does not expect of SQLite: none stays half applied. */
  override get supportsTransactionalDdl() {
    return true;
  }
  /** Leaves it to the driver to share the connection. */
  override get supportsMultipleConnections() {
    return true;
  }
}

/** Statements that stay prepared: the sign keeps SQLite from looking at values (`docs/decisions/sqlite-statements.md`). */
class LastingStatements extends SqliteQueryCompiler {
  protected override getCurrentParameterPlaceholder() {
    return "+?";
  }
}

function checkpoint(sqlite: Sqlite.Database) {
  try {
    sqlite.pragma("wal_checkpoint(passive)");
  } catch {
    // Statements report a disk that is full or broken; the next turn tries again.
  }
}

/** Holds a transaction on the role's lock, which the operating system ends with the process; returns its release. */
function lockDirectory(directory: string, role: Role) {
  const name = locks[role];
  if (!name) return () => {};
  const lock = new Sqlite(join(directory, name), { timeout: 0 });
  try {
    lock.exec("BEGIN EXCLUSIVE");
  } catch (error) {
    lock.close();
    if ((error as { code?: unknown }).code !== "SQLITE_BUSY") throw error;
    throw new DatabaseInUse(`Another Sealdesk process is using the data in ${directory}`);
  }
  return () => lock.close();
}
