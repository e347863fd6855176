import { type Kysely, sql, type Transaction } from "kysely";
import { type Migration, Migrator } from "kysely/migration";
import { foldInPostgres } from "../../text.ts";
import { isPostgres } from "./dialect.ts";

type Migrations = Record<string, Migration>;

export const rateLimitsTable = "rate_limits";

const bookkeepingSuffix = "_migrations";

/** An arbitrary key of PostgreSQL's advisory lock: machines that start at the same time take turns. */
const migrationLock = 7_325_335;

export async function migrate(db: Kysely<unknown>, owner: string, migrations: Migrations): Promise<void> {
  await db.transaction().execute(prepare);
  await applyMigrations(db, owner, migrations);
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

async function applyMigrations(db: Kysely<unknown>, owner: string, migrations: Migrations, last?: string) {
  const migrator = new Migrator({
    db,
    provider: { getMigrations: async () => migrations },
    migrationTableName: owner + bookkeepingSuffix,
    migrationLockTableName: `${owner}${bookkeepingSuffix}_lock`,
  });
  const { error } = await (last === undefined ? migrator.migrateToLatest() : migrator.migrateTo(last));
  if (error) throw error;
}

/** Whether a table is storage's own, which no backup copies: the migrators' bookkeeping, and counts of rate limits. */
export const isInternalTable = (table: string) => table === rateLimitsTable || /_migrations(_lock)?$/.test(table);

export async function appliedMigrations<T>(db: Kysely<T>, tables: string[]): Promise<Record<string, string[]>> {
  const applied: Record<string, string[]> = {};
  for (const table of tables.filter((name) => name.endsWith(bookkeepingSuffix))) {
    const { rows } = await sql<{ name: string }>`select name from ${sql.table(table)} order by name`.execute(db);
    applied[table.slice(0, -bookkeepingSuffix.length)] = rows.map(({ name }) => name);
  }
  return applied;
}
