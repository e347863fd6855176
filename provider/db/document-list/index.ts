import { type Kysely, sql } from "kysely";
import type { Actor, Stretch } from "../../access.ts";
import type { Place } from "../../contract/cursors.ts";
import { newestSearched } from "../../contract/documents.ts";
import { type Asked, askedFor, type Filters, statusesOn } from "./plan.ts";
import { countedDayOfNth, countedDocuments, dayOfNth } from "./day-counters.ts";
import { count, countDays, type Lane, type Order, placeOfAny, placeOfAsked, placeOfNth, take } from "./range-scan.ts";
import { documentRows } from "../documents.ts";
import { mostCounted } from "../lists.ts";
import { among, countHaving, fewDocuments, idsHaving, readAtOnce } from "../search.ts";
import type { Tables } from "../tables.ts";

/**
 * Lists of documents, as fast with a million of them as with a thousand. Where no more than some thousand can be meant,
 * these are found by an index and sorted; where there are more, the first ones of the list are soon found by walking in
 * its order.
 */

type Db = Kysely<Tables>;

/** A part of the list: behind a place or before one, or, slower the farther it is, after some rows. */
type Part = { size: number; after?: Place | undefined; before?: Place | undefined; skip?: number };

/** How far one way is gone before another is taken. */
const usual = {
  /** So many of each lane are sorted at once where there are several: of two, in 30 ms. */
  sortedAtOnce: 10_000,
  /** Among so many, texts of one or two letters are looked for. */
  newest: newestSearched,
  /** Where counting ends of what the index of texts is not asked for. */
  counted: mostCounted,
};
type Limits = typeof usual & {
  /**
   * Of more than so many, the first ones are found faster by walking. Where the index of texts is asked, counting ends
   * there too: 25 ms earlier than at ten thousand.
   */
  few: number;
};

/** What a list is sorted by: a column that documents are walked by, or the name of what they belong to. */
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
  const asked = await askedFor(db, actor, filters);
  const sort: Sort = sorts[order.replace("-", "") as keyof typeof sorts];
  const isPartial = asked.isShort && (await endAtNewest(db, asked, limits));
  const few = await fewThatMatch(db, asked, sort, limits);
  return {
    /** Whether some were not looked at. */
    isPartial,
    total: () => totalOf(db, asked, few, limits),
    part: (part: Part) => partOf(db, asked, few, { sort, isDown: order.startsWith("-") }, part, limits),
  };
}

/**
 * Has the walks end at the newest documents, all of a shelf at the same one, so that another order has the same ones.
 * Says whether there are others.
 */
async function endAtNewest(db: Db, { lanes }: Asked, { newest }: Limits) {
  for (const onShelf of Map.groupBy(lanes, ({ shelf }) => shelf).values()) {
    const ends = await Promise.all(onShelf.map((lane) => endOf(db, lane, newest)));
    const oldest = ends
      .filter((end) => end !== undefined)
      .toSorted(byPlace)
      .at(-1);
    for (const lane of onShelf) Object.assign(lane, { oldest, most: newest });
  }
  return lanes.some(({ oldest }) => oldest);
}

/** The last of a lane's newest documents, if there are others behind it. */
async function endOf(db: Db, lane: Lane, newest: number) {
  const last = await (lane.stretch ? placeOfNth(db, lane, byDate, newest) : placeByDay(db, lane, newest));
  return last && (await placeOfNth(db, lane, byDate, 1, last)) ? last : undefined;
}

const byPlace = (a: Place, b: Place) => (a.key === b.key ? a.id - b.id : a.key < b.key ? -1 : 1);

/** The same as `placeOfNth` of a whole shelf by date: PostgreSQL takes 7 ms to go past 20,000 documents. */
async function placeByDay(db: Db, lane: Lane, n: number) {
  const days = { statuses: statusesOn(lane.shelf), from: lane.from, to: lane.to };
  const day = await countedDayOfNth(db, lane.companyId, days, byDate, n - 1);
  return day && placeOfNth(db, lane, byDate, n - day.before, day.after);
}

/** The ids among which all are that are asked for, unless they are many. */
async function fewThatMatch(db: Db, asked: Asked, sort: Sort, { few }: Limits): Promise<number[] | undefined> {
  const { having, lanes, isShort, isNarrow, from, to } = asked;
  // Of one day there are fewer than have a common text, where they did not all come in at once.
  const isDay =
    having !== undefined &&
    from !== undefined &&
    from === to &&
    (await countedDocuments(db, asked.companyId, asked)) <= readAtOnce(db);
  if (having && !isDay) {
    const ids = await idsHaving(db, having, few + 1);
    if (ids.length <= few) return ids;
  }
  if (!isShort && !isDay && (sort === sorts.date || !(isNarrow || from || to))) return undefined;
  const ids: number[] = [];
  for (const lane of lanes) ids.push(...(await take(db, lane, byDate, few + 1 - ids.length)).map(({ id }) => id));
  return ids.length <= few ? ids : undefined;
}

async function totalOf(db: Db, asked: Asked, few: number[] | undefined, limits: Limits) {
  const { companyId, condition, conditionBesides, having, lanes, isWhole, isNarrow, from, to } = asked;
  if (isWhole) return { total: await countedDocuments(db, companyId, asked), isCapped: false };
  const counted = having ? limits.few : limits.counted;
  const most = counted + 1;
  let total = 0;
  if (few && (few.length === 0 || !conditionBesides)) {
    total = few.length;
  } else if (few) {
    const rows = db
      .selectFrom("documents")
      .where(among(db, "documents.id", few))
      .where(condition);
    total = (await rows.select((eb) => eb.fn.countAll<number>().as("count")).executeTakeFirstOrThrow()).count;
  } else if (having && !isNarrow && !from && !to) {
    // Without conditions there are more than a few, as is known.
    total = conditionBesides ? await countHaving(db, having, conditionBesides, most) : most;
  } else {
    for (const lane of lanes) if (total < most) total += await count(db, lane, most - total);
  }
  return few || total < most ? { total, isCapped: false } : { total: counted, isCapped: true };
}

type Sorted = { sort: Sort; isDown: boolean };

async function partOf(
  db: Db,
  asked: Asked,
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
      ? await walked(db, asked, sorted.sort, isDown, from)
      : await walkedByName(db, asked, sorted.sort, isDown, from);
  const rows = await sortedRows(
    db,
    asked,
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
    next: last && (isBackwards || isMore) ? placeOf(last) : undefined,
    previous: first && isBehind ? placeOf(first) : undefined,
  };
}

const placeOf = ({ key, id }: Place): Place => ({ key, id });

/** Where a part begins, how many rows are wanted of it, and how many may be sorted at once to find its place. */
type From = { start: Place | undefined; skip: number; most: number; sortedAtOnce: number };
/** Ids that the part's rows are among, from where it begins. */
type Found = { ids: number[]; start: Place | undefined };

/** Some of the ids, those sorted that are asked for: the last word on what a list shows. */
async function sortedRows(
  db: Db,
  { condition }: Asked,
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
async function walked(db: Db, asked: Asked, sort: WalkedSort, isDown: boolean, from: From): Promise<Found> {
  const order: Order = { column: sort.column, isDown };
  const isByDate = order.column === "date";
  // By date, documents lie together that are of one branch or owner; otherwise only those of the company do.
  const lanes = isByDate ? asked.lanes : lanesWithin(asked.lanes, undefined);
  let { start, skip } = from;
  // Of several lanes, days tell how far to go in each, so that fewer need to be sorted.
  if (skip > 0 && isByDate && (asked.isWhole || lanes.length > 1)) {
    const daysOf = (lane: Lane) => countDays(db, lane, order, skip + 1);
    const day = asked.isWhole
      ? await countedDayOfNth(db, asked.companyId, asked, order, skip)
      : dayOfNth((await Promise.all(lanes.map(daysOf))).flat(), order, skip);
    if (!day) return { ids: [], start };
    [start, skip] = [day.after, skip - day.before];
  }
  if (skip > 0) {
    const nth = asked.isWhole && asked.isWholeShelf ? placeOfAny : placeOfAsked;
    start = await (lanes.length === 1
      ? nth(db, lanes[0]!, order, skip, start)
      : placeAmong(db, asked, lanes, order, sort, { ...from, start, skip }));
    if (!start) return { ids: [], start };
  }
  return { ids: await firstIds(db, lanes, order, from.most, start), start };
}

/** Where the last of several lanes' rows stands that are skipped: in steps, so that nobody waits for all to be sorted. */
async function placeAmong(db: Db, asked: Asked, lanes: Lane[], order: Order, sort: Sort, from: From) {
  let place = from.start;
  for (let rest = from.skip; rest > 0; rest -= from.sortedAtOnce) {
    const step = Math.min(rest, from.sortedAtOnce);
    const ids = await firstIds(db, lanes, order, step, place);
    const sorted = { sort, isDown: order.isDown };
    const [row] = await sortedRows(db, asked, ids, sorted, { ...from, start: place, skip: step - 1, most: 1 });
    if (!row) return undefined;
    place = placeOf(row);
  }
  return place;
}

/** The ids of each lane's first rows behind a place. */
async function firstIds(db: Db, lanes: Lane[], order: Order, most: number, after?: Place) {
  const places = await Promise.all(lanes.map((lane) => take(db, lane, order, most, after)));
  return places.flat().map(({ id }) => id);
}

/** The same where the order is by the name of what documents belong to: one branch or user after the other. */
async function walkedByName(db: Db, asked: Asked, sort: NamedSort, isDown: boolean, from: From): Promise<Found> {
  const order: Order = { column: "id", isDown };
  let { start, skip } = from;
  const ids: number[] = [];
  for (const { key, owners } of await namesOf(db, asked.companyId, sort, isDown, start)) {
    const lanes = owners.flatMap((value) => lanesWithin(asked.lanes, { column: sort.id, value }));
    if (skip > 0) {
      let there = 0;
      for (const lane of lanes) if (there <= skip) there += await count(db, lane, skip + 1 - there);
      if (there <= skip) {
        skip -= there;
        continue;
      }
      const place = await (lanes.length === 1
        ? placeOfAsked(db, lanes[0]!, order, skip)
        : placeAmong(db, asked, lanes, order, sort, { ...from, skip }));
      // Removed since they were counted.
      if (!place) break;
      [start, skip] = [{ key, id: place.id }, 0];
    }
    ids.push(...(await firstIds(db, lanes, order, from.most, key === start?.key ? start : undefined)));
    if (ids.length >= from.most) break;
  }
  return { ids, start };
}

/** One lane of each shelf: of a branch or user, or of the whole company. */
const lanesWithin = (lanes: Lane[], stretch: Stretch | undefined): Lane[] =>
  [...new Map(lanes.map((lane) => [lane.shelf, lane])).values()].map((lane) => ({ ...lane, stretch, most: Infinity }));

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
