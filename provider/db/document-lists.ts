import { type Kysely, sql } from "kysely";
import type { Actor, Stretch } from "../access.ts";
import type { Place } from "../contract/cursors.ts";
import { newestSearched } from "../contract/documents.ts";
import { type Asked, askedFor, type Filters, statusesOn } from "./document-asked.ts";
import { countedByDay, countedDocuments, dayOfNth } from "./document-days.ts";
import {
  count,
  countDays,
  type Lane,
  type Order,
  placeOfAny,
  placeOfAsked,
  placeOfNth,
  take,
} from "./document-walk.ts";
import { documentRows } from "./documents.ts";
import { mostCounted } from "./lists.ts";
import { among, countHaving, idsHaving } from "./search.ts";
import type { Tables } from "./tables.ts";

/**
 * Lists of documents, as fast with a million of them as with a thousand. Where no more than some thousand can be meant,
 * these are found by an index and sorted; where there are more, the first ones of the list are soon found by walking in
 * its order.
 */

type Db = Kysely<Tables>;

/** A part of the list: behind a place or before one, or, slower the farther it is, after some rows. */
export type Part = { size: number; after?: Place | undefined; before?: Place | undefined; skip?: number };

/** How far one way is gone before another is taken. */
const usual = {
  /** So many are sorted in 5 ms; of more, the first ones are found faster by walking. */
  few: 2500,
  /** Among so many, texts of one or two letters are looked for. */
  newest: newestSearched,
  /** Where counting ends, and where it does if each that has a text must be looked at: 25 ms earlier. */
  counted: mostCounted,
  countedByText: 2500,
};
export type Limits = typeof usual;

/** What a list is sorted by: a column that documents are walked by, or the name of what they belong to. */
type Sort =
  { by: string; column: Order["column"] } | { by: string; of: "branches" | "users"; id: "branch_id" | "owner_id" };
const sorts = {
  name: { by: "documents.name_key", column: "name_key" },
  number: { by: "documents.number_key", column: "number_key" },
  category: { by: "documents.document_type", column: "document_type" },
  date: { by: "documents.date", column: "date" },
  // Those without a branch come before all branches.
  branch: { by: "branches.name_key", of: "branches", id: "branch_id" },
  user: { by: "users.name_key", of: "users", id: "owner_id" },
} satisfies Record<string, Sort>;
export type SortName = keyof typeof sorts;

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
  const limits = { ...usual, ...given };
  const asked = await askedFor(db, actor, filters);
  const sort: Sort = sorts[order.replace("-", "") as SortName];
  const isPartial = asked.isShort && (await endAtNewest(db, asked, limits));
  const having = await countByTextAlone(db, asked, limits);
  const isMany = having !== undefined && having > limits.few;
  const few = isMany ? undefined : await fewThatMatch(db, asked, sort, limits);
  return {
    /** Whether some were not looked at. */
    isPartial,
    total: () => totalOf(db, asked, few, having, limits),
    part: (part: Part) => partOf(db, asked, few, { sort, isDown: order.startsWith("-") }, part),
  };
}

/** Has the walks end at the newest documents. Says whether there are others. */
async function endAtNewest(db: Db, { lanes }: Asked, { newest }: Limits) {
  for (const lane of lanes) {
    const last = await (lane.stretch ? placeOfNth(db, lane, byDate, newest) : placeByDay(db, lane, newest));
    if (last && (await placeOfNth(db, lane, byDate, 1, last))) lane.oldest = last;
    lane.most = newest;
  }
  return lanes.some(({ oldest }) => oldest);
}

/** The same as `placeOfNth` of a whole shelf by date: PostgreSQL takes 18 ms to go past 50,000 documents. */
async function placeByDay(db: Db, lane: Lane, n: number) {
  const days = { statuses: statusesOn(lane.shelf), from: lane.from, to: lane.to };
  const day = dayOfNth(await countedByDay(db, lane.companyId, days), byDate, n - 1);
  return day && placeOfNth(db, lane, byDate, n - day.before, day.after);
}

/** How many are asked for, and no more than must be counted, where texts are all that is asked. */
async function countByTextAlone(db: Db, { having, conditionBesides }: Asked, { counted }: Limits) {
  return having && !conditionBesides ? countHaving(db, having, undefined, counted + 1) : undefined;
}

/** The ids among which all are that are asked for, unless they are many. */
async function fewThatMatch(db: Db, asked: Asked, sort: Sort, { few }: Limits): Promise<number[] | undefined> {
  const { having, lanes, isShort, isNarrow, from, to } = asked;
  const ids: number[] = [];
  if (having) ids.push(...(await idsHaving(db, having, few + 1)));
  else if (isShort || (sort !== sorts.date && (isNarrow || from || to))) {
    for (const lane of lanes) ids.push(...(await take(db, lane, byDate, few + 1 - ids.length)).map(({ id }) => id));
  } else return undefined;
  return ids.length <= few ? ids : undefined;
}

async function totalOf(
  db: Db,
  asked: Asked,
  few: number[] | undefined,
  byTextAlone: number | undefined,
  limits: Limits,
) {
  const { companyId, condition, conditionBesides, having, lanes, isWhole, isNarrow, from, to } = asked;
  if (isWhole) return { total: await countedDocuments(db, companyId, asked), isCapped: false };
  const counted = having && conditionBesides ? limits.countedByText : limits.counted;
  const most = counted + 1;
  let total = 0;
  if (few) {
    const rows = db
      .selectFrom("documents")
      .where(among(db, "documents.id", few))
      .where(condition);
    total = (await rows.select((eb) => eb.fn.countAll<number>().as("count")).executeTakeFirstOrThrow()).count;
  } else if (byTextAlone !== undefined) {
    total = byTextAlone;
  } else if (having && !isNarrow && !from && !to) {
    total = await countHaving(db, having, conditionBesides, most);
  } else {
    for (const lane of lanes) if (total < most) total += await count(db, lane, most - total);
  }
  return few || total < most ? { total, isCapped: false } : { total: counted, isCapped: true };
}

type Sorted = { sort: Sort; isDown: boolean };

async function partOf(db: Db, asked: Asked, few: number[] | undefined, sorted: Sorted, part: Part) {
  const { size, before, after } = part;
  const isBackwards = before !== undefined;
  const isDown = sorted.isDown !== isBackwards;
  const start = before ?? after;
  const from: From = { start, skip: start ? 0 : (part.skip ?? 0), most: size + 1 };
  const found = few
    ? { ids: few, from }
    : "column" in sorted.sort
      ? await walked(db, asked, { column: sorted.sort.column, isDown }, from)
      : await walkedByName(db, asked, sorted.sort, isDown, from);
  const rows = await sortedRows(db, asked, found.ids, { sort: sorted.sort, isDown }, found.from);
  const isMore = rows.length > size;
  const shown = isBackwards ? rows.slice(0, size).toReversed() : rows.slice(0, size);
  const [first, last] = [shown.at(0), shown.at(-1)];
  const isBehind = isBackwards ? isMore : part.after !== undefined || (part.skip ?? 0) > 0;
  return {
    rows: shown,
    next: last && (isBackwards || isMore) ? placeOf(last) : undefined,
    previous: first && isBehind ? placeOf(first) : undefined,
  };
}

const placeOf = ({ key, id }: Place): Place => ({ key, id });

/** Where a part begins, and how many rows are wanted of it. */
type From = { start: Place | undefined; skip: number; most: number };

/** Some of the ids, those sorted that are asked for: the last word on what a list shows. */
async function sortedRows(
  db: Db,
  { condition }: Asked,
  ids: number[],
  { sort, isDown }: Sorted,
  { start, skip, most }: From,
) {
  const direction = isDown ? "desc" : "asc";
  const key = sql<string>`coalesce(${sql.ref(sort.by)}, '')`;
  const beyond = sql.raw(isDown ? "<" : ">");
  return documentRows(db)
    .select(key.as("key"))
    .where(among(db, "documents.id", ids))
    .where(condition)
    .$if(start !== undefined, (rows) =>
      rows.where(sql<boolean>`(${key}, documents.id) ${beyond} (${start!.key}, ${start!.id})`),
    )
    .orderBy(key, direction)
    .orderBy("documents.id", direction)
    .limit(most)
    .offset(skip)
    .execute();
}

/** Enough ids to sort the part out of them; where the start was found at once, the part begins there. */
async function walked(db: Db, asked: Asked, order: Order, from: From): Promise<{ ids: number[]; from: From }> {
  const isByDate = order.column === "date";
  // By date, documents lie together that are of one branch or owner; otherwise only those of the company do.
  const lanes = isByDate ? asked.lanes : lanesWithin(asked.lanes, undefined);
  let { start, skip, most } = from;
  // Of several lanes, days tell how far to go in each: 10,000 ids of two took 30 ms to be sorted.
  if (skip > 0 && isByDate && (asked.isWhole || lanes.length > 1)) {
    const days = asked.isWhole
      ? await countedByDay(db, asked.companyId, asked)
      : (await Promise.all(lanes.map((lane) => countDays(db, lane, order, skip + 1)))).flat();
    const day = dayOfNth(days, order, skip);
    if (!day) return { ids: [], from };
    [start, skip] = [day.after, skip - day.before];
  }
  if (skip > 0 && lanes.length === 1) {
    const nth = asked.isWhole && asked.isWholeShelf ? placeOfAny : placeOfAsked;
    start = await nth(db, lanes[0]!, order, skip, start);
    if (!start) return { ids: [], from };
    skip = 0;
  }
  const places = await Promise.all(lanes.map((lane) => take(db, lane, order, skip + most, start)));
  return { ids: places.flat().map(({ id }) => id), from: { start, skip, most } };
}

/** The same where the order is by the name of what documents belong to: one branch or user after the other. */
async function walkedByName(db: Db, asked: Asked, sort: Extract<Sort, { of: string }>, isDown: boolean, from: From) {
  const order: Order = { column: "id", isDown };
  const { start } = from;
  let { skip } = from;
  const ids: number[] = [];
  for (const { key, owners } of await namesOf(db, asked.companyId, sort, isDown, start)) {
    const lanes = owners.flatMap((value) => lanesWithin(asked.lanes, { column: sort.id, value }));
    if (skip > 0 && ids.length === 0) {
      let there = 0;
      for (const lane of lanes) if (there <= skip) there += await count(db, lane, skip + 1 - there);
      if (there <= skip) {
        skip -= there;
        continue;
      }
    }
    for (const lane of lanes) {
      const places = await take(db, lane, order, skip + from.most, key === start?.key ? start : undefined);
      ids.push(...places.map(({ id }) => id));
    }
    if (ids.length >= skip + from.most) break;
  }
  return { ids, from: { ...from, start, skip } };
}

/** One lane of each shelf: of a branch or user, or of the whole company. */
const lanesWithin = (lanes: Lane[], stretch: Stretch | undefined): Lane[] =>
  [...new Map(lanes.map((lane) => [lane.shelf, lane])).values()].map((lane) => ({ ...lane, stretch }));

/** Names in their order from one on, each with those who have it. */
async function namesOf(
  db: Db,
  companyId: number,
  { of }: { of: "branches" | "users" },
  isDown: boolean,
  start?: Place,
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
