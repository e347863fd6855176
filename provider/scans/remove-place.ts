import { type Actor, type Caller, alertsWithin, exactPlacesWithin } from "../access.ts";
import { inCallerTransaction } from "../http/caller-transaction.ts";
import { audit } from "../audit/audit-queries.ts";
import type { Db } from "../db/tables.ts";
import { findReachable } from "../http/errors.ts";
import type { Services } from "../services.ts";
import { noPosition } from "./erase.ts";

const batchSize = 1000;

/**
 * Removes a scan's place, which a visitor may have made up; with `isOfNetwork` also those of the document's scans from
 * the same network that day. Scans and alerts stay.
 */
export async function removePlace(
  services: Services,
  caller: Caller,
  { id, isOfNetwork }: { id: number; isOfNetwork: boolean },
) {
  const { now } = services;
  await inCallerTransaction(services, caller, async (transaction, actor) => {
    const scan = await findScan(transaction, actor, id);
    const { address_hash, document_id } = scan;
    const located = transaction
      .selectFrom("scans")
      .where((eb) => eb.or([eb("latitude", "is not", null), eb("place", "<>", "")]))
      .where("document_id", "=", document_id)
      .$if(isOfNetwork && address_hash !== "", (scans) => scans.where("address_hash", "=", address_hash))
      .$if(!isOfNetwork || address_hash === "", (scans) => scans.where("id", "=", id));
    const places = await located
      .orderBy("at", "desc")
      .limit(batchSize)
      .select(["id", "latitude", "longitude"])
      .execute();
    if (places.length === 0) return;
    await transaction
      .updateTable("scans")
      .set({ ...noPosition, place: "", doubtful: 0 })
      .where(
        "id",
        "in",
        places.map((place) => place.id),
      )
      .execute();
    for (const place of places) await clearAlerts(transaction, place);
    // The document's history is open to readers who may not see its scans.
    const subject = { entity: "document", id: document_id, name: scan.name } as const;
    await audit(transaction, { actor, action: "place removed", subject, at: now() });
  });
}

/** A scan whose place the actor may remove. Throws 403 or 404. */
const findScan = (db: Db, actor: Actor, id: number) =>
  findReachable(
    (right) =>
      db
        .selectFrom("scans")
        .innerJoin("documents", "documents.id", "scans.document_id")
        .where("scans.id", "=", id)
        .where(right === "write" ? exactPlacesWithin(actor) : alertsWithin(actor, right))
        .select(["scans.address_hash", "scans.document_id", "documents.name"])
        .executeTakeFirst(),
    "write",
  );

/** Removes a scan's position from the alerts that show it. */
async function clearAlerts(
  db: Db,
  { id, latitude, longitude }: { id: number; latitude: number | null; longitude: number | null },
) {
  if (latitude === null) return;
  await db
    .updateTable("alerts")
    .set(noPosition)
    .where("latitude", "=", latitude)
    .where("longitude", "=", longitude)
    .where("id", "in", (eb) => eb.selectFrom("alert_scans").where("scan_id", "=", id).select("alert_id"))
    .execute();
}
