import { type Expression, type SqlBool, sql } from "kysely";
import type { Partition } from "../../access.ts";
import type { Cursor } from "../../contract/cursors.ts";
import { isPostgres, forceIndex } from "#lib/storage/database/dialect.ts";
import type { Db } from "../../db/tables.ts";
import { coveredColumns, type IndexedColumn, indexOf, type ListOrArchive, listOrArchive } from "./indexes.ts";

/** Reads documents in the order of an index, in batches, and leaves out others. */

/** By a column and then the id, or by the id alone. */
export type Order = { column: "id" | IndexedColumn; isDescending: boolean };

/** Documents that lie together in an index: a partition's or the company's, in the list or in the archive. */
export type IndexRange = { side: ListOrArchive; partition?: Partition | undefined };

/** Index ranges, merged in one order from a cursor on. */
export type RangeScan = {
  companyId: number;
  ranges: IndexRange[];
  order: Order;
  after?: Cursor | undefined;
  /** First and last date and the oldest document; they bound an order by date, and the first one by expire date. */
  from?: string | undefined;
  to?: string | undefined;
  oldest?: Cursor | undefined;
  /** Residual condition: what the ranges leave to check of each row. */
  condition: Expression<SqlBool>;
  /** Columns that it reads besides `coveredColumns`. */
  columns: string[];
  batchSize: number;
  /** The largest number of rows, if known. */
  maxRows: number;
};

type Slice = { limit: number; offset?: number };

/** Rows of all ranges in order, with `columns`, whether they match or not. */
function orderedRows(db: Db, scan: RangeScan, columns: string[], { limit, offset = 0 }: Slice) {
  const { column, isDescending } = scan.order;
  const direction = sql.raw(isDescending ? "desc" : "asc");
  const orderBy = sql`order by ${column === "id" ? sql`` : sql`key ${direction},`} id ${direction}`;
  const arms = scan.ranges.map((range) => rowsOf(db, scan, range, columns));
  const slice = sql`${orderBy} limit ${limit} offset ${offset}`;
  if (arms.length === 1) return sql`${arms[0]} ${slice}`;
  // SQLite merges them by itself; PostgreSQL sorts all their rows unless each range has an order and a limit.
  const ordered = isPostgres(db) ? sql`${orderBy} limit ${limit + offset}` : sql``;
  const each = arms.map((arm) => sql`select * from (${arm} ${ordered}) as rows_of_range`);
  return sql`${sql.join(each, sql` union all `)} ${slice}`;
}

function rowsOf(db: Db, scan: RangeScan, range: IndexRange, columns: string[]) {
  const { column } = scan.order;
  const key = column === "id" ? sql`''` : sql.ref(column);
  const selected = sql.join(["id", ...columns].map((name) => sql.ref(name)));
  return sql`select ${selected}, ${key} as key from ${tableWithin(db, scan, range)}`;
}

type Bounded = Pick<RangeScan, "companyId" | "order" | "after" | "from" | "to" | "oldest">;

/** `FROM` and `WHERE` of a range, behind the cursor `after`. */
function tableWithin(db: Db, scan: Bounded, range: IndexRange) {
  const { companyId, order, after, from, to, oldest } = scan;
  const { side, partition } = range;
  const { column, isDescending } = order;
  const conditions = [sql`company_id = ${companyId}`, listOrArchive[side]];
  if (partition) {
    const { value, notOfBranch } = partition;
    const held = sql.ref(partition.column);
    conditions.push(value === null ? sql`${held} is null` : sql`${held} = ${value}`);
    if (notOfBranch !== undefined) conditions.push(sql`(branch_id is null or branch_id <> ${notOfBranch})`);
  }
  if (column === "expire_date" && from) conditions.push(sql`expire_date >= ${from}`);
  if (column === "date") {
    if (from) conditions.push(sql`date >= ${from}`);
    if (to) conditions.push(sql`date <= ${to}`);
    if (oldest) conditions.push(sql`(date, id) >= (${oldest.key}, ${oldest.id})`);
  }
  const beyond = sql.raw(isDescending ? "<" : ">");
  if (after && column === "id") conditions.push(sql`id ${beyond} ${after.id}`);
  else if (after) conditions.push(sql`(${sql.ref(column)}, id) ${beyond} (${after.key}, ${after.id})`);
  return sql`${forceIndex(db, "documents", indexFor(range, column))} where ${sql.join(conditions, sql` and `)}`;
}

/** Partitions have indexes by date and by id alone, and companies one by date for both. */
const indexFor = ({ side, partition }: IndexRange, column: Order["column"]) =>
  partition
    ? indexOf(side, `${partition.column}_${column === "id" ? "id" : "date"}`)
    : indexOf(side, column === "id" ? "date" : column);

/** The cursor of the nth row, whether it matches or not; with `count` those of the rows behind it as well. */
export async function nthRows(db: Db, scan: RangeScan, n: number, count: number): Promise<Cursor[]> {
  if (scan.ranges.length === 0) return [];
  return (await sql<Cursor>`${orderedRows(db, scan, [], { limit: count, offset: n - 1 })}`.execute(db)).rows;
}

export const nthRow = async (db: Db, scan: RangeScan, n: number): Promise<Cursor | undefined> =>
  (await nthRows(db, scan, n, 1))[0];

/** Yields `FROM` and `WHERE` of one batch after the other, and lets other requests be served in between. */
async function* batchesOf(db: Db, scan: RangeScan) {
  if (scan.ranges.length === 0) return;
  const { batchSize, maxRows, condition } = scan;
  const columns = ["company_id", ...coveredColumns, ...scan.columns];
  let { after } = scan;
  for (let rowsRead = 0; rowsRead < maxRows; rowsRead += batchSize) {
    if (rowsRead > 0) {
      after = await nthRow(db, { ...scan, after }, batchSize);
      if (!after) return;
    }
    yield sql`(${orderedRows(db, { ...scan, after }, columns, { limit: batchSize })}) as documents where ${condition}`;
  }
}

/** A document that matches, with its date. */
export type Match = { id: number; date?: string };

/** The first matches, `limit` at most. */
export const firstMatches = (db: Db, scan: RangeScan, limit: number): Promise<(Cursor & Match)[]> =>
  readTo(limit, batchesOf(db, scan), async (batch, rowsLeft) => {
    return (await sql<Cursor & Match>`select id, key, date from ${batch} limit ${rowsLeft}`.execute(db)).rows;
  });

type Batch = Expression<unknown>;

/** Reads batches until there are `limit` rows. */
async function readTo<Row>(
  limit: number,
  batches: AsyncIterable<Batch>,
  read: (batch: Batch, rowsLeft: number) => Promise<Row[]>,
): Promise<Row[]> {
  const rows: Row[] = [];
  for await (const batch of batches) {
    rows.push(...(await read(batch, limit - rows.length)));
    if (rows.length >= limit) break;
  }
  return rows;
}

async function countIn(db: Db, batch: Expression<unknown>, limit: number) {
  const counted = sql<{
    count: number;
  }>`select count(*) as count from (select 1 from ${batch} limit ${limit}) as matches`;
  return (await counted.execute(db)).rows[0]!.count;
}

/** How many rows match; counting ends at `limit`. */
export async function countMatches(db: Db, scan: RangeScan, limit: number): Promise<number> {
  let total = 0;
  for await (const batch of batchesOf(db, scan)) {
    total += await countIn(db, batch, limit - total);
    if (total >= limit) break;
  }
  return total;
}

/** A scan's position after skipping: behind the last skipped match, or with `rest` left if there are fewer. */
type Skipped = { after?: Cursor | undefined; rest: number };

/** Skips `n` matches. */
export async function skipMatches(db: Db, scan: RangeScan, n: number): Promise<Skipped> {
  let rest = n;
  // As many as the batch before had: then this one is worth a look for the last one before it is counted.
  let expected = Infinity;
  for await (const batch of batchesOf(db, scan)) {
    const last = () => sql<Cursor>`select id, key from ${batch} limit 1 offset ${rest - 1}`.execute(db);
    const soon = rest <= expected ? (await last()).rows[0] : undefined;
    if (soon) return { after: soon, rest: 0 };
    expected = await countIn(db, batch, rest);
    if (expected === rest) return { after: (await last()).rows[0], rest: 0 };
    rest -= expected;
  }
  return { rest };
}
