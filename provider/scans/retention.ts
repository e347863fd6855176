import { isPostgres } from "#lib/storage/database/dialect.ts";
import { daysInMs } from "#lib/units.ts";
import { addDays, ago } from "../calendar/calendar.ts";
import { isAmong } from "../db/lists.ts";
import type { Db } from "../db/tables.ts";
import type { Services } from "../services.ts";
import { dropPartition, nextMonth, partitionedMonths, splitDefaultPartition } from "./partitions.ts";

/** A step that holds the database for some milliseconds. */
const batchSize = 500;

/** Deletes scans older than the operator wants; on PostgreSQL whole months, once all of one is. */
export async function deleteOldScans(services: Services, signal: AbortSignal) {
  const { now, scanDays = 0 } = services;
  try {
    await splitDefaultPartition(services, signal);
  } finally {
    // Also if a month could not be moved.
    if (scanDays > 0) await deleteBefore(services, ago(now(), daysInMs(scanDays)), signal);
  }
}

async function deleteBefore({ db }: Services, before: string, signal: AbortSignal) {
  if (isPostgres(db)) {
    for (const month of await partitionedMonths(db)) {
      if (nextMonth(month) > before.slice(0, 7) || signal.aborted) return;
      await dropPartition(db, month);
    }
    return;
  }
  // Then all of a day is older, in any time zone.
  const day = addDays(before.slice(0, 10), -1);
  for (const { id } of await db.selectFrom("companies").select("id").execute()) {
    let deleted = batchSize;
    while (deleted === batchSize && !signal.aborted) {
      deleted = await deleteSome(db, id, day);
    }
  }
}

/** By days and not in the order of ids, as a clock that was wrong for a while would end that too early. */
async function deleteSome(db: Db, companyId: number, before: string): Promise<number> {
  const old = db.selectFrom("scans").where("company_id", "=", companyId).where("day", "<", before);
  const ids = (await old.limit(batchSize).select("id").execute()).map(({ id }) => id);
  if (ids.length === 0) return 0;
  await db.transaction().execute(async (transaction) => {
    for (const table of ["complaints", "alert_scans", "scans_to_judge"] as const) {
      await transaction
        .deleteFrom(table)
        .where(isAmong(transaction, "scan_id", ids))
        .execute();
    }
    await transaction
      .deleteFrom("scans")
      .where(isAmong(transaction, "id", ids))
      .execute();
  });
  return ids.length;
}
