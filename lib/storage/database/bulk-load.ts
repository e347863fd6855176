import { CompiledQuery, type Kysely, type RawBuilder, sql } from "kysely";
import { isPostgres } from "./dialect.ts";

const maxParameters = 5000;

/** Inserts rows with the same columns in the faster way of each dialect. */
export async function insertRows(db: Kysely<any>, table: string, rows: Record<string, unknown>[]): Promise<void> {
  if (rows.length === 0) return;
  const columns = Object.keys(rows[0]!);
  if (isPostgres(db)) {
    const list = sql.join(columns.map((column) => sql.ref(column)));
    const records = sql`json_populate_recordset(null::${sql.table(table)}, ${JSON.stringify(rows)}::json)`;
    await sql`insert into ${sql.table(table)} (${list}) select ${list} from ${records}`.execute(db);
    return;
  }
  const [name, ...names] = [table, ...columns].map((identifier) => `"${identifier.replaceAll('"', '""')}"`);
  const placeholders = `(${columns.map(() => "?").join(",")})`;
  const batchSize = Math.floor(maxParameters / columns.length);
  for (let start = 0; start < rows.length; start += batchSize) {
    const batch = rows.slice(start, start + batchSize);
    const statement = `insert into ${name} (${names.join(", ")}) values ${batch.map(() => placeholders).join(",")}`;
    const parameters = batch.flatMap((row) => columns.map((column) => row[column]));
    await db.executeQuery(CompiledQuery.raw(statement, parameters));
  }
}

const forPartitions = (index: string) => index.replace(" ON ONLY ", " ON ");

type Definition = { name: string; definition: string };

/** Loads rows without indexes, triggers and foreign keys, and restores these. SQLite stays unsafe until it is reopened. */
export async function withoutIndexesAndTriggers(db: Kysely<any>, tables: string[], load: () => Promise<void>) {
  return isPostgres(db) ? withoutOnPostgres(db, tables, load) : withoutOnSqlite(db, tables, load);
}

async function withoutOnSqlite(db: Kysely<any>, tables: string[], load: () => Promise<void>) {
  const { rows } = await sql<Definition & { type: "index" | "trigger" }>`
    select type, name, sql as definition from sqlite_master
    where type in ('index', 'trigger') and sql is not null and tbl_name in (${sql.join(tables)})`.execute(db);
  for (const { type, name } of rows) await sql`drop ${sql.raw(type)} ${sql.table(name)}`.execute(db);
  // Changed pages stay in memory until they are written once; after a crash, the load starts over.
  for (const pragma of ["cache_size = -262144", "synchronous = off", "foreign_keys = off"]) {
    await sql`pragma ${sql.raw(pragma)}`.execute(db);
  }
  await load();
  for (const { definition } of rows) await sql.raw(definition).execute(db);
}

async function withoutOnPostgres(db: Kysely<any>, tables: string[], load: () => Promise<void>) {
  const isOurs = sql`schemaname = current_schema() and tablename in (${sql.join(tables)})`;
  const indexes = await sql<Definition>`select indexname as name, indexdef as definition from pg_indexes where ${isOurs}
    and not exists (select from pg_constraint where conindid = to_regclass(quote_ident(indexname)))`.execute(db);
  const foreignKeys = await sql<Definition & { table: string }>`
    select conname as name, tablename as "table", pg_get_constraintdef(c.oid) as definition
    from pg_constraint c join pg_tables on conrelid = to_regclass(quote_ident(tablename))
    where contype = 'f' and ${isOurs}`.execute(db);
  const alter = (table: string, change: RawBuilder<unknown>) =>
    sql`alter table ${sql.table(table)} ${change}`.execute(db);
  for (const { name } of indexes.rows) await sql`drop index ${sql.table(name)}`.execute(db);
  for (const { table, name } of foreignKeys.rows) await alter(table, sql`drop constraint ${sql.ref(name)}`);
  for (const table of tables) await alter(table, sql`disable trigger user`);
  await load();
  const remaining = indexes.rows.values();
  const build = async (connection: Kysely<any>) => {
    await sql`set local maintenance_work_mem = '256MB'`.execute(connection);
    for (const { definition } of remaining) await sql.raw(forPartitions(definition)).execute(connection);
  };
  await Promise.all([1, 2].map(() => db.transaction().execute(build)));
  for (const { table, name, definition } of foreignKeys.rows) {
    await alter(table, sql`add constraint ${sql.ref(name)} ${sql.raw(definition)}`);
  }
  for (const table of tables) await alter(table, sql`enable trigger user`);
}

/**
 * Gathers the statistics that PostgreSQL would gather some time later, and lets it read indexes alone. SQLite keeps none in an
 * installation either; with those of `analyze` it would plan each statement whenever it runs.
 */
export async function settleTables(db: Kysely<any>) {
  if (isPostgres(db)) await sql`vacuum analyze`.execute(db);
}
