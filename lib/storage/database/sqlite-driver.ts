import { setImmediate as turnEnds, setTimeout as wait } from "node:timers/promises";
import type Sqlite from "better-sqlite3";
import { type DatabaseConnection, SqliteDriver, type SqliteDialectConfig, type TransactionSettings } from "kysely";
import { secondsInMs } from "../../units.ts";

const lockTimeoutMs = secondsInMs(5);
const maxRetryMs = 10;

/** Time of statements after which the event loop does what else is due: each of them blocks it. */
const maxBlockedMs = 10;

/**
 * The connection of a process, which statements and transactions take in turn (`docs/decisions/worker.md`). SQLite's own waiting for a
 * database that another process has locked would block the event loop; here others use the connection between attempts.
 */
export class SharedConnectionDriver extends SqliteDriver {
  readonly #sqlite: Sqlite.Database;
  readonly #waiting: (() => void)[] = [];
  #isTaken = false;
  #blockedMs = 0;
  #connection: DatabaseConnection | undefined;

  constructor(sqlite: Sqlite.Database, config: SqliteDialectConfig) {
    super(config);
    this.#sqlite = sqlite;
  }

  override async acquireConnection() {
    if (this.#isTaken) await new Promise<void>((resolve) => this.#waiting.push(resolve));
    this.#isTaken = true;
    return (this.#connection ??= this.#retrying(await super.acquireConnection()));
  }

  override async releaseConnection() {
    if (this.#blockedMs > maxBlockedMs) {
      await turnEnds();
      this.#blockedMs = 0;
    }
    const next = this.#waiting.shift();
    if (next) next();
    else this.#isTaken = false;
  }

  /** Locks the database at once: a transaction that has read before can't wait for others that write. */
  override async beginTransaction(_connection: DatabaseConnection, settings?: TransactionSettings) {
    const begin = settings?.accessMode === "read only" ? "begin" : "begin immediate";
    await this.#retryWhileLocked(async () => this.#sqlite.exec(begin));
  }

  #retrying(connection: DatabaseConnection): DatabaseConnection {
    const execute = connection.executeQuery.bind(connection);
    const timed: typeof execute = async (...query) => {
      const began = performance.now();
      try {
        return await execute(...query);
      } finally {
        this.#blockedMs += performance.now() - began;
      }
    };
    connection.executeQuery = (...query) =>
      this.#sqlite.inTransaction ? timed(...query) : this.#retryWhileLocked(() => timed(...query));
    return connection;
  }

  async #retryWhileLocked<Result>(attempt: () => Promise<Result>): Promise<Result> {
    const until = performance.now() + lockTimeoutMs;
    for (let waitMs = 1; ; waitMs = Math.min(2 * waitMs, maxRetryMs)) {
      try {
        return await attempt();
      } catch (error) {
        const isLocked = String((error as { code?: unknown }).code).startsWith("SQLITE_BUSY");
        if (!isLocked || performance.now() > until) throw error;
      }
      await this.releaseConnection();
      await wait(waitMs);
      await this.acquireConnection();
    }
  }
}
