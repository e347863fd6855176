import { type Kysely, sql, type Transaction } from "kysely";
import { secondsInMs } from "../../units.ts";
import { isPostgres } from "./dialect.ts";

export type MigrationLog = Record<"info" | "warn", (event: object, message: string) => void>;

const lookEveryMs = secondsInMs(1);
const sayEveryMs = secondsInMs(30);

type Session = { pid: number; program: string; address: string | null; state: string; since: string };

/** Says on PostgreSQL for which sessions a migration waits: other processes that migrate, long transactions. */
export function reportWaits(db: Kysely<unknown>, owner: string, log: MigrationLog | undefined) {
  const began = performance.now();
  let saidAt = -Infinity;

  async function report(pid: number) {
    if (performance.now() - saidAt < sayEveryMs) return;
    const { rows } = await sql<Session>`
      select pid, application_name as program, client_addr as address, state,
        coalesce(xact_start, backend_start)::text as since
      from pg_stat_activity where pid = any(pg_blocking_pids(${pid}))`.execute(db);
    if (rows.length === 0) return;
    saidAt = performance.now();
    const seconds = Math.round((performance.now() - began) / secondsInMs(1));
    log?.warn({ tables: owner, seconds, sessions: rows }, "migration waits for other sessions of the database");
  }

  return {
    /** Looks while `transaction` runs; returns what ends it. */
    async watch(transaction: Transaction<unknown>): Promise<() => void> {
      if (!isPostgres(db)) return () => {};
      const { rows } = await sql<{ pid: number }>`select pg_backend_pid() as pid`.execute(transaction);
      const timer = setInterval(() => void report(rows[0]!.pid).catch(() => {}), lookEveryMs).unref();
      return () => clearInterval(timer);
    },
  };
}
