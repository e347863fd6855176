import { setImmediate as pause } from "node:timers/promises";
import { isPostgres } from "#storage/dialect.ts";
import { daysInMs } from "#units";
import { ago } from "../calendar.ts";
import type { Db } from "../db/tables.ts";
import type { Services } from "../services.ts";
import { dropPartition, nextMonth, partitionedMonths, splitDefaultPartition } from "./partitions.ts";

/** A step that holds the database for some milliseconds. */
const batchSize = 500;

/** Deletes scans older than the operator wants; on PostgreSQL whole months, once all of one is. */
export async function deleteOldScans(services: Services, signal: AbortSignal) {
  const { db, now, scanDays = 0 } = services;
  await splitDefaultPartition(services, signal);
  if (scanDays === 0) return;
  const before = ago(now(), daysInMs(scanDays));
  if (isPostgres(db)) {
    for (const month of await partitionedMonths(db)) {
      if (nextMonth(month) > before.slice(0, 7) || signal.aborted) return;
      await dropPartition(db, month);
    }
    return;
  }
  let deleted = batchSize;
  while (deleted === batchSize && !signal.aborted) {
    deleted = await deleteSome(db, before);
    await pause();
  }
}

/** Ids are in the order of time, but for scans of processes with different clocks, which go a little later. */
async function deleteSome(db: Db, before: string): Promise<number> {
  const oldest = await db.selectFrom("scans").orderBy("id").limit(batchSize).select(["id", "at"]).execute();
  const end = oldest.findIndex(({ at }) => at >= before);
  const ids = oldest.slice(0, end < 0 ? undefined : end).map(({ id }) => id);
  if (ids.length === 0) return 0;
  await db.transaction().execute(async (transaction) => {
    for (const table of ["complaints", "alert_scans", "scans_to_judge"] as const) {
      await transaction.deleteFrom(table).where("scan_id", "in", ids).execute();
    }
    await transaction.deleteFrom("scans").where("id", "in", ids).execute();
  });
  return ids.length;
}
