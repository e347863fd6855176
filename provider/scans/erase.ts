import { sql } from "kysely";
import { daysInMs } from "#lib/units.ts";
import { ago } from "../calendar/calendar.ts";
import { isAmong } from "../db/lists.ts";
import type { Db } from "../db/tables.ts";
import type { Services } from "../services.ts";

/** The public page promises it. */
const placeRetentionDays = 90;

export const noPosition = { latitude: null, longitude: null, accuracy: null };

/** A step that holds the database for some milliseconds. */
const batchSize = 1000;

/** Erases old scans' places and old complaints' contacts. */
export async function eraseOldPlaces({ db, now }: Services, signal: AbortSignal) {
  const before = ago(now(), daysInMs(placeRetentionDays));
  let erased = batchSize;
  while (erased === batchSize && !signal.aborted) {
    erased = await eraseSome(db, before);
  }
  await db.updateTable("alerts").set(noPosition).where("date", "<", before).where("latitude", "is not", null).execute();
  await db.updateTable("complaints").set({ contact: "", contact_key: "" }).where("at", "<", before).execute();
}

async function eraseSome(db: Db, before: string): Promise<number> {
  const located = await db
    .selectFrom("scans")
    // As the partial index has it.
    .where(sql<boolean>`(latitude is not null or place <> '')`)
    .where("at", "<", before)
    .limit(batchSize)
    .select(["id", "at"])
    .execute();
  if (located.length === 0) return 0;
  const ids = located.map(({ id }) => id);
  const erasing = db.updateTable("scans").set({ ...noPosition, place: "" });
  await erasing
    .where(isAmong(db, "id", ids))
    .where("at", "<", before)
    .execute();
  return ids.length;
}
