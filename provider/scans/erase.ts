import { daysInMs } from "#units";
import type { Services } from "../services.ts";

/** How long places of scans are kept, in days: the public page promises it. */
const placeRetentionDays = 90;

/** A scan or an alert without a position. */
export const noPosition = { latitude: null, longitude: null, accuracy: null };

/** Erases where scans were made, and how who reported something can be reached, once that is long ago. */
export async function eraseOldPlaces({ db, now }: Services) {
  const before = new Date(now().getTime() - daysInMs(placeRetentionDays)).toISOString();
  await db
    .updateTable("scans")
    .set({ ...noPosition, place: "" })
    .where("at", "<", before)
    .where("located_at", "is not", null)
    .execute();
  await db.updateTable("alerts").set(noPosition).where("date", "<", before).where("latitude", "is not", null).execute();
  await db.updateTable("complaints").set({ contact: "" }).where("at", "<", before).execute();
}
