import { expressionBuilder } from "kysely";
import { type Actor, documentsWithin } from "../../access.ts";
import { addDays, addMonths } from "../../calendar/calendar.ts";
import { expiringDays } from "../../contract/document-options.ts";
import { type CalendarMonth, countedADay, feedLimits, namedADay } from "../../contract/calendar.ts";
import type { Cursor } from "../../contract/cursors.ts";
import { countLimit, isAmong } from "../../db/lists.ts";
import type { Db, Tables } from "../../db/tables.ts";
import { countMatches, firstMatches, type RangeScan } from "./range-scan.ts";
import { tuningFor } from "./tuning.ts";

/** Documents by the day on which they expire: those of the list that are not withdrawn. */

/** Inclusive. */
type Days = { from: string; to: string };

const expiryScan = (db: Db, actor: Actor, { from, to }: Days): RangeScan => {
  const eb = expressionBuilder<Tables, "documents">();
  return {
    companyId: actor.company_id,
    ranges: [{ side: "list" }],
    order: { column: "expire_date", isDescending: true },
    after: { key: addDays(to, 1), id: 0 },
    from,
    condition: eb.and([documentsWithin(actor, "read")(eb), eb("documents.status", "=", "active")]),
    columns: [],
    batchSize: tuningFor(db).batchSize,
    maxRows: Infinity,
  };
};

const byDay = (cursors: Cursor[]) => Map.groupBy(cursors, ({ key }) => key);

/** The days of a month on which documents expire that an actor may read, with how many and the first of them. */
export async function expiringIn(
  db: Db,
  actor: Actor,
  month: string,
  limit = countedADay,
): Promise<CalendarMonth["days"]> {
  const days: Days = { from: `${month}-01`, to: addDays(addMonths(`${month}-01`, 1), -1) };
  // Most months have few: then one query has all of them.
  const all = await firstMatches(db, expiryScan(db, actor, days), limit + 1);
  const cursorsByDay = all.length <= limit ? byDay(all) : new Map<string, Cursor[]>();
  if (all.length > limit) {
    for (let day = days.from; day <= days.to; day = addDays(day, 1)) {
      const ofDay = await firstMatches(db, expiryScan(db, actor, { from: day, to: day }), limit + 1);
      if (ofDay.length > 0) cursorsByDay.set(day, ofDay);
    }
  }
  const named = new Map([...cursorsByDay].map(([day, rows]) => [day, rows.slice(0, namedADay).map(({ id }) => id)]));
  const documents = await documentsNamed(db, [...named.values()].flat());
  return [...cursorsByDay]
    .map(([date, rows]) => ({
      date,
      documents: Math.min(rows.length, limit),
      is_capped: rows.length > limit,
      first: named.get(date)!.map((id) => documents.get(id)!),
    }))
    .toSorted((one, other) => (one.date < other.date ? -1 : 1));
}

/** How many documents expire within `expiringDays` that an actor may read. */
export async function countExpiringSoon(db: Db, actor: Actor, today: string, limit = countLimit) {
  const days: Days = { from: today, to: addDays(today, expiringDays) };
  const count = await countMatches(db, expiryScan(db, actor, days), limit + 1);
  return { documents: Math.min(count, limit), is_capped: count > limit };
}

async function documentsNamed(db: Db, ids: number[]) {
  if (ids.length === 0) return new Map<number, never>();
  const rows = db
    .selectFrom("documents")
    .where(isAmong(db, "documents.id", ids))
    .select(["id", "name", "number"]);
  return new Map((await rows.execute()).map((row) => [row.id, row]));
}

/** What expires within the next months, the soonest first, as much as a feed has at most. */
export async function expiringForFeed(db: Db, actor: Actor, today: string, limits = feedLimits) {
  const ids: number[] = [];
  for (let month = 0; month < limits.months && ids.length < limits.events; month++) {
    const days = { from: addMonths(today, month), to: addDays(addMonths(today, month + 1), -1) };
    // By day once a month has more than what is left, so that the soonest are taken.
    ids.push(...(await soonest(db, actor, days, limits.events - ids.length)));
  }
  if (ids.length === 0) return [];
  return db
    .selectFrom("documents")
    .where(isAmong(db, "documents.id", ids))
    .where("expire_date", "is not", null)
    .select(["id", "name", "number", "document_type", "created_at"])
    .select((eb) => eb.ref("expire_date").$notNull().as("expire_date"))
    .orderBy("expire_date")
    .orderBy("id")
    .execute();
}

async function soonest(db: Db, actor: Actor, days: Days, limit: number): Promise<number[]> {
  const all = await firstMatches(db, expiryScan(db, actor, days), limit + 1);
  if (all.length <= limit) return all.map(({ id }) => id);
  const ids: number[] = [];
  for (let day = days.from; day <= days.to && ids.length < limit; day = addDays(day, 1)) {
    const ofDay = await firstMatches(db, expiryScan(db, actor, { from: day, to: day }), limit - ids.length);
    ids.push(...ofDay.map(({ id }) => id));
  }
  return ids;
}
