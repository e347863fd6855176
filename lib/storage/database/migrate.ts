import { setTimeout as wait } from "node:timers/promises";
import { type Kysely, sql, type Transaction } from "kysely";
import { type Migration, Migrator } from "kysely/migration";
import { foldInPostgres } from "../../text.ts";
import { secondsInMs } from "../../units.ts";
import { isPostgres } from "./dialect.ts";
import { type MigrationLog, reportWaits } from "./lock-waits.ts";
import { bookkeepingSuffix, refuseNewer } from "./schema-guard.ts";

type Migrations = Record<string, Migration>;

export const rateLimitsTable = "rate_limits";

/** An arbitrary key of PostgreSQL's advisory lock: machines that start at the same time take turns. */
const migrationLock = 7_325_335;

/** Others' statements queue behind a migration that waits for a table. */
const lockTimeoutMs = secondsInMs(2);
const lockNotAvailable = "55P03";

/** Applies the migrations that are missing, in one transaction, and logs them. Throws `NewerSchema`. */
export async function migrate(
  db: Kysely<unknown>,
  owner: string,
  migrations: Migrations,
  log?: MigrationLog,
): Promise<void> {
  const waits = reportWaits(db, owner, log);
  for (;;) {
    try {
      return await db.transaction().execute(async (transaction) => {
        if (isPostgres(db)) await sql`set local lock_timeout = ${sql.lit(lockTimeoutMs)}`.execute(transaction);
        const stopWatching = await waits.watch(transaction);
        await apply(transaction, owner, migrations, log).finally(stopWatching);
      });
    } catch (error) {
      if ((error as { code?: unknown }).code !== lockNotAvailable) throw error;
    }
    await wait(secondsInMs(0.5 + Math.random()));
  }
}

async function apply(transaction: Transaction<unknown>, owner: string, migrations: Migrations, log?: MigrationLog) {
  await prepare(transaction);
  const applied = await migrationsOf(transaction, owner);
  refuseNewer(owner, applied, migrations);
  const missing = Object.keys(migrations).filter((name) => !applied.includes(name));
  if (missing.length === 0) return;
  const began = performance.now();
  await applyMigrations(transaction, owner, migrations);
  const seconds = Math.round(performance.now() - began) / secondsInMs(1);
  log?.info({ tables: owner, from: applied.at(-1) ?? "none", to: missing.at(-1), seconds }, "database migrated");
}

/** The same within a transaction, up to and including the migration `last`, or all of them. */
export async function migrateWithin<T>(
  transaction: Transaction<T>,
  owner: string,
  migrations: Migrations,
  last?: string,
): Promise<void> {
  const untyped = transaction as unknown as Transaction<unknown>;
  await prepare(untyped);
  await applyMigrations(untyped, owner, migrations, last);
}

/** Creates what belongs to storage itself: PostgreSQL's `fold`, and the table of rate limits. */
async function prepare(transaction: Transaction<unknown>) {
  if (isPostgres(transaction)) {
    await sql`select pg_advisory_xact_lock(${migrationLock})`.execute(transaction);
    // Of ICU, because others leave some or all letters beside Latin ones as they are.
    const icu = await sql`select 1 from pg_collation where collname = 'und-x-icu'`.execute(transaction);
    const collation = icu.rows.length > 0 ? ' collate "und-x-icu"' : "";
    const body = foldInPostgres((text) => `lower(${text}${collation}) collate "default"`);
    await sql`create or replace function fold(given text) returns text
      language sql immutable as ${sql.raw(`$fold$select ${body}$fold$`)}`.execute(transaction);
  }
  await sql`create table if not exists ${sql.table(rateLimitsTable)} (
    key varchar(255) primary key, points integer not null default 0, expire bigint)`.execute(transaction);
}

async function applyMigrations(
  transaction: Transaction<unknown>,
  owner: string,
  migrations: Migrations,
  last?: string,
) {
  const migrator = new Migrator({
    db: transaction,
    provider: { getMigrations: async () => migrations },
    migrationTableName: owner + bookkeepingSuffix,
    migrationLockTableName: `${owner}${bookkeepingSuffix}_lock`,
  });
  const { error } = await (last === undefined ? migrator.migrateToLatest() : migrator.migrateTo(last));
  if (error) throw error;
}

/** Whether a table is storage's own, which no backup copies: the migrators' bookkeeping, and counts of rate limits. */
export const isInternalTable = (table: string) => table === rateLimitsTable || /_migrations(_lock)?$/.test(table);

/** The names of an owner's applied migrations, in their order; none before its first. */
export async function migrationsOf<T>(db: Kysely<T>, owner: string): Promise<string[]> {
  const table = owner + bookkeepingSuffix;
  const tables = isPostgres(db)
    ? sql`select 1 as one where to_regclass(${table}) is not null`
    : sql`select 1 as one from sqlite_master where name = ${table}`;
  if ((await tables.execute(db)).rows.length === 0) return [];
  const { rows } = await sql<{ name: string }>`select name from ${sql.table(table)} order by name`.execute(db);
  return rows.map(({ name }) => name);
}

export async function appliedMigrations<T>(db: Kysely<T>, tables: string[]): Promise<Record<string, string[]>> {
  const applied: Record<string, string[]> = {};
  for (const table of tables.filter((name) => name.endsWith(bookkeepingSuffix))) {
    const owner = table.slice(0, -bookkeepingSuffix.length);
    applied[owner] = await migrationsOf(db, owner);
  }
  return applied;
}
