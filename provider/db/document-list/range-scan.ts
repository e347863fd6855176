import { setImmediate as pause } from "node:timers/promises";
import { type Expression, type Kysely, type SqlBool, sql } from "kysely";
import type { Stretch } from "../../access.ts";
import type { Place } from "../../contract/cursors.ts";
import { throughIndex } from "#storage/database.ts";
import { facts, indexOf, type Shelf, shelves } from "./indexes.ts";
import { readAtOnce } from "../search.ts";
import type { Tables } from "../tables.ts";

/**
 * Documents are read in the order that an index has them, and those left out that are not asked for: some thousands at
 * a time, so that however rare the others are, nobody else waits for long.
 */

type Db = Kysely<Tables>;

/** Documents that lie together in an index. */
export type Lane = {
  companyId: number;
  shelf: Shelf;
  stretch?: Stretch | undefined;
  /** First and last date, where the order is by date. */
  from?: string | undefined;
  to?: string | undefined;
  /** Where an order by date ends: no document that is older is looked at. */
  oldest?: Place | undefined;
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

/** Some columns of the lane's documents behind a place, in their order. */
function behind(db: Db, lane: Lane, { column, isDown }: Order, columns: string[], after?: Place) {
  const { companyId, shelf, stretch, from, to, oldest } = lane;
  const [key, direction, beyond] = [sql.ref(column), sql.raw(isDown ? "desc" : "asc"), sql.raw(isDown ? "<" : ">")];
  const wheres = [sql`company_id = ${companyId}`, shelves[shelf]];
  if (stretch) {
    const lies = sql.ref(stretch.column);
    wheres.push(stretch.value === null ? sql`${lies} is null` : sql`${lies} = ${stretch.value}`);
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
    indexOf(shelf, stretch ? `${stretch.column}_${narrowly(column)}` : whole(column)),
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

/** Where the lane's nth document behind a place stands, whether it is asked for or not: 0.05 ms for a thousand. */
export async function placeOfNth(db: Db, lane: Lane, order: Order, n: number, after?: Place) {
  const found = await sql<Place>`${behind(db, lane, order, [], after)} limit 1 offset ${n - 1}`.execute(db);
  return found.rows[0];
}

/** Reads a lane some thousand documents at a time: `read` is given each lot and says whether it wants the next. */
async function walk(
  db: Db,
  lane: Lane,
  order: Order,
  after: Place | undefined,
  read: (lot: Expression<unknown>) => Promise<boolean>,
) {
  const columns = ["company_id", ...facts, ...lane.columns];
  const atOnce = readAtOnce(db);
  const most = order.column === "date" ? (lane.most ?? Infinity) : Infinity;
  let place = after;
  for (let seen = 0; seen < most; seen += atOnce) {
    if (seen > 0) {
      await pause();
      place = await placeOfNth(db, lane, order, atOnce, place);
      if (!place) return;
    }
    const lot = sql`(${behind(db, lane, order, columns, place)} limit ${atOnce}) as documents where ${isAskedFor(lane)}`;
    if (!(await read(lot))) return;
  }
}

function isAskedFor({ condition, stretch, oldest }: Lane) {
  const all: Expression<SqlBool>[] = [condition];
  if (oldest) all.push(sql`(documents.date, documents.id) >= (${oldest.key}, ${oldest.id})`);
  if (stretch?.notOfBranch !== undefined) {
    all.push(sql`(documents.branch_id is null or documents.branch_id <> ${stretch.notOfBranch})`);
  }
  return sql.join(all, sql` and `);
}

/** The first few of a lane's documents behind a place that are asked for. */
export async function take(db: Db, lane: Lane, order: Order, most: number, after?: Place): Promise<Place[]> {
  const found: Place[] = [];
  if (most > 0) {
    await walk(db, lane, order, after, async (lot) => {
      const some = sql<Place>`select id, key from ${lot} limit ${most - found.length}`;
      found.push(...(await some.execute(db)).rows);
      return found.length < most;
    });
  }
  return found;
}

async function countIn(db: Db, lot: Expression<unknown>, most: number) {
  const counted = sql<{ count: number }>`select count(*) as count from (select 1 from ${lot} limit ${most}) as counted`;
  return (await counted.execute(db)).rows[0]!.count;
}

/** How many of a lane's documents are asked for; counting ends at `most`. */
export async function count(db: Db, lane: Lane, most: number): Promise<number> {
  let total = 0;
  await walk(db, lane, { column: "date", isDown: true }, undefined, async (lot) => {
    total += await countIn(db, lot, most - total);
    return total < most;
  });
  return total;
}

/** How many of a lane's documents are asked for of each day, by date from one end on until there are `most`. */
export async function countDays(db: Db, lane: Lane, order: Order, most: number) {
  const days: { day: string; count: number }[] = [];
  let total = 0;
  await walk(db, lane, order, undefined, async (lot) => {
    const counted = sql<{ day: string; count: number }>`select key as day, count(*) as count from ${lot} group by key`;
    const { rows } = await counted.execute(db);
    days.push(...rows);
    total += rows.reduce((sum, { count }) => sum + count, 0);
    return total < most;
  });
  return days;
}

/** Where the nth of a lane's documents that are asked for stands; undefined where there are not so many. */
export async function placeOfAsked(db: Db, lane: Lane, order: Order, n: number, after?: Place) {
  let rest = n;
  let found: Place | undefined;
  await walk(db, lane, order, after, async (lot) => {
    const there = await countIn(db, lot, rest);
    if (there < rest) {
      rest -= there;
      return true;
    }
    found = (await sql<Place>`select id, key from ${lot} limit 1 offset ${rest - 1}`.execute(db)).rows[0];
    return false;
  });
  return found;
}

/** The same where all are asked for, which need not be looked at. */
export async function placeOfAny(db: Db, lane: Lane, order: Order, n: number, after?: Place) {
  let place = after;
  for (let rest = n; rest > 0; rest -= skippedAtOnce) {
    place = await placeOfNth(db, lane, order, Math.min(rest, skippedAtOnce), place);
    if (!place) return undefined;
    await pause();
  }
  return place;
}
