import { type Kysely, type RawBuilder, sql, type SqlBool, type Transaction } from "kysely";
import { readByCursor } from "./cursor.ts";
import { isPostgres } from "./dialect.ts";

/** All rows of ordinary tables, to copy a database of either kind to either. */

type AnyDb = Kysely<any>;

export type Table = { name: string; columns: string[]; references: Reference[] };
type Reference = { columns: string[]; table: string; to: string[] };

/** A row's values in the order of the table's columns. */
export type RowValues = (string | number | null)[];

/** A row's values by the names of their columns. */
export const byColumn = ({ columns }: Pick<Table, "columns">, row: RowValues) =>
  Object.fromEntries(columns.map((column, n) => [column, row[n]!]));

/** The tables, each after the tables it references, so that rows can be inserted in this order. */
export async function listTables(db: AnyDb): Promise<Table[]> {
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

const run = async <T>(db: AnyDb, query: RawBuilder<T>) => (await query.execute(db)).rows;

type Column = { table: string; column: string };
type Key = { table: string; id: number; column: string; other: string; to: string };

const sqliteTables = sql`pragma_table_list as t`;
const isOrdinary = sql`t.schema = 'main' and t.type = 'table' and t.name not like 'sqlite\\_%' escape '\\'`;
const sqliteColumns = sql<Column>`
  select t.name as "table", c.name as "column" from ${sqliteTables}, pragma_table_info(t.name) as c
  where ${isOrdinary} order by t.name, c.cid`;
const sqliteKeys = sql<Key>`
  select t.name as "table", k.id, k."from" as "column", k."table" as other, k."to"
  from ${sqliteTables}, pragma_foreign_key_list(t.name) as k where ${isOrdinary} order by t.name, k.id, k.seq`;

const postgresTables = sql`pg_class t join pg_namespace s on s.oid = t.relnamespace and s.nspname = current_schema()
  and not t.relispartition`;
const postgresColumns = sql<Column>`
  select t.relname as "table", c.attname as "column" from ${postgresTables} join pg_attribute c on c.attrelid = t.oid
  where t.relkind in ('r', 'p') and c.attnum > 0 and not c.attisdropped and c.attgenerated = '' order by t.relname, c.attnum`;
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
  let remaining = tables;
  while (remaining.length > 0) {
    const names = new Set(remaining.map(({ name }) => name));
    const isReady = ({ name, references }: Table) =>
      references.every(({ table }) => table === name || !names.has(table));
    const ready = remaining.filter(isReady);
    if (ready.length === 0) throw new Error(`Tables reference each other in a circle: ${[...names].join(", ")}`);
    ordered.push(...ready);
    remaining = remaining.filter((table) => !ready.includes(table));
  }
  return ordered;
}

export const inSnapshot = <T>(db: AnyDb, read: (snapshot: Transaction<any>) => Promise<T>): Promise<T> =>
  db.transaction().setIsolationLevel("repeatable read").setAccessMode("read only").execute(withoutTimeouts(read));

export const inTransaction = <T>(db: AnyDb, write: (transaction: Transaction<any>) => Promise<T>): Promise<T> =>
  db.transaction().execute(withoutTimeouts(write));

/** Lifts PostgreSQL's limits on long transactions, and on idle ones while files are copied. */
const withoutTimeouts =
  <T>(work: (transaction: Transaction<any>) => Promise<T>) =>
  async (transaction: Transaction<any>) => {
    if (isPostgres(transaction)) {
      await sql`set local statement_timeout = 0`.execute(transaction);
      await sql`set local idle_in_transaction_session_timeout = 0`.execute(transaction);
    }
    return work(transaction);
  };

/** Defers the check of references to the end of the transaction: PostgreSQL has fewer references to order tables by. */
export async function deferReferences(transaction: Transaction<any>) {
  if (!isPostgres(transaction)) await sql`pragma defer_foreign_keys = on`.execute(transaction);
}

export async function countRows(db: AnyDb, tables: Table[]): Promise<number> {
  let count = 0;
  for (const { name } of tables) {
    const counted = db.selectFrom(name).select(({ fn }) => fn.countAll<number>().as("rows"));
    count += (await counted.executeTakeFirstOrThrow()).rows;
  }
  return count;
}

/** All rows of a table in batches, or those that meet a condition. The transaction can run no other query until the last is read. */
export async function* readRows(
  snapshot: Transaction<any>,
  table: Table,
  batchSize: number,
  where?: RawBuilder<boolean>,
): AsyncGenerator<RowValues[]> {
  const all = snapshot.selectFrom(table.name).select(table.columns);
  const query = where
    ? all.where(where as RawBuilder<SqlBool>).orderBy(table.columns.includes("id") ? "id" : table.columns[0]!)
    : all;
  if (isPostgres(snapshot)) {
    for await (const rows of readByCursor<Record<string, unknown>>(snapshot, query, batchSize)) {
      yield rows.map((row) => valuesOf(table, row));
    }
    return;
  }
  let rows: RowValues[] = [];
  for await (const row of query.stream()) {
    rows.push(valuesOf(table, row));
    if (rows.length < batchSize) continue;
    yield rows;
    rows = [];
  }
  if (rows.length > 0) yield rows;
}

/** Other types differ between the databases. */
function valuesOf({ name, columns }: Table, row: Record<string, unknown>): RowValues {
  return columns.map((column) => {
    const value = row[column];
    if (value === null || typeof value === "string" || typeof value === "number") return value;
    throw new Error(`The column ${name}.${column} has a value that can’t be copied: ${typeof value}`);
  });
}

export async function readCounters(db: AnyDb): Promise<Record<string, number>> {
  const counters = isPostgres(db)
    ? await run(db, sql<Counter>`select "table", pg_sequence_last_value(${sequence}) as last from (${identities}) as i`)
    : await run(db, sql<Counter>`select name as "table", seq as last from sqlite_sequence`);
  return Object.fromEntries(counters.filter(({ last }) => last !== null).map(({ table, last }) => [table, last]));
}

type Counter = { table: string; last: number };
const identities = sql`
  select t.relname as "table", c.attname as "column" from ${postgresTables} join pg_attribute c on c.attrelid = t.oid
  where t.relkind in ('r', 'p') and c.attidentity <> ''`;
const sequence = sql`pg_get_serial_sequence(quote_ident("table"), "column")::regclass`;

/** Makes generated ids continue after `counters`, so that none is given twice. */
export async function setCounters(db: AnyDb, counters: Record<string, number>) {
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

/** The broken foreign keys of a table, with the number of rows whose target is missing. */
export async function brokenReferences(db: AnyDb, { name, references }: Table) {
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
