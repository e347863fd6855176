import type { Cursor } from "../../contract/cursors.ts";
import type { Db } from "../../db/tables.ts";
import { cursorBeforeDay } from "./day-counters.ts";
import { type ListPlan, scanOf } from "./plan.ts";
import { firstMatches, type Match, nthRow, type RangeScan, skipMatches } from "./range-scan.ts";
import { type Sort, sortedRows, type Window } from "./sort.ts";
import type { ColumnSort, OwnerSort } from "./indexes.ts";

/** Rows behind a cursor or before one, or behind the first `skip`. */
export type PageQuery = { size: number; after?: Cursor | undefined; before?: Cursor | undefined; skip?: number };

/** A list as its pages are read. `collected` are all matches, if these are few. */
export type OpenList = { plan: ListPlan; sort: Sort; collected: Match[] | undefined };

/** A page's rows, with the cursors of the pages beside it. */
export async function readPage(
  db: Db,
  { plan, sort, collected }: OpenList,
  { size, after, before, skip = 0 }: PageQuery,
) {
  const isBackwards = before !== undefined;
  const readOrder: Sort = { by: sort.by, isDescending: sort.isDescending !== isBackwards };
  const start = before ?? after;
  const window: Window = { after: start, skip: start ? 0 : skip, limit: size + 1 };
  const rows = collected
    ? await sortedRows(db, plan, { ...readOrder, ...windowOf(collected, readOrder, window) })
    : await scannedRows(db, plan, readOrder, window);
  const isMore = rows.length > size;
  const pageRows = isBackwards ? rows.slice(0, size).toReversed() : rows.slice(0, size);
  const [first, last] = [pageRows.at(0), pageRows.at(-1)];
  const hasPrevious = isBackwards ? isMore : after !== undefined || skip > 0;
  return {
    rows: pageRows,
    next: last && (isBackwards || isMore) ? cursorOf(last) : undefined,
    previous: first && hasPrevious ? cursorOf(first) : undefined,
  };
}

/** The window's ids if the dates of all matches are known: looking 5,000 up to sort them takes SQLite 5 ms. */
function windowOf(matches: Match[], { by, isDescending }: Sort, window: Window): Window & { ids: number[] } {
  const isByDate = "column" in by && by.column === "date" && matches.every(({ date }) => date !== undefined);
  if (!isByDate) return { ...window, ids: matches.map(({ id }) => id) };
  const { after, skip, limit } = window;
  const sign = isDescending ? -1 : 1;
  const compare = (one: Match, other: Match) =>
    sign * (one.date === other.date ? one.id - other.id : one.date! < other.date! ? -1 : 1);
  const rest = after ? matches.filter((match) => compare(match, { id: after.id, date: after.key }) > 0) : matches;
  const ids = rest.toSorted(compare).slice(skip, skip + limit);
  return { ids: ids.map(({ id }) => id), skip: 0, limit };
}

const cursorOf = ({ key, id }: Cursor): Cursor => ({ key, id });

async function scannedRows(db: Db, plan: ListPlan, sort: Sort, window: Window) {
  const { by, isDescending } = sort;
  const ids =
    "column" in by
      ? await idsByColumn(db, plan, { by, isDescending }, window)
      : await idsByOwner(db, plan, { by, isDescending }, window);
  return sortedRows(db, plan, { ...sort, ids, skip: 0, limit: window.limit });
}

type By<Column> = { by: Column; isDescending: boolean };
const idsOf = (cursors: Cursor[]) => cursors.map(({ id }) => id);

async function idsByColumn(db: Db, plan: ListPlan, { by, isDescending }: By<ColumnSort>, window: Window) {
  const scan = scanOf(plan, { column: by.column, isDescending });
  const after = window.skip > 0 ? await cursorAfter(db, plan, scan, window.skip) : window.after;
  // Fewer rows than are to be skipped.
  if (window.skip > 0 && !after) return [];
  return idsOf(await firstMatches(db, { ...scan, after }, window.limit));
}

/** The cursor behind which a page is whose number was typed. */
async function cursorAfter(db: Db, plan: ListPlan, scan: RangeScan, skip: number): Promise<Cursor | undefined> {
  if (plan.isCountedByDay && scan.order.column === "date" && !scan.after) {
    const day = await cursorBeforeDay(db, plan, scan.order, skip);
    return day && day.skip > 0 ? cursorAfter(db, plan, { ...scan, after: day.cursor }, day.skip) : day?.cursor;
  }
  return plan.isEveryRow ? nthRow(db, scan, skip) : (await skipMatches(db, scan, skip)).after;
}

/** The same by the name of what documents belong to: one branch or user after the other. */
async function idsByOwner(db: Db, plan: ListPlan, { by, isDescending }: By<OwnerSort>, { after, skip, limit }: Window) {
  const whole = scanOf(plan, { column: "id", isDescending });
  const ids: number[] = [];
  let rest = skip;
  for (const { key, owners } of await namesOf(db, plan.companyId, { by, isDescending }, after)) {
    const ranges = owners.flatMap((value) =>
      whole.ranges.map(({ side }) => ({ side, partition: { column: by.id, value } })),
    );
    const scan: RangeScan = { ...whole, ranges, after: key === after?.key ? after : undefined };
    if (rest > 0) {
      const skipped = await skipMatches(db, scan, rest);
      rest = skipped.rest;
      if (rest > 0) continue;
      scan.after = skipped.after;
    }
    ids.push(...idsOf(await firstMatches(db, scan, limit - ids.length)));
    if (ids.length >= limit) break;
  }
  return ids;
}

/** Names in their order from a cursor's on, each with the ids of those who have it; null is of documents without a branch. */
async function namesOf(db: Db, companyId: number, { by, isDescending }: By<OwnerSort>, after: Cursor | undefined) {
  const rows = await db
    .selectFrom(by.table)
    .where("company_id", "=", companyId)
    .$if(after !== undefined, (all) => all.where("name_key", isDescending ? "<=" : ">=", after!.key))
    .orderBy("name_key", isDescending ? "desc" : "asc")
    .select(["id", "name_key"])
    .execute();
  const names = [...Map.groupBy(rows, ({ name_key }) => name_key)].map(([key, named]) => ({
    key,
    owners: named.map(({ id }): number | null => id),
  }));
  const hasNone = by.table === "branches" && (isDescending || !after || after.key === "");
  if (!hasNone) return names;
  const none = { key: "", owners: [null] };
  return isDescending ? [...names, none] : [none, ...names];
}
