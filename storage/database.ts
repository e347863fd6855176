import { mkdirSync } from "node:fs";
import { join } from "node:path";
import Sqlite from "better-sqlite3";
import {
  type ColumnDefinitionBuilder,
  Kysely,
  type LogEvent,
  PostgresAdapter,
  PostgresDialect,
  SqliteAdapter,
  SqliteDialect,
  sql,
  type Transaction,
} from "kysely";
import { type Migration, Migrator } from "kysely/migration";
import { LRUCache } from "lru-cache";
import pg from "pg";
import { RateLimiterPostgres } from "rate-limiter-flexible";
import { metrics, watchConnections } from "#metrics";
import { limitersInMemory, type Limiter } from "./limiters.ts";

/**
 * Where rows are kept: SQLite in a folder, or PostgreSQL. Only this file, `rows.ts` and the provider's `db/search.ts`
 * know which.
 */
export type Database = {
  /** The same connections for every room, typed with that room's own tables. */
  tables<Tables>(): Kysely<Tables>;
  /** Brings one room's tables to their newest form; rooms keep their migrations apart. */
  migrate(room: string, migrations: Record<string, Migration>): Promise<void>;
  /**
   * A rate limit: `points` in `seconds` for each key. Shared between machines where the database is. What limits
   * clients by address takes its keys from `networksOf`.
   */
  limiter(name: string, points: number, seconds: number): Limiter;
  /** Removes counts of rate limits whose time is over. */
  removeExpiredCounts(): Promise<void>;
  /** Whether other processes may be at work on it. */
  isShared: boolean;
  /** What is wrong with the database's own files, in a line each, as far as the database can tell. */
  damage(): Promise<string[]>;
  close(): Promise<void>;
};

/** Another process holds the folder's database. */
export class DatabaseInUse extends Error {}

type Where = {
  url?: string;
  directory: string;
  /** Whether it is opened for a command that may run beside the server. Its counts of attempts are its own then. */
  beside?: boolean;
};

/**
 * Opens PostgreSQL at `url`, or else SQLite in `directory`, which one process may have open at a time, and those that
 * are opened beside it.
 */
export function openDatabase({ url, directory, beside = false }: Where): Database {
  return url ? openPostgres(url) : openSqlite(directory, beside);
}

function openSqlite(directory: string, beside: boolean): Database {
  // Nobody else on the machine has business with it.
  mkdirSync(directory, { recursive: true, mode: 0o700 });
  const unlock = beside ? () => {} : lockDirectory(directory);
  const sqlite = new Sqlite(join(directory, "sealdesk.db"));
  for (const pragma of [
    "journal_mode = WAL",
    "synchronous = FULL",
    "foreign_keys = ON",
    "busy_timeout = 5000",
    // In kilobytes. With the usual 2 MB, looking up thousands of rows among a million took two to three times as long.
    "cache_size = -32768",
  ]) {
    sqlite.pragma(pragma);
  }
  sqlite.function("fold", { deterministic: true }, (text) => (typeof text === "string" ? fold(text) : text));
  // Preparing a statement takes longer than running most of them; none is read row by row while it is run again.
  const prepared = new LRUCache<string, Sqlite.Statement>({ max: 500, memoMethod: (sql) => sqlite.prepare(sql) });
  const database = { prepare: (sql: string) => prepared.memo(sql), close: () => sqlite.close() };
  const kysely = new Kysely<unknown>({ dialect: new Dialect({ database }), log: measure });
  beneath.set(kysely.getExecutor().adapter, sqlite);
  return {
    ...common(kysely),
    // One process owns the folder, so its memory is where all attempts are seen.
    limiter: limitersInMemory(),
    // Timers remove them.
    removeExpiredCounts: async () => {},
    isShared: false,
    async damage() {
      const found = sqlite.pragma("integrity_check") as { integrity_check: string }[];
      return found.map(({ integrity_check }) => integrity_check).filter((line) => line !== "ok");
    },
    async close() {
      await kysely.destroy();
      unlock();
    },
  };
}

/** Changes tables in transactions, as SQLite can whatever Kysely thinks: no migration stays half done. */
class Dialect extends SqliteDialect {
  override createAdapter() {
    return new TransactionalAdapter();
  }
}
class TransactionalAdapter extends SqliteAdapter {
  override get supportsTransactionalDdl() {
    return true;
  }
}

/** An open transaction on `lock.db`, which the operating system ends with the process however that dies. */
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

// Counts and sums arrive as text unless told otherwise; ours stay far below 2^53.
const toNumber = (text: string) => Number(text);
const postgresTypes: pg.CustomTypesConfig = {
  getTypeParser: (oid: number, format?: "text" | "binary") =>
    oid === pg.types.builtins.INT8 || oid === pg.types.builtins.NUMERIC
      ? toNumber
      : pg.types.getTypeParser(oid, format as "text"),
};

/** Any number that nothing else in the database takes for its own. */
const migrationLock = 7_325_335;

function openPostgres(url: string): Database {
  // A server that is gone is found out about before users give up; a query may take as long as it needs.
  const pool = new pg.Pool({ connectionString: url, max: 10, types: postgresTypes, connectionTimeoutMillis: 4000 });
  // A connection that the server drops while idle is replaced at the next query; it must not end the process.
  pool.on("error", () => {});
  watchConnections(() => ({ total: pool.totalCount, idle: pool.idleCount, waiting: pool.waitingCount }));
  const kysely = new Kysely<unknown>({ dialect: new PostgresDialect({ pool }), log: measure });
  return {
    ...common(kysely),
    async migrate(room, migrations) {
      await kysely.transaction().execute(preparePostgres);
      await migrateRoom(kysely, room, migrations);
    },
    limiter: (name, points, seconds) =>
      new RateLimiterPostgres({
        storeClient: pool,
        tableName: attemptsTable,
        tableCreated: true,
        keyPrefix: name,
        points,
        duration: seconds,
        // A job does so for all limits together.
        clearExpiredByTimeout: false,
      }),
    async removeExpiredCounts() {
      await sql`delete from ${sql.table(attemptsTable)} where expire < ${Date.now()}`.execute(kysely);
    },
    isShared: true,
    // Its own server looks after its files.
    damage: async () => [],
    close: () => kysely.destroy(),
  };
}

const kinds: Record<string, string> = {
  SelectQueryNode: "select",
  InsertQueryNode: "insert",
  UpdateQueryNode: "update",
  DeleteQueryNode: "delete",
};

/** Counts a query by its kind alone: its text and values are nobody's business but the database's. */
function measure({ level, query, queryDurationMillis }: LogEvent) {
  const kind = kinds[query.query.kind] ?? "other";
  metrics.querySeconds.observe({ kind }, queryDurationMillis / 1000);
  if (level === "error") metrics.queryErrors.inc({ kind });
}

async function preparePostgres(transaction: Transaction<unknown>) {
  // Machines that start at the same time take turns.
  await sql`select pg_advisory_xact_lock(${migrationLock})`.execute(transaction);
  await sql`create or replace function fold(given text) returns text
    language sql immutable as 'select lower(normalize(given))'`.execute(transaction);
}

function common(kysely: Kysely<unknown>): Pick<Database, "tables" | "migrate"> {
  return {
    tables: <Tables>() => kysely as unknown as Kysely<Tables>,
    migrate: (room, migrations) => migrateRoom(kysely, room, migrations),
  };
}

type Migrations = Record<string, Migration>;

const stepsSuffix = "_migrations";

async function migrateRoom(db: Kysely<unknown>, room: string, migrations: Migrations, to?: string) {
  const migrator = new Migrator({
    db,
    provider: { getMigrations: async () => migrations },
    migrationTableName: room + stepsSuffix,
    migrationLockTableName: `${room}${stepsSuffix}_lock`,
  });
  const { error } = await (to === undefined ? migrator.migrateToLatest() : migrator.migrateTo(to));
  if (error) throw error;
}

/** The same as `migrate` within a transaction, as far as the step `to` or to the newest. */
export async function migrateWithin<T>(
  transaction: Transaction<T>,
  room: string,
  migrations: Migrations,
  to?: string,
): Promise<void> {
  const untyped = transaction as unknown as Transaction<unknown>;
  if (isPostgres(untyped)) await preparePostgres(untyped);
  await migrateRoom(untyped, room, migrations, to);
}

const attemptsTable = "rate_limits";

/** Whether a table is this module's own: what migrators keep, and counts of attempts that mean nothing elsewhere. */
export const isOwnTable = (table: string) => table === attemptsTable || /_migrations(_lock)?$/.test(table);

/** The migration steps that each room's tables have been through. `tables` are the names of all tables. */
export async function stepsTaken<T>(db: Kysely<T>, tables: string[]): Promise<Record<string, string[]>> {
  const steps: Record<string, string[]> = {};
  for (const table of tables.filter((name) => name.endsWith(stepsSuffix))) {
    const { rows } = await sql<{ name: string }>`select name from ${sql.table(table)} order by name`.execute(db);
    steps[table.slice(0, -stepsSuffix.length)] = rows.map(({ name }) => name);
  }
  return steps;
}

/** Which of the two it is: for `rows.ts` here, and for the provider's `db/search.ts`. */
export const isPostgres = (db: Kysely<any>) => db.getExecutor().adapter instanceof PostgresAdapter;

/** The column `id` of a new table: an integer that the database counts up and never gives twice. */
export function idColumn(db: Kysely<unknown>) {
  return (column: ColumnDefinitionBuilder) =>
    isPostgres(db) ? column.primaryKey().generatedByDefaultAsIdentity() : column.primaryKey().autoIncrement();
}

/** SQLite's own handle on a database, for what is too much work to be asked statement by statement. */
const beneath = new WeakMap<object, Sqlite.Database>();

/** Inserts many rows that all have the same columns, several times as fast as one statement with a value for each. */
export async function insertMany(db: Kysely<any>, table: string, rows: object[]) {
  if (rows.length === 0) return;
  const names = Object.keys(rows[0]!);
  const sqlite = beneath.get(db.getExecutor().adapter);
  if (sqlite) {
    const columns = names.map((name) => `"${name}"`).join(", ");
    const insert = sqlite.prepare(`insert into "${table}" (${columns}) values (${names.map(() => "?").join(", ")})`);
    for (const row of rows) insert.run(Object.values(row));
    return;
  }
  const columns = sql.join(names.map((name) => sql.ref(name)));
  const all = sql`json_populate_recordset(null::${sql.table(table)}, ${JSON.stringify(rows)}::json)`;
  await sql`insert into ${sql.table(table)} (${columns}) select ${columns} from ${all}`.execute(db);
}

/**
 * Does something to tables without their indexes, which are made anew afterwards: with a million rows that takes a
 * fraction of keeping them up to date. Those behind primary keys and unique columns stay. Nor is it looked whether what
 * rows refer to is there: PostgreSQL looks once at the end (row by row took longer than the rows), SQLite not at all.
 * For a program of its own: SQLite does not write at once what it is told any more.
 */
export async function withoutIndexes(db: Kysely<any>, tables: string[], work: () => Promise<void>) {
  const of = sql.join(tables);
  const isOurs = sql`schemaname = current_schema() and tablename in (${of})`;
  const indexes = isPostgres(db)
    ? sql<Index>`select indexname as name, indexdef as definition from pg_indexes where ${isOurs}
        and not exists (select from pg_constraint where conindid = to_regclass(quote_ident(indexname)))`
    : sql<Index>`select name, sql as definition from sqlite_master where type = 'index' and sql is not null
        and tbl_name in (${of})`;
  const { rows } = await indexes.execute(db);
  const references = isPostgres(db)
    ? await sql<Reference>`select conname as name, tablename as "table", pg_get_constraintdef(c.oid) as definition
        from pg_constraint c join pg_tables on conrelid = to_regclass(quote_ident(tablename))
        where contype = 'f' and ${isOurs}`.execute(db)
    : { rows: [] };
  for (const { name } of rows) await sql`drop index ${sql.table(name)}`.execute(db);
  for (const { table, name } of references.rows) {
    await sql`alter table ${sql.table(table)} drop constraint ${sql.ref(name)}`.execute(db);
  }
  // What is changed stays in memory until it is written once; if the machine fails meanwhile, it all begins anew.
  for (const pragma of ["cache_size = -262144", "synchronous = off", "foreign_keys = off"]) {
    beneath.get(db.getExecutor().adapter)?.pragma(pragma);
  }
  await work();
  // PostgreSQL makes two at a time, on two connections with memory to sort in.
  const rest = rows.values();
  const make = async (connection: Kysely<any>) => {
    if (isPostgres(db)) await sql`set maintenance_work_mem = '256MB'`.execute(connection);
    for (const { definition } of rest) await sql.raw(definition).execute(connection);
  };
  const makers = isPostgres(db) ? [1, 2] : [1];
  await Promise.all(makers.map(() => db.connection().execute(make)));
  for (const { table, name, definition } of references.rows) {
    const constraint = sql`add constraint ${sql.ref(name)} ${sql.raw(definition)}`;
    await sql`alter table ${sql.table(table)} ${constraint}`.execute(db);
  }
}

type Index = { name: string; definition: string };
type Reference = Index & { table: string };

/**
 * A table as it is read through one of its indexes. SQLite guesses which to take, and guesses wrong where it has counted
 * one and not another: then it sorts a million rows. PostgreSQL counts by itself.
 */
export const throughIndex = (db: Kysely<any>, table: string, index: string) =>
  isPostgres(db) ? sql.table(table) : sql`${sql.table(table)} indexed by ${sql.ref(index)}`;

/** Has a table's ids count on from the highest, after rows were inserted with theirs. SQLite does by itself. */
export async function countIdsOn(db: Kysely<any>, table: string) {
  if (!isPostgres(db)) return;
  const next = sql`(select coalesce(max(id), 0) + 1 from ${sql.table(table)})`;
  await sql`select setval(pg_get_serial_sequence(${table}, 'id'), ${next}, false)`.execute(db);
}

/**
 * Has the database look at tables that were filled at a stroke. Without it, plans are made for empty ones, and PostgreSQL
 * reads no index without the rows.
 */
export const lookAtTables = (db: Kysely<any>) => sql.raw(isPostgres(db) ? "vacuum analyze" : "analyze").execute(db);

/** Text as it is searched and compared: without regard to case, in one Unicode form. SQL has the same as `fold(…)`. */
export const fold = (text: string) => text.normalize("NFC").toLocaleLowerCase("en");

/** Whether `error` is the database's refusal of a second row with the same unique value. */
export function isUniqueViolation(error: unknown) {
  const code = (error as { code?: unknown } | null)?.code;
  return code === "23505" || code === "SQLITE_CONSTRAINT_UNIQUE";
}
