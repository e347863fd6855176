import { hostname } from "node:os";
import {
  type DatabaseConnection,
  Kysely,
  PostgresAdapter,
  PostgresDialect,
  type PostgresDialectConfig,
  PostgresDriver,
  sql,
  type TransactionSettings,
} from "kysely";
import pg from "pg";
import { watch } from "../../metric-sources.ts";
import { secondsInMs } from "../../units.ts";
import type { Database } from "./database.ts";
import { migrate, rateLimitsTable } from "./migrate.ts";
import { limitersInPostgres } from "../limits/postgres-limiters.ts";
import { measureQuery } from "./query-metrics.ts";
import { SchemaGuard } from "./schema-guard.ts";

const connectionTimeoutMs = secondsInMs(4);

export function openPostgres(url: string): Database {
  const pool = new pg.Pool({
    connectionString: url,
    max: 10,
    types: postgresTypes,
    application_name: `${process.title.startsWith("sealdesk") ? process.title : "sealdesk"} on ${hostname()}`,
    connectionTimeoutMillis: connectionTimeoutMs,
  });
  // A connection that the server drops, idle or within a transaction, fails the next statement; it must not end the process.
  pool.on("error", () => {});
  pool.on("connect", (client) => client.on("error", () => {}));
  watch("connections", () => ({ total: pool.totalCount, idle: pool.idleCount, waiting: pool.waitingCount }));
  const guard = new SchemaGuard();
  const kysely = new Kysely<unknown>({ dialect: new Dialect({ pool }, guard), log: measureQuery("postgresql") });
  return {
    tables: <Tables>() => kysely as unknown as Kysely<Tables>,
    async migrate(owner, migrations, log) {
      await migrate(kysely, owner, migrations, log);
      guard.add(owner, migrations);
    },
    watchSchema: (onNewer) => guard.watch(kysely, onNewer),
    limiter: limitersInPostgres(pool),
    async removeExpiredCounts() {
      await sql`delete from ${sql.table(rateLimitsTable)} where expire < ${Date.now()}`.execute(kysely);
    },
    isShared: true,
    integrityErrors: async () => [],
    async close() {
      guard.stop();
      await kysely.destroy();
    },
  };
}

class Dialect extends PostgresDialect {
  readonly #config: PostgresDialectConfig;
  readonly #guard: SchemaGuard;

  constructor(config: PostgresDialectConfig, guard: SchemaGuard) {
    super(config);
    [this.#config, this.#guard] = [config, guard];
  }
  override createDriver() {
    return new Driver(this.#config, this.#guard);
  }
  override createAdapter() {
    return new Adapter();
  }
}

class Driver extends PostgresDriver {
  readonly #guard: SchemaGuard;

  constructor(config: PostgresDialectConfig, guard: SchemaGuard) {
    super(config);
    this.#guard = guard;
  }
  override async beginTransaction(connection: DatabaseConnection, settings: TransactionSettings) {
    if (settings.accessMode !== "read only") await this.#guard.check((query) => connection.executeQuery(query));
    await super.beginTransaction(connection, settings);
  }
}

class Adapter extends PostgresAdapter {
  /** Kysely's own key, which versions before wait for, but for the transaction: a pooler would leave a session's lock behind. */
  override async acquireMigrationLock(db: Kysely<any>) {
    await sql`select pg_advisory_xact_lock(3853314791062309107)`.execute(db);
  }
  override async releaseMigrationLock() {}
}

// Counts and sums arrive as text by default; ours stay far below 2^53.
const toNumber = (text: string) => Number(text);
const postgresTypes: pg.CustomTypesConfig = {
  getTypeParser: (oid: number, format?: "text" | "binary") =>
    oid === pg.types.builtins.INT8 || oid === pg.types.builtins.NUMERIC
      ? toNumber
      : pg.types.getTypeParser(oid, format as "text"),
};
