import type { SelectQueryBuilder } from "kysely";
import { LRUCache } from "lru-cache";
import { isPostgres } from "#storage/dialect.ts";
import { nextTurn } from "#turns";
import { minutesInMs } from "#units";
import { type Actor, alertsWithin } from "../access.ts";
import { addDays } from "../calendar.ts";
import { readableAlerts } from "./alerts.ts";
import { documentsByReach } from "./documents.ts";
import type { Db, Tables } from "./tables.ts";

/** Counts scans and alerts by day, for the dashboard. */

type ScanCount = { day: string; staff: number; count: number };
type AlertCount = { day: string; count: number };

/** All scans of a company since a day. */
export const companyScanCounts = (db: Db, { company_id }: Actor, first: string): Promise<ScanCount[]> =>
  db
    .selectFrom("scan_days")
    .where("company_id", "=", company_id)
    .where("day", ">=", first)
    .select(["day", "staff", "scans as count"])
    .execute();

/** All alerts of a company since a day. */
export const companyAlertCounts = (db: Db, { company_id }: Actor, first: string): Promise<AlertCount[]> =>
  countedByDay(db.selectFrom("alerts").where("alerts.company_id", "=", company_id).where("alerts.day", ">=", first));

/**
 * Counts what happened each day to documents about which an actor may read alerts. Each such document is looked up, 40 ms for a
 * month's scans of a million documents, so each day is counted in a turn of the event loop, and past days are cached for ten
 * minutes: a document's move to another branch, group or owner shows that much later.
 */
function createDayCounter<Count>(countDay: (actor: Actor, day: string) => Promise<Count[]>) {
  const cache = new LRUCache<string, Count[]>({ max: 20_000, ttl: minutesInMs(10) });
  return async (actor: Actor, first: string, last: string): Promise<Count[]> => {
    const { id, branch_id, access_group_id, permissions } = actor;
    const reader = JSON.stringify([id, branch_id, access_group_id, permissions]);
    const counts: Count[] = [];
    for (let day = last; day >= first; day = addDays(day, -1)) {
      const key = `${reader} ${day}`;
      let counted = cache.get(key);
      if (!counted) {
        await nextTurn();
        counted = await countDay(actor, day);
        if (day < last) cache.set(key, counted);
      }
      counts.push(...counted);
    }
    return counts;
  };
}

/** Counts scans of documents about which an actor may read alerts. */
export const createScanCounter = (db: Db) => createDayCounter((actor, day) => scansOf(db, actor, day));

/** Counts the alerts that an actor may read. */
export const createAlertCounter = (db: Db) => createDayCounter((actor, day) => alertsOf(db, actor, day));

const scansOf = (db: Db, actor: Actor, day: string): Promise<ScanCount[]> =>
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

const alertsOf = (db: Db, actor: Actor, day: string): Promise<AlertCount[]> =>
  countedByDay(
    db
      .selectFrom("alerts")
      .innerJoin(documentsByReach(db), "documents.id", "alerts.document_id")
      .where(readableAlerts(actor))
      .where("alerts.day", "=", day),
  );

const countedByDay = (alerts: SelectQueryBuilder<Tables, "alerts", object>): Promise<AlertCount[]> =>
  alerts
    .groupBy("day")
    .select(["day", (eb) => eb.fn.countAll<number>().as("count")])
    .execute();
