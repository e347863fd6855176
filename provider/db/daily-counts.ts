import type { SelectQueryBuilder } from "kysely";
import { LRUCache } from "lru-cache";
import { isPostgres } from "#lib/storage/database/dialect.ts";
import { minutesInMs } from "#lib/units.ts";
import { type Actor, alertsWithin, reachKey, seesAllDocuments } from "../access.ts";
import { addDays } from "../calendar/calendar.ts";
import { readableAlerts } from "../alerts/alert-queries.ts";
import { countByDay, countReadableOn } from "../documents/list/day-counters.ts";
import { documentsByReach } from "../documents/document-queries.ts";
import { type Db, documentStatuses, type Tables } from "./tables.ts";

/** Counts scans, alerts and documents by day, for the dashboard. */

type DayCount = { day: string; count: number };
type ScanCount = DayCount & { staff: number };

type Counting<Count> = {
  /** All of a company, from the first day to the last one. */
  ofCompany(companyId: number, first: string, last: string): Promise<Count[]>;
  /** Those of a day about which an actor may read alerts. */
  readable(actor: Actor, day: string): Promise<Count[]>;
};

/** The counts of a day for one reader, and what the company's were then. */
type Kept<Count> = { ofCompany: string; counts: Count[] };

/**
 * Counts what happened each day to documents about which an actor may read alerts. Each such document is looked up, 40 ms for a
 * month's scans of a million documents, so each day is counted by itself, and again once the company's count of
 * it has changed, or after ten minutes: what leaves that as it is, such as a document's move to another branch, group or owner, shows so
 * much later.
 */
function createDayCounter<Count extends DayCount>({ ofCompany, readable }: Counting<Count>) {
  const cache = new LRUCache<string, Kept<Count>>({ max: 10_000, ttl: minutesInMs(10) });
  return async (actor: Actor, first: string, last: string): Promise<Count[]> => {
    const all = await ofCompany(actor.company_id, first, last);
    if (seesAllDocuments(actor, "alerts")) return all;
    const reader = reachKey(actor);
    const counts: Count[] = [];
    for (const [day, counted] of Map.groupBy(all, ({ day }) => day)) {
      const key = `${reader} ${day}`;
      const now = JSON.stringify(counted);
      let ofDay = cache.get(key);
      if (ofDay?.ofCompany !== now) {
        ofDay = { ofCompany: now, counts: await readable(actor, day) };
        cache.set(key, ofDay);
      }
      counts.push(...ofDay.counts);
    }
    return counts;
  };
}

/** Counts scans by day, those of staff apart. */
export const createScanCounter = (db: Db) =>
  createDayCounter<ScanCount>({
    ofCompany: (companyId, first, last) =>
      db
        .selectFrom("scan_days")
        .where("company_id", "=", companyId)
        .where("day", ">=", first)
        .where("day", "<=", last)
        .select(["day", "staff", "scans as count"])
        .orderBy("staff")
        .execute(),
    readable: (actor, day) => scansOn(db, actor, day),
  });

/** Counts alerts by day. */
export const createAlertCounter = (db: Db) =>
  createDayCounter({
    ofCompany: (companyId, first, last) =>
      countedByDay(
        db
          .selectFrom("alerts")
          .where("alerts.company_id", "=", companyId)
          .where("alerts.day", ">=", first)
          .where("alerts.day", "<=", last),
      ),
    readable: (actor, day) => alertsOn(db, actor, day),
  });

/** Counts documents by their date. */
export const createDocumentCounter = (db: Db) =>
  createDayCounter({
    ofCompany: (companyId, from, to) => countByDay(db, { companyId, statuses: documentStatuses, from, to }),
    readable: async (actor, day) => [{ day, count: await countReadableOn(db, actor, day) }],
  });

const scansOn = (db: Db, actor: Actor, day: string): Promise<ScanCount[]> =>
  db
    // Counted by document first, so that each document's readers are checked once and not for each scan.
    .selectFrom((eb) =>
      eb
        .selectFrom("scans")
        .where("company_id", "=", actor.company_id)
        .where("day", "=", day)
        // Which partitions those are; SQLite would look each scan up for its time.
        .$if(isPostgres(db), (scans) => scans.where("at", ">", addDays(day, -1)).where("at", "<", addDays(day, 2)))
        .groupBy(["day", "document_id", "staff"])
        .select(["day", "document_id", "staff", (eb) => eb.fn.countAll<number>().as("count")])
        .as("counted"),
    )
    .innerJoin(documentsByReach(db), "documents.id", "counted.document_id")
    .where(alertsWithin(actor, "read"))
    .groupBy(["day", "staff"])
    .select(["day", "staff", (eb) => eb.fn.sum<number>("count").as("count")])
    .execute();

const alertsOn = (db: Db, actor: Actor, day: string): Promise<DayCount[]> =>
  countedByDay(
    db
      .selectFrom("alerts")
      .innerJoin(documentsByReach(db), "documents.id", "alerts.document_id")
      .where(readableAlerts(actor))
      .where("alerts.day", "=", day),
  );

const countedByDay = (alerts: SelectQueryBuilder<Tables, "alerts", object>): Promise<DayCount[]> =>
  alerts
    .groupBy("day")
    .select(["day", (eb) => eb.fn.countAll<number>().as("count")])
    .execute();
