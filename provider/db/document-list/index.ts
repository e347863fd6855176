import { type Kysely, sql } from "kysely";
import type { Actor, Partition } from "../../access.ts";
import type { Cursor } from "../../contract/cursors.ts";
import { newestSearched } from "../../contract/documents.ts";
import { type ListPlan, planList, type Filters, statusesOn } from "./plan.ts";
import { countedDayOfNth, countedDocuments, dayOfNth } from "./day-counters.ts";
import {
  count,
  countDays,
  type IndexRange,
  type Order,
  nthRowInSteps,
  nthMatch,
  nthRow,
  firstMatches,
} from "./range-scan.ts";
import { documentRows } from "../documents.ts";
import { mostCounted } from "../lists.ts";
import { among, countMatching, fewDocuments, matchingIds, readAtOnce } from "../search.ts";
import type { Tables } from "../tables.ts";

/**
 * Lists of documents, as fast with a million of them as with a thousand. Where no more than some thousand can be meant,
 * these are found by an index and sorted; where there are more, the first ones of the list are soon found by walking in
 * its order.
 */

type Db = Kysely<Tables>;

/** A part of the list: behind a place or before one, or, slower the farther it is, after some rows. */
type Part = { size: number; after?: Cursor | undefined; before?: Cursor | undefined; skip?: number };

/** How far one way is gone before another is taken. */
const usual = {
  /** So many of each range are sorted at once where there are several: of two, in 30 ms. */
  sortedAtOnce: 10_000,
  /** Among so many, texts of one or two letters are looked for. */
  newest: newestSearched,
  /** Where counting ends of what the index of texts is not asked for. */
  counted: mostCounted,
};
type Limits = typeof usual & {
  /**
   * Of more than so many, the first ones are found faster by walking. Where the index of texts is plan, counting ends
   * there too: 25 ms earlier than at ten thousand.
   */
  few: number;
};

/** What a list is sorted by: a column that documents are scanned by, or the name of what they belong to. */
type WalkedSort = { by: string; column: Order["column"] };
type NamedSort = { by: string; of: "branches" | "users"; id: "branch_id" | "owner_id" };
type Sort = WalkedSort | NamedSort;
const sorts = {
  name: { by: "documents.name_key", column: "name_key" },
  number: { by: "documents.number_key", column: "number_key" },
  category: { by: "documents.document_type", column: "document_type" },
  date: { by: "documents.date", column: "date" },
  // Those without a branch come before all branches.
  branch: { by: "branches.name_key", of: "branches", id: "branch_id" },
  user: { by: "users.name_key", of: "users", id: "owner_id" },
} satisfies Record<string, Sort>;

const byDate: Order = { column: "date", isDown: true };

export type DocumentList = Awaited<ReturnType<typeof documentList>>;

/** The documents that an actor asks for, in an order such as `-date`. */
export async function documentList(
  db: Db,
  actor: Actor,
  filters: Filters,
  order = "-date",
  given: Partial<Limits> = {},
) {
  const limits: Limits = { ...usual, few: fewDocuments(db), ...given };
  const plan = await planList(db, actor, filters);
  const sort: Sort = sorts[order.replace("-", "") as keyof typeof sorts];
  const isPartial = plan.isShort && (await boundToNewest(db, plan, limits));
  const few = await fewThatMatch(db, plan, sort, limits);
  return {
    /** Whether some were not looked at. */
    isPartial,
    total: () => totalOf(db, plan, few, limits),
    part: (part: Part) => partOf(db, plan, few, { sort, isDown: order.startsWith("-") }, part, limits),
  };
}

/**
 * Has the walks end at the newest documents, all of a side at the same one, so that another order has the same ones.
 * Says whether there are others.
 */
async function boundToNewest(db: Db, { ranges }: ListPlan, { newest }: Limits) {
  for (const documentsIn of Map.groupBy(ranges, ({ side }) => side).values()) {
    const ends = await Promise.all(documentsIn.map((range) => endOf(db, range, newest)));
    const oldest = ends
      .filter((end) => end !== undefined)
      .toSorted(byCursor)
      .at(-1);
    for (const range of documentsIn) Object.assign(range, { oldest, most: newest });
  }
  return ranges.some(({ oldest }) => oldest);
}

/** The last of a range's newest documents, if there are others behind it. */
async function endOf(db: Db, range: IndexRange, newest: number) {
  const last = await (range.partition ? nthRow(db, range, byDate, newest) : nthRowByDay(db, range, newest));
  return last && (await nthRow(db, range, byDate, 1, last)) ? last : undefined;
}

const byCursor = (a: Cursor, b: Cursor) => (a.key === b.key ? a.id - b.id : a.key < b.key ? -1 : 1);

/** The same as `nthRow` of a whole side by date: PostgreSQL takes 7 ms to go past 20,000 documents. */
async function nthRowByDay(db: Db, range: IndexRange, n: number) {
  const days = { statuses: statusesOn(range.side), from: range.from, to: range.to };
  const day = await countedDayOfNth(db, range.companyId, days, byDate, n - 1);
  return day && nthRow(db, range, byDate, n - day.before, day.after);
}

/** The ids among which all are that are asked for, unless they are many. */
async function fewThatMatch(db: Db, plan: ListPlan, sort: Sort, { few }: Limits): Promise<number[] | undefined> {
  const { textMatch, ranges, isShort, isNarrow, from, to } = plan;
  // Of one day there are fewer than have a common text, where they did not all come in at once.
  const isDay =
    textMatch !== undefined &&
    from !== undefined &&
    from === to &&
    (await countedDocuments(db, plan.companyId, plan)) <= readAtOnce(db);
  if (textMatch && !isDay) {
    const ids = await matchingIds(db, textMatch, few + 1);
    if (ids.length <= few) return ids;
  }
  if (!isShort && !isDay && (sort === sorts.date || !(isNarrow || from || to))) return undefined;
  const ids: number[] = [];
  for (const range of ranges)
    ids.push(...(await firstMatches(db, range, byDate, few + 1 - ids.length)).map(({ id }) => id));
  return ids.length <= few ? ids : undefined;
}

async function totalOf(db: Db, plan: ListPlan, few: number[] | undefined, limits: Limits) {
  const { companyId, condition, residualCondition, textMatch, ranges, isWhole, isNarrow, from, to } = plan;
  if (isWhole) return { total: await countedDocuments(db, companyId, plan), isCapped: false };
  const counted = textMatch ? limits.few : limits.counted;
  const most = counted + 1;
  let total = 0;
  if (few && (few.length === 0 || !residualCondition)) {
    total = few.length;
  } else if (few) {
    const rows = db
      .selectFrom("documents")
      .where(among(db, "documents.id", few))
      .where(condition);
    total = (await rows.select((eb) => eb.fn.countAll<number>().as("count")).executeTakeFirstOrThrow()).count;
  } else if (textMatch && !isNarrow && !from && !to) {
    // Without conditions there are more than a few, as is known.
    total = residualCondition ? await countMatching(db, textMatch, residualCondition, most) : most;
  } else {
    for (const range of ranges) if (total < most) total += await count(db, range, most - total);
  }
  return few || total < most ? { total, isCapped: false } : { total: counted, isCapped: true };
}

type Sorted = { sort: Sort; isDown: boolean };

async function partOf(
  db: Db,
  plan: ListPlan,
  few: number[] | undefined,
  sorted: Sorted,
  part: Part,
  { sortedAtOnce }: Limits,
) {
  const { size, before, after } = part;
  const isBackwards = before !== undefined;
  const isDown = sorted.isDown !== isBackwards;
  const start = before ?? after;
  const from: From = { start, skip: start ? 0 : (part.skip ?? 0), most: size + 1, sortedAtOnce };
  const found = few
    ? { ids: few, start }
    : "column" in sorted.sort
      ? await scanned(db, plan, sorted.sort, isDown, from)
      : await scannedByName(db, plan, sorted.sort, isDown, from);
  const rows = await sortedRows(
    db,
    plan,
    found.ids,
    { sort: sorted.sort, isDown },
    { ...from, start: found.start, skip: few ? from.skip : 0 },
  );
  const isMore = rows.length > size;
  const shown = isBackwards ? rows.slice(0, size).toReversed() : rows.slice(0, size);
  const [first, last] = [shown.at(0), shown.at(-1)];
  const isBehind = isBackwards ? isMore : part.after !== undefined || (part.skip ?? 0) > 0;
  return {
    rows: shown,
    next: last && (isBackwards || isMore) ? cursorOf(last) : undefined,
    previous: first && isBehind ? cursorOf(first) : undefined,
  };
}

const cursorOf = ({ key, id }: Cursor): Cursor => ({ key, id });

/** Where a part begins, how many rows are wanted of it, and how many may be sorted at once to find its place. */
type From = { start: Cursor | undefined; skip: number; most: number; sortedAtOnce: number };
/** Ids that the part's rows are among, from where it begins. */
type Found = { ids: number[]; start: Cursor | undefined };

/** Some of the ids, those sorted that are asked for: the last word on what a list shows. */
async function sortedRows(
  db: Db,
  { condition }: ListPlan,
  ids: number[],
  { sort, isDown }: Sorted,
  { start, skip, most }: Omit<From, "sortedAtOnce">,
) {
  if (ids.length === 0) return [];
  const direction = isDown ? "desc" : "asc";
  const key = sql<string>`coalesce(${sql.ref(sort.by)}, '')`;
  const beyond = sql.raw(isDown ? "<" : ">");
  const wanted = db
    .selectFrom("documents")
    .$if("of" in sort, (rows) =>
      rows
        .leftJoin("branches", "branches.id", "documents.branch_id")
        .leftJoin("users", "users.id", "documents.owner_id"),
    )
    .select("documents.id")
    .where(among(db, "documents.id", ids))
    .where(condition)
    .$if(start !== undefined, (rows) =>
      rows.where(sql<boolean>`(${key}, documents.id) ${beyond} (${start!.key}, ${start!.id})`),
    )
    .orderBy(key, direction)
    .orderBy("documents.id", direction)
    .limit(most)
    .offset(skip);
  // What belongs to them is looked up of these only: of a thousand it took PostgreSQL up to 15 ms.
  return documentRows(db)
    .select(key.as("key"))
    .where("documents.id", "in", wanted)
    .orderBy(key, direction)
    .orderBy("documents.id", direction)
    .execute();
}

/** Enough ids to sort the part out of them; where the start was found at once, the part begins there. */
async function scanned(db: Db, plan: ListPlan, sort: WalkedSort, isDown: boolean, from: From): Promise<Found> {
  const order: Order = { column: sort.column, isDown };
  const isByDate = order.column === "date";
  // By date, documents lie together that are of one branch or owner; otherwise only those of the company do.
  const ranges = isByDate ? plan.ranges : rangesWithin(plan.ranges, undefined);
  let { start, skip } = from;
  // Of several ranges, days tell how far to go in each, so that fewer need to be sorted.
  if (skip > 0 && isByDate && (plan.isWhole || ranges.length > 1)) {
    const daysOf = (range: IndexRange) => countDays(db, range, order, skip + 1);
    const day = plan.isWhole
      ? await countedDayOfNth(db, plan.companyId, plan, order, skip)
      : dayOfNth((await Promise.all(ranges.map(daysOf))).flat(), order, skip);
    if (!day) return { ids: [], start };
    [start, skip] = [day.after, skip - day.before];
  }
  if (skip > 0) {
    const nth = plan.isWhole && plan.isEveryRow ? nthRowInSteps : nthMatch;
    start = await (ranges.length === 1
      ? nth(db, ranges[0]!, order, skip, start)
      : nthMatchOfRanges(db, plan, ranges, order, sort, { ...from, start, skip }));
    if (!start) return { ids: [], start };
  }
  return { ids: await firstIds(db, ranges, order, from.most, start), start };
}

/** Where the last of several ranges' rows stands that are skipped: in steps, so that nobody waits for all to be sorted. */
async function nthMatchOfRanges(db: Db, plan: ListPlan, ranges: IndexRange[], order: Order, sort: Sort, from: From) {
  let place = from.start;
  for (let rest = from.skip; rest > 0; rest -= from.sortedAtOnce) {
    const step = Math.min(rest, from.sortedAtOnce);
    const ids = await firstIds(db, ranges, order, step, place);
    const sorted = { sort, isDown: order.isDown };
    const [row] = await sortedRows(db, plan, ids, sorted, { ...from, start: place, skip: step - 1, most: 1 });
    if (!row) return undefined;
    place = cursorOf(row);
  }
  return place;
}

/** The ids of each range's first rows behind a place. */
async function firstIds(db: Db, ranges: IndexRange[], order: Order, most: number, after?: Cursor) {
  const places = await Promise.all(ranges.map((range) => firstMatches(db, range, order, most, after)));
  return places.flat().map(({ id }) => id);
}

/** The same where the order is by the name of what documents belong to: one branch or user after the other. */
async function scannedByName(db: Db, plan: ListPlan, sort: NamedSort, isDown: boolean, from: From): Promise<Found> {
  const order: Order = { column: "id", isDown };
  let { start, skip } = from;
  const ids: number[] = [];
  for (const { key, owners } of await namesOf(db, plan.companyId, sort, isDown, start)) {
    const ranges = owners.flatMap((value) => rangesWithin(plan.ranges, { column: sort.id, value }));
    if (skip > 0) {
      let there = 0;
      for (const range of ranges) if (there <= skip) there += await count(db, range, skip + 1 - there);
      if (there <= skip) {
        skip -= there;
        continue;
      }
      const place = await (ranges.length === 1
        ? nthMatch(db, ranges[0]!, order, skip)
        : nthMatchOfRanges(db, plan, ranges, order, sort, { ...from, skip }));
      // Removed since they were counted.
      if (!place) break;
      [start, skip] = [{ key, id: place.id }, 0];
    }
    ids.push(...(await firstIds(db, ranges, order, from.most, key === start?.key ? start : undefined)));
    if (ids.length >= from.most) break;
  }
  return { ids, start };
}

/** One range of each side: of a branch or user, or of the whole company. */
const rangesWithin = (ranges: IndexRange[], partition: Partition | undefined): IndexRange[] =>
  [...new Map(ranges.map((range) => [range.side, range])).values()].map((range) => ({
    ...range,
    partition,
    most: Infinity,
  }));

/** Names in their order from one on, each with those who have it. */
async function namesOf(
  db: Db,
  companyId: number,
  { of }: { of: "branches" | "users" },
  isDown: boolean,
  start?: Cursor,
) {
  const rows = await db
    .selectFrom(of)
    .where("company_id", "=", companyId)
    .$if(start !== undefined, (all) => all.where("name_key", isDown ? "<=" : ">=", start!.key))
    .orderBy("name_key", isDown ? "desc" : "asc")
    .select(["id", "name_key"])
    .execute();
  const names = [...Map.groupBy(rows, ({ name_key }) => name_key)].map(([key, named]) => ({
    key,
    owners: named.map(({ id }): number | null => id),
  }));
  const isNoneIn = of === "branches" && (isDown || !start || start.key === "");
  if (!isNoneIn) return names;
  const none = { key: "", owners: [null] };
  return isDown ? [...names, none] : [none, ...names];
}
