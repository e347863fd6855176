import { type Kysely, type RawBuilder, sql, type Transaction } from "kysely";
import { isPostgres } from "./dialect.ts";

/**
 * All tables with all their rows, whatever they hold: for what copies a database, from one kind to the other too. Only
 * ordinary tables count. What a database makes of their rows by itself (search indexes and the tables behind them,
 * computed columns) is left to the one that receives them.
 */

// Tables are known by name alone here.
type Db = Kysely<any>;

export type Table = { name: string; columns: string[]; references: Reference[] };
/** Columns that name a row of another table by that table's columns. */
type Reference = { columns: string[]; table: string; to: string[] };

/** A row as it is kept in files: its values in the order of the table's columns. */
export type Row = (string | number | null)[];

/** The tables, each after those that its rows refer to, so that rows can be added in this order. */
export async function listTables(db: Db): Promise<Table[]> {
  const tables = new Map<string, Table>();
  for (const { table, column } of await run(db, isPostgres(db) ? postgresColumns : sqliteColumns)) {
    if (!tables.has(table)) tables.set(table, { name: table, columns: [], references: [] });
    tables.get(table)!.columns.push(column);
  }
  const references = new Map<string, Reference>();
  for (const { table, id, column, other, to } of await run(db, isPostgres(db) ? postgresKeys : sqliteKeys)) {
    const key = `${table} ${id}`;
    if (!references.has(key)) {
      references.set(key, { columns: [], table: other, to: [] });
      tables.get(table)!.references.push(references.get(key)!);
    }
    references.get(key)!.columns.push(column);
    references.get(key)!.to.push(to);
  }
  return inOrder([...tables.values()]);
}

const run = async <T>(db: Db, query: RawBuilder<T>) => (await query.execute(db)).rows;

type Column = { table: string; column: string };
type Key = { table: string; id: number; column: string; other: string; to: string };

const sqliteTables = sql`pragma_table_list as t`;
const isOrdinary = sql`t.schema = 'main' and t.type = 'table' and t.name not like 'sqlite\\_%' escape '\\'`;
// Computed columns are not among them.
const sqliteColumns = sql<Column>`
  select t.name as "table", c.name as "column" from ${sqliteTables}, pragma_table_info(t.name) as c
  where ${isOrdinary} order by t.name, c.cid`;
const sqliteKeys = sql<Key>`
  select t.name as "table", k.id, k."from" as "column", k."table" as other, k."to"
  from ${sqliteTables}, pragma_foreign_key_list(t.name) as k where ${isOrdinary} order by t.name, k.id, k.seq`;

const postgresTables = sql`pg_class t join pg_namespace s on s.oid = t.relnamespace and s.nspname = current_schema()`;
const postgresColumns = sql<Column>`
  select t.relname as "table", c.attname as "column" from ${postgresTables} join pg_attribute c on c.attrelid = t.oid
  where t.relkind = 'r' and c.attnum > 0 and not c.attisdropped and c.attgenerated = '' order by t.relname, c.attnum`;
const postgresKeys = sql<Key>`
  select t.relname as "table", k.oid::integer as id, c.attname as "column", o.relname as other, r.attname as "to"
  from ${postgresTables} join pg_constraint k on k.conrelid = t.oid and k.contype = 'f'
  cross join unnest(k.conkey, k.confkey) with ordinality as pair(here, there, n)
  join pg_attribute c on c.attrelid = t.oid and c.attnum = pair.here
  join pg_class o on o.oid = k.confrelid
  join pg_attribute r on r.attrelid = o.oid and r.attnum = pair.there
  order by t.relname, k.oid, pair.n`;

function inOrder(tables: Table[]): Table[] {
  const ordered: Table[] = [];
  let left = tables;
  while (left.length > 0) {
    const names = new Set(left.map(({ name }) => name));
    const isReady = ({ name, references }: Table) =>
      references.every(({ table }) => table === name || !names.has(table));
    const ready = left.filter(isReady);
    if (ready.length === 0) throw new Error(`Tables refer to one another in a circle: ${[...names].join(", ")}`);
    ordered.push(...ready);
    left = left.filter((table) => !ready.includes(table));
  }
  return ordered;
}

/** Runs `read` on the rows as they are at one moment, while others go on writing. */
export const atOneMoment = <T>(db: Db, read: (moment: Transaction<any>) => Promise<T>): Promise<T> =>
  db.transaction().setIsolationLevel("repeatable read").setAccessMode("read only").execute(patiently(read));

/** Runs `write` as one change, however long it takes: what is broken off leaves nothing. */
export const asOneChange = <T>(db: Db, write: (change: Transaction<any>) => Promise<T>): Promise<T> =>
  db.transaction().execute(patiently(write));

/** PostgreSQL may be set to end transactions that take long, or that wait while files are copied. */
const patiently =
  <T>(work: (transaction: Transaction<any>) => Promise<T>) =>
  async (transaction: Transaction<any>) => {
    if (isPostgres(transaction)) {
      await sql`set local statement_timeout = 0`.execute(transaction);
      await sql`set local idle_in_transaction_session_timeout = 0`.execute(transaction);
    }
    return work(transaction);
  };

/** How many rows some tables have together. */
export async function countRows(db: Db, tables: Table[]): Promise<number> {
  let count = 0;
  for (const { name } of tables) {
    const counted = db.selectFrom(name).select(({ fn }) => fn.countAll<number>().as("rows"));
    count += (await counted.executeTakeFirstOrThrow()).rows;
  }
  return count;
}

/** All rows of a table, some at a time. Nothing else can be asked in the same transaction until the last is read. */
export async function* readRows(moment: Transaction<any>, table: Table, atOnce: number): AsyncGenerator<Row[]> {
  const query = moment.selectFrom(table.name).select(table.columns);
  if (isPostgres(moment)) {
    await sql`declare rows_read no scroll cursor for ${query}`.execute(moment);
    for (;;) {
      const rows = await run(moment, sql<Record<string, unknown>>`fetch ${sql.lit(atOnce)} from rows_read`);
      if (rows.length > 0) yield rows.map((row) => valuesOf(table, row));
      if (rows.length < atOnce) break;
    }
    await sql`close rows_read`.execute(moment);
    return;
  }
  let rows: Row[] = [];
  for await (const row of query.stream()) {
    rows.push(valuesOf(table, row));
    if (rows.length < atOnce) continue;
    yield rows;
    rows = [];
  }
  if (rows.length > 0) yield rows;
}

/** Other kinds of values would not be the same in both databases. */
function valuesOf({ name, columns }: Table, row: Record<string, unknown>): Row {
  return columns.map((column) => {
    const value = row[column];
    if (value === null || typeof value === "string" || typeof value === "number") return value;
    throw new Error(`The column ${name}.${column} holds what can't be copied: ${typeof value}`);
  });
}

/** The last number that was given to a row of each table whose rows are numbered. */
export async function readCounters(db: Db): Promise<Record<string, number>> {
  const counters = isPostgres(db)
    ? await run(db, sql<Counter>`select "table", pg_sequence_last_value(${sequence}) as last from (${identities}) as i`)
    : await run(db, sql<Counter>`select name as "table", seq as last from sqlite_sequence`);
  return Object.fromEntries(counters.filter(({ last }) => last !== null).map(({ table, last }) => [table, last]));
}

type Counter = { table: string; last: number };
const identities = sql`
  select t.relname as "table", c.attname as "column" from ${postgresTables} join pg_attribute c on c.attrelid = t.oid
  where t.relkind = 'r' and c.attidentity <> ''`;
const sequence = sql`pg_get_serial_sequence(quote_ident("table"), "column")::regclass`;

/** Makes tables go on numbering after `counters`, so that no number is given twice. */
export async function setCounters(db: Db, counters: Record<string, number>) {
  for (const [table, last] of Object.entries(counters)) {
    if (isPostgres(db)) {
      await sql`select setval(${sequence}, greatest(${last}, 1), ${last} > 0) from (${identities}) as i where "table" = ${table}`.execute(
        db,
      );
    } else {
      await sql`delete from sqlite_sequence where name = ${table}`.execute(db);
      await sql`insert into sqlite_sequence (name, seq) values (${table}, cast(${last} as integer))`.execute(db);
    }
  }
}

/** How many rows of a table refer to a row that is not there, by each of its references that is broken. */
export async function brokenReferences(db: Db, { name, references }: Table) {
  const broken: { reference: Reference; rows: number }[] = [];
  for (const reference of references) {
    const pairs = reference.columns.map((column, n) => [`row.${column}`, `other.${reference.to[n]}`] as const);
    const { rows } = await db
      .selectFrom(`${name} as row`)
      .select(({ fn }) => fn.countAll<number>().as("rows"))
      .where((eb) => eb.and(pairs.map(([column]) => eb(column, "is not", null))))
      .where(({ not, exists, selectFrom, and, eb }) =>
        not(
          exists(
            selectFrom(`${reference.table} as other`)
              .select(sql.lit(1).as("found"))
              .where(and(pairs.map(([column, to]) => eb(column, "=", sql.ref(to))))),
          ),
        ),
      )
      .executeTakeFirstOrThrow();
    if (rows > 0) broken.push({ reference, rows });
  }
  return broken;
}
