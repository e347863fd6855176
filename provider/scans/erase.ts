import { daysInMs } from "#units";
import { ago } from "../calendar.ts";
import type { Services } from "../services.ts";

/** The public page promises it. */
const placeRetentionDays = 90;

export const noPosition = { latitude: null, longitude: null, accuracy: null };

/** Erases old scans' places and old complaints' contacts. */
export async function eraseOldPlaces({ db, now }: Services) {
  const before = ago(now(), daysInMs(placeRetentionDays));
  await db
    .updateTable("scans")
    .set({ ...noPosition, place: "" })
    .where("at", "<", before)
    .where("located_at", "is not", null)
    .execute();
  await db.updateTable("alerts").set(noPosition).where("date", "<", before).where("latitude", "is not", null).execute();
  await db.updateTable("complaints").set({ contact: "", contact_key: "" }).where("at", "<", before).execute();
}
