import { setImmediate as pause } from "node:timers/promises";
import { type Expression, type Kysely, type SqlBool, sql } from "kysely";
import type { Stretch } from "../access.ts";
import type { Place } from "../contract/cursors.ts";
import { facts, type Shelf, shelves } from "./document-orders.ts";
import type { Tables } from "./tables.ts";

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
  /** Which of the documents there are asked for. */
  condition: Expression<SqlBool>;
  /** Columns that the condition asks about beside the usual ones. */
  columns: string[];
};

/** By `id` alone, or by a column and then the id. */
export type Order = { column: "id" | "date" | "name_key" | "number_key" | "document_type"; isDown: boolean };

/** How many are read at a time: 5 ms with SQLite. */
const atOnce = 20_000;

/** The lane's documents behind a place. */
function windowOf(lane: Lane, { column, isDown }: Order, after: Place | undefined, limit: number) {
  const { companyId, shelf, stretch, from, to, oldest, columns } = lane;
  const key = sql.ref(column);
  const direction = sql.raw(isDown ? "desc" : "asc");
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
  const beyond = sql.raw(isDown ? "<" : ">");
  if (after)
    wheres.push(
      column === "id" ? sql`id ${beyond} ${after.id}` : sql`(${key}, id) ${beyond} (${after.key}, ${after.id})`,
    );
  const selected = [...new Set(["id", "company_id", ...facts, ...columns, column])].map((name) => sql.ref(name));
  const by = column === "id" ? sql`id ${direction}` : sql`${key} ${direction}, id ${direction}`;
  return sql`select ${sql.join(selected)} from documents where ${sql.join(wheres, sql` and `)} order by ${by} limit ${limit}`;
}

const placeAt = ({ column }: Order) => sql`select id, ${column === "id" ? sql`''` : sql.ref(column)} as key`;

/** Where the lane's nth document stands, whether it is asked for or not. */
export async function placeOfNth(
  db: Db,
  lane: Lane,
  order: Order,
  n: number,
  after?: Place,
): Promise<Place | undefined> {
  const window = windowOf(lane, order, after, n);
  const found = await sql<Place>`${placeAt(order)} from (${window}) as documents limit 1 offset ${n - 1}`.execute(db);
  return found.rows[0];
}

/** Reads a lane window by window until `read` has had enough: it is given each and says whether it goes on. */
async function walk(
  db: Db,
  lane: Lane,
  order: Order,
  after: Place | undefined,
  read: (window: Expression<unknown>) => Promise<boolean>,
) {
  for (let place = after; ; await pause()) {
    if (!(await read(windowOf(lane, order, place, atOnce)))) return;
    place = await placeOfNth(db, lane, order, atOnce, place);
    if (!place) return;
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
  await walk(db, lane, order, after, async (window) => {
    const some = sql<Place>`${placeAt(order)} from (${window}) as documents
      where ${isAskedFor(lane)} limit ${most - found.length}`;
    found.push(...(await some.execute(db)).rows);
    return found.length < most;
  });
  return found;
}

/** How many of a lane's documents are asked for; counting ends at `most`. */
export async function count(db: Db, lane: Lane, most: number): Promise<number> {
  let total = 0;
  await walk(db, lane, { column: "date", isDown: true }, undefined, async (window) => {
    const some = sql`select 1 from (${window}) as documents where ${isAskedFor(lane)} limit ${most - total}`;
    const counted = await sql<{ count: number }>`select count(*) as count from (${some}) as counted`.execute(db);
    total += counted.rows[0]!.count;
    return total < most;
  });
  return total;
}

/**
 * The place behind which the lane's documents that are asked for begin after `n` others; undefined where there are not
 * so many.
 */
export async function placeBehind(
  db: Db,
  lane: Lane,
  order: Order,
  n: number,
  after?: Place,
): Promise<Place | undefined> {
  let rest = n;
  let place: Place | undefined;
  await walk(db, lane, order, after, async (window) => {
    const asked = sql`${placeAt(order)} from (${window}) as documents where ${isAskedFor(lane)}`;
    place = (await sql<Place>`${asked} limit 1 offset ${rest - 1}`.execute(db)).rows[0];
    if (place) return false;
    const counted = await sql<{ count: number }>`select count(*) as count from (${asked}) as asked`.execute(db);
    rest -= counted.rows[0]!.count;
    return true;
  });
  return place;
}
