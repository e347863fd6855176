import { Kysely, PostgresDialect, sql } from "kysely";
import pg from "pg";
import { watchConnections } from "../../metrics.ts";
import { secondsInMs } from "../../units.ts";
import type { Database } from "./database.ts";
import { migrate, rateLimitsTable } from "./migrate.ts";
import { limitersInPostgres } from "../limits/postgres-limiters.ts";
import { measureQuery } from "./query-metrics.ts";

const connectionTimeoutMs = secondsInMs(4);

export function openPostgres(url: string): Database {
  const pool = new pg.Pool({
    connectionString: url,
    max: 10,
    types: postgresTypes,
    connectionTimeoutMillis: connectionTimeoutMs,
  });
  // A connection that the server drops, idle or within a transaction, fails the next statement; it must not end the process.
  pool.on("error", () => {});
  pool.on("connect", (client) => client.on("error", () => {}));
  watchConnections(() => ({ total: pool.totalCount, idle: pool.idleCount, waiting: pool.waitingCount }));
  const kysely = new Kysely<unknown>({ dialect: new PostgresDialect({ pool }), log: measureQuery });
  return {
    tables: <Tables>() => kysely as unknown as Kysely<Tables>,
    migrate: (owner, migrations) => migrate(kysely, owner, migrations),
    limiter: limitersInPostgres(pool),
    async removeExpiredCounts() {
      await sql`delete from ${sql.table(rateLimitsTable)} where expire < ${Date.now()}`.execute(kysely);
    },
    isShared: true,
    integrityErrors: async () => [],
    close: () => kysely.destroy(),
  };
}

// Counts and sums arrive as text by default; ours stay far below 2^53.
const toNumber = (text: string) => Number(text);
const postgresTypes: pg.CustomTypesConfig = {
  getTypeParser: (oid: number, format?: "text" | "binary") =>
    oid === pg.types.builtins.INT8 || oid === pg.types.builtins.NUMERIC
      ? toNumber
      : pg.types.getTypeParser(oid, format as "text"),
};
