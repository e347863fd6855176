import { daysInMs } from "#lib/units.ts";
import { type Actor, alertsWithin, scopeOf } from "../../access.ts";
import type { Similarity } from "../../contract/alert-cases.ts";
import { alertRows, readableAlerts } from "../alert-queries.ts";
import { alertPosition } from "../../scans/scan-queries.ts";
import type { Db } from "../../db/tables.ts";
import { distance } from "../../scans/judging/distance.ts";

/** Alerts that resemble another one. Each query is bounded, whatever a company has. */

const maxShown = 10;
const maxOfKind = 5;
/** The newest alerts nearby whose distance is computed, and contacts that are compared. */
const maxNearby = 200;
const maxContacts = 20;

const nearKm = 2;
const nearDays = 30;
const kmPerDegree = 111;

type SimilarRow = Awaited<ReturnType<ReturnType<typeof alertRows>["execute"]>>[number];

/** Alerts like `alert` that the actor may read, with the reasons: most reasons first, then the newest. */
export async function similarAlerts(db: Db, actor: Actor, alert: SimilarRow) {
  const similar = new Map<number, { row: SimilarRow; reasons: Similarity[] }>();
  const add = (reason: Similarity, rows: SimilarRow[]) => {
    for (const row of rows) {
      const entry = similar.get(row.id);
      if (entry) entry.reasons.push(reason);
      else similar.set(row.id, { row, reasons: [reason] });
    }
  };
  add("document", await ofDocument(db, actor, alert));
  add("place", await nearby(db, actor, alert));
  add("contact", await ofContact(db, actor, alert));
  return [...similar.values()]
    .toSorted((a, b) => b.reasons.length - a.reasons.length || b.row.date.localeCompare(a.row.date))
    .slice(0, maxShown);
}

/** Readable alerts but the one itself, the newest first. */
const others = (db: Db, actor: Actor, { id }: SimilarRow) =>
  alertRows(db).where(readableAlerts(actor)).where("alerts.id", "!=", id).orderBy("alerts.date", "desc");

const ofDocument = (db: Db, actor: Actor, alert: SimilarRow) =>
  others(db, actor, alert).where("alerts.document_id", "=", alert.document_id).limit(maxOfKind).execute();

/** By the places that the actor is shown, so that a reader of rounded ones learns no more. */
async function nearby(db: Db, actor: Actor, alert: SimilarRow): Promise<SimilarRow[]> {
  const { latitude, longitude } = alertPosition(actor)(alert);
  if (latitude === null || longitude === null) return [];
  // Rounding moves a place by half a hundredth of a degree at most.
  const north = nearKm / kmPerDegree + 0.005;
  const east = north / Math.max(Math.cos((latitude * Math.PI) / 180), 0.01);
  const day = (days: number) => new Date(Date.parse(alert.date) + daysInMs(days)).toISOString();
  const rows = await others(db, actor, alert)
    .where("alerts.company_id", "=", alert.company_id)
    .where("alerts.latitude", "is not", null)
    .where("alerts.date", ">=", day(-nearDays))
    .where("alerts.date", "<=", day(nearDays))
    .where("alerts.latitude", ">=", latitude - north)
    .where("alerts.latitude", "<=", latitude + north)
    .where("alerts.longitude", ">=", longitude - east)
    .where("alerts.longitude", "<=", longitude + east)
    .limit(maxNearby)
    .execute();
  const isNear = (row: SimilarRow) => {
    const other = alertPosition(actor)(row);
    return distance({ latitude, longitude }, { latitude: other.latitude!, longitude: other.longitude! }) <= nearKm;
  };
  return rows.filter(isNear).slice(0, maxOfKind);
}

/** Only of alerts whose visitors' contacts the actor may see. */
async function ofContact(db: Db, actor: Actor, alert: SimilarRow): Promise<SimilarRow[]> {
  if (alert.alert !== "Complaint" || !scopeOf(actor, "alerts", "write")) return [];
  const contacts = await db
    .selectFrom("alert_scans")
    .innerJoin("complaints", "complaints.scan_id", "alert_scans.scan_id")
    .where("alert_scans.alert_id", "=", alert.id)
    .where("complaints.contact_key", "!=", "")
    .select("complaints.contact_key")
    .distinct()
    .limit(maxContacts)
    .execute();
  if (contacts.length === 0) return [];
  const keys = contacts.map(({ contact_key }) => contact_key);
  const ofContacts = db
    .selectFrom("complaints")
    .innerJoin("alert_scans", "alert_scans.scan_id", "complaints.scan_id")
    .innerJoin("alerts as others", "others.id", "alert_scans.alert_id")
    .where("complaints.contact_key", "in", keys)
    .where("complaints.contact_key", "!=", "")
    .where("others.company_id", "=", alert.company_id)
    .orderBy("alert_scans.alert_id", "desc")
    .limit(maxNearby)
    .select("alert_scans.alert_id");
  return others(db, actor, alert)
    .where(alertsWithin(actor, "write"))
    .where("alerts.alert", "=", "Complaint")
    .where("alerts.id", "in", ofContacts)
    .limit(maxOfKind)
    .execute();
}
