import type { SelectQueryBuilder } from "kysely";
import { LRUCache } from "lru-cache";
import { isPostgres } from "#storage/dialect.ts";
import { nextTurn } from "#turns";
import { minutesInMs } from "#units";
import { type Actor, alertsWithin, reachKey, seesAllDocuments } from "../access.ts";
import { addDays } from "../calendar.ts";
import { readableAlerts } from "./alerts.ts";
import { companyDocumentsByDay, readableDocumentsOn } from "./document-list/day-counters.ts";
import { documentsByReach } from "./documents.ts";
import type { Db, Tables } from "./tables.ts";

/** Counts scans, alerts and documents by day, for the dashboard. */

type DayCount = { day: string; count: number };
type ScanCount = DayCount & { staff: number };

/** A company's counts of days, and those of one day about which an actor may read alerts. */
type Counting<Count> = {
  ofCompany(actor: Actor, first: string, last: string): Promise<Count[]>;
  readable(actor: Actor, day: string): Promise<Count[]>;
};

/**
 * Counts what happened each day to documents about which an actor may read alerts. Each such document is looked up, 40 ms for a
 * month's scans of a million documents, so each day is counted in a turn of the event loop, and again once the company's count of
 * it has changed, or after ten minutes: a document's move to another branch, group or owner shows that much later.
 */
function createDayCounter<Count extends DayCount>({ ofCompany, readable }: Counting<Count>) {
  const cache = new LRUCache<string, Count[]>({ max: 20_000, ttl: minutesInMs(10) });
  return async (actor: Actor, first: string, last: string): Promise<Count[]> => {
    const all = await ofCompany(actor, first, last);
    if (seesAllDocuments(actor, "alerts")) return all;
    const reader = reachKey(actor);
    const counts: Count[] = [];
    for (const [day, counted] of Map.groupBy(all, ({ day }) => day)) {
      const key = JSON.stringify([reader, counted]);
      let ofDay = cache.get(key);
      if (!ofDay) {
        await nextTurn();
        ofDay = await readable(actor, day);
        cache.set(key, ofDay);
      }
      counts.push(...ofDay);
    }
    return counts;
  };
}

export const createScanCounter = (db: Db) =>
  createDayCounter<ScanCount>({
    ofCompany: ({ company_id }, first, last) =>
      db
        .selectFrom("scan_days")
        .where("company_id", "=", company_id)
        .where("day", ">=", first)
        .where("day", "<=", last)
        .select(["day", "staff", "scans as count"])
        .execute(),
    readable: (actor, day) => scansOn(db, actor, day),
  });

export const createAlertCounter = (db: Db) =>
  createDayCounter({
    ofCompany: ({ company_id }, first, last) =>
      countedByDay(
        db
          .selectFrom("alerts")
          .where("alerts.company_id", "=", company_id)
          .where("alerts.day", ">=", first)
          .where("alerts.day", "<=", last),
      ),
    readable: (actor, day) => alertsOn(db, actor, day),
  });

/** Counts documents by their date. */
export const createDocumentCounter = (db: Db) =>
  createDayCounter({
    ofCompany: ({ company_id }, from, to) => companyDocumentsByDay(db, company_id, { from, to }),
    readable: (actor, day) => readableDocumentsOn(db, actor, day),
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
