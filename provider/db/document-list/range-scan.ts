import { setImmediate as pause } from "node:timers/promises";
import { type Expression, type Kysely, type SqlBool, sql } from "kysely";
import type { Partition } from "../../access.ts";
import type { Cursor } from "../../contract/cursors.ts";
import { throughIndex } from "#storage/database.ts";
import { facts, indexOf, type ListOrArchive, listOrArchive } from "./indexes.ts";
import { readAtOnce } from "../search.ts";
import type { Tables } from "../tables.ts";

/**
 * Documents are read in the order that an index has them, and those left out that are not asked for: some thousands at
 * a time, so that however rare the others are, nobody else waits for long.
 */

type Db = Kysely<Tables>;

/** Documents that lie together in an index. */
export type IndexRange = {
  companyId: number;
  side: ListOrArchive;
  partition?: Partition | undefined;
  /** First and last date, where the order is by date. */
  from?: string | undefined;
  to?: string | undefined;
  /** Where an order by date ends: no document that is older is looked at. */
  oldest?: Cursor | undefined;
  /** No more than so many are there by date, where that is known. */
  most?: number;
  /** Which of the documents there are asked for. */
  condition: Expression<SqlBool>;
  /** Columns that the condition asks about beside the usual ones. */
  columns: string[];
};

/** By `id` alone, or by a column and then the id. */
export type Order = { column: "id" | "date" | "name_key" | "number_key" | "document_type"; isDown: boolean };

/** How many are skipped at a time, without a look at each: 5 ms with SQLite. */
const skippedAtOnce = 100_000;

/** Some columns of the range's documents behind a place, in their order. */
function behind(db: Db, range: IndexRange, { column, isDown }: Order, columns: string[], after?: Cursor) {
  const { companyId, side, partition, from, to, oldest } = range;
  const [key, direction, beyond] = [sql.ref(column), sql.raw(isDown ? "desc" : "asc"), sql.raw(isDown ? "<" : ">")];
  const wheres = [sql`company_id = ${companyId}`, listOrArchive[side]];
  if (partition) {
    const lies = sql.ref(partition.column);
    wheres.push(partition.value === null ? sql`${lies} is null` : sql`${lies} = ${partition.value}`);
  }
  if (column === "date") {
    if (from) wheres.push(sql`date >= ${from}`);
    if (to) wheres.push(sql`date <= ${to}`);
    if (oldest) wheres.push(sql`(date, id) >= (${oldest.key}, ${oldest.id})`);
  }
  if (after && column === "id") wheres.push(sql`id ${beyond} ${after.id}`);
  else if (after) wheres.push(sql`(${key}, id) ${beyond} (${after.key}, ${after.id})`);
  const through = throughIndex(
    db,
    "documents",
    indexOf(side, partition ? `${partition.column}_${narrowly(column)}` : whole(column)),
  );
  const by = column === "id" ? sql`id ${direction}` : sql`${key} ${direction}, id ${direction}`;
  const selected = sql.join([...new Set(["id", ...columns])].map((name) => sql.ref(name)));
  return sql`select ${selected}, ${keyOf(column)} as key from ${through}
    where ${sql.join(wheres, sql` and `)} order by ${by}`;
}

/** Branches and owners have orders of their own by date and id alone. */
const narrowly = (column: Order["column"]) => (column === "id" ? "id" : "date");
const whole = (column: Order["column"]) => (column === "id" ? "date" : column);

const keyOf = (column: Order["column"]) => (column === "id" ? sql`''` : sql.ref(column));

/** Where the range's nth document behind a place stands, whether it is asked for or not: 0.05 ms for a thousand. */
export async function nthRow(db: Db, range: IndexRange, order: Order, n: number, after?: Cursor) {
  const found = await sql<Cursor>`${behind(db, range, order, [], after)} limit 1 offset ${n - 1}`.execute(db);
  return found.rows[0];
}

/** Reads a range some thousand documents at a time: `read` is given each batch and says whether it wants the next. */
async function inBatches(
  db: Db,
  range: IndexRange,
  order: Order,
  after: Cursor | undefined,
  read: (batch: Expression<unknown>) => Promise<boolean>,
) {
  const columns = ["company_id", ...facts, ...range.columns];
  const atOnce = readAtOnce(db);
  const most = order.column === "date" ? (range.most ?? Infinity) : Infinity;
  let place = after;
  for (let seen = 0; seen < most; seen += atOnce) {
    if (seen > 0) {
      await pause();
      place = await nthRow(db, range, order, atOnce, place);
      if (!place) return;
    }
    const batch = sql`(${behind(db, range, order, columns, place)} limit ${atOnce}) as documents where ${isAskedFor(range)}`;
    if (!(await read(batch))) return;
  }
}

function isAskedFor({ condition, partition, oldest }: IndexRange) {
  const all: Expression<SqlBool>[] = [condition];
  if (oldest) all.push(sql`(documents.date, documents.id) >= (${oldest.key}, ${oldest.id})`);
  if (partition?.notOfBranch !== undefined) {
    all.push(sql`(documents.branch_id is null or documents.branch_id <> ${partition.notOfBranch})`);
  }
  return sql.join(all, sql` and `);
}

/** The first few of a range's documents behind a place that are asked for. */
export async function firstMatches(
  db: Db,
  range: IndexRange,
  order: Order,
  most: number,
  after?: Cursor,
): Promise<Cursor[]> {
  const found: Cursor[] = [];
  if (most > 0) {
    await inBatches(db, range, order, after, async (batch) => {
      const some = sql<Cursor>`select id, key from ${batch} limit ${most - found.length}`;
      found.push(...(await some.execute(db)).rows);
      return found.length < most;
    });
  }
  return found;
}

async function countIn(db: Db, batch: Expression<unknown>, most: number) {
  const counted = sql<{
    count: number;
  }>`select count(*) as count from (select 1 from ${batch} limit ${most}) as counted`;
  return (await counted.execute(db)).rows[0]!.count;
}

/** How many of a range's documents are asked for; counting ends at `most`. */
export async function count(db: Db, range: IndexRange, most: number): Promise<number> {
  let total = 0;
  await inBatches(db, range, { column: "date", isDown: true }, undefined, async (batch) => {
    total += await countIn(db, batch, most - total);
    return total < most;
  });
  return total;
}

/** How many of a range's documents are asked for of each day, by date from one end on until there are `most`. */
export async function countDays(db: Db, range: IndexRange, order: Order, most: number) {
  const days: { day: string; count: number }[] = [];
  let total = 0;
  await inBatches(db, range, order, undefined, async (batch) => {
    const counted = sql<{
      day: string;
      count: number;
    }>`select key as day, count(*) as count from ${batch} group by key`;
    const { rows } = await counted.execute(db);
    days.push(...rows);
    total += rows.reduce((sum, { count }) => sum + count, 0);
    return total < most;
  });
  return days;
}

/** Where the nth of a range's documents that are asked for stands; undefined where there are not so many. */
export async function nthMatch(db: Db, range: IndexRange, order: Order, n: number, after?: Cursor) {
  let rest = n;
  let found: Cursor | undefined;
  await inBatches(db, range, order, after, async (batch) => {
    const there = await countIn(db, batch, rest);
    if (there < rest) {
      rest -= there;
      return true;
    }
    found = (await sql<Cursor>`select id, key from ${batch} limit 1 offset ${rest - 1}`.execute(db)).rows[0];
    return false;
  });
  return found;
}

/** The same where all are asked for, which need not be looked at. */
export async function nthRowInSteps(db: Db, range: IndexRange, order: Order, n: number, after?: Cursor) {
  let place = after;
  for (let rest = n; rest > 0; rest -= skippedAtOnce) {
    place = await nthRow(db, range, order, Math.min(rest, skippedAtOnce), place);
    if (!place) return undefined;
    await pause();
  }
  return place;
}
