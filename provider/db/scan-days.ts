import { setImmediate as pause } from "node:timers/promises";
import { LRUCache } from "lru-cache";
import { isPostgres } from "#storage/dialect.ts";
import { minutesInMs } from "#units";
import { type Actor, alertsWithin } from "../access.ts";
import { addDays } from "../calendar.ts";
import { documentsByReach } from "./documents.ts";
import type { Db } from "./tables.ts";

/** Counts scans by day, for the dashboard. */

type DayCount = { day: string; staff: number; count: number };

/** All scans of a company since a day. */
export const companyScanCounts = (db: Db, { company_id }: Actor, first: string): Promise<DayCount[]> =>
  db
    .selectFrom("scan_days")
    .where("company_id", "=", company_id)
    .where("day", ">=", first)
    .select(["day", "staff", "scans as count"])
    .execute();

/**
 * Counts the scans of documents about which an actor may read alerts. Each scanned document is looked up, 40 ms for a month
 * of a million documents, so counts of past days are cached for ten minutes: a document's move to another branch shows
 * that much later.
 */
export function createScanCounter(db: Db) {
  const cache = new LRUCache<string, DayCount[]>({ max: 20_000, ttl: minutesInMs(10) });
  return async (actor: Actor, first: string, last: string): Promise<DayCount[]> => {
    const { id, branch_id, access_group_id, permissions } = actor;
    const counts: DayCount[] = [];
    for (let day = last; day >= first; day = addDays(day, -1)) {
      const key = JSON.stringify([id, branch_id, access_group_id, permissions, day]);
      let counted = cache.get(key);
      if (!counted) {
        await pause();
        counted = await countDay(db, actor, day);
        if (day < last) cache.set(key, counted);
      }
      counts.push(...counted);
    }
    return counts;
  };
}

const countDay = (db: Db, actor: Actor, day: string): Promise<DayCount[]> =>
  db
    // DayCount first, so that each document's readers are checked once and not for each scan.
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
