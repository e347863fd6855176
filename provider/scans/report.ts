import type { Language } from "#lib/messages/languages.ts";
import { minutesInMs } from "#lib/units.ts";
import { contactKey } from "../alerts/cases/contact.ts";
import { rulesOf } from "../alerts/rules/rules.ts";
import { ago } from "../calendar/calendar.ts";
import { reportingMinutes } from "../contract/verify.ts";
import { inCompanyTransaction } from "../company/company-queries.ts";
import type { Db } from "../db/tables.ts";
import { conflict } from "../http/errors.ts";
import type { Services } from "../services.ts";
import { distance, type Position } from "./judging/distance.ts";
import { scanKeyHash } from "./record.ts";
import { complaint, impossibleTravel, travelWindowMs } from "./judging/rules.ts";
import { reportFinding } from "./judging/suspicion.ts";
import type { Scanned } from "./validity.ts";

/** Reports on a scan within ten minutes of it: where it was made, and complaints. */

/** Of a position without accuracy. */
const defaultAccuracyMetres = 5000;

type ReportedPlace = {
  latitude?: number | undefined;
  longitude?: number | undefined;
  accuracy?: number | undefined;
  place: string;
};

/** Stores a scan's position, once. Throws 409. */
export async function locateScan(services: Services, document: Scanned, key: string, reported: ReportedPlace) {
  const { db, now } = services;
  await inCompanyTransaction(db, document.company_id, async (transaction) => {
    const scan = await findReportableScan(transaction, document, key, now());
    if (scan.located_at) throw conflict("The place of this scan was reported already");
    const { latitude, longitude, accuracy, place } = reported;
    const isPosition = latitude !== undefined && longitude !== undefined;
    const position = isPosition ? { latitude, longitude, accuracy: accuracy ?? defaultAccuracyMetres } : undefined;
    const others = position ? await otherPositions(transaction, scan, ago(now(), travelWindowMs)) : [];
    const isDoubtful = position && (accuracy === undefined || hasDistantReport(scan, position, others));
    await transaction
      .updateTable("scans")
      .set({ ...(position ?? { place }), doubtful: isDoubtful ? 1 : 0, located_at: now().toISOString() })
      .where("id", "=", scan.id)
      .execute();
    if (!position || scan.staff) return;
    await setAlertPositions(transaction, scan.id, position);
    const ofCopy = others.filter(({ copy }) => copy === scan.copy);
    const finding = impossibleTravel({ ...position, at: scan.at }, ofCopy, rulesOf(document).travel);
    if (!finding) return;
    const suspicion = { scan: { ...scan, ...position }, finding, others: [finding.other.id] };
    await reportFinding(services, transaction, suspicion);
  });
}

/** Stores a complaint about a scan, once. Throws 409. */
export async function complain(
  services: Services,
  document: Scanned,
  key: string,
  { text, contact, language }: { text: string; contact: string; language: Language | "" },
) {
  const { db, now } = services;
  await inCompanyTransaction(db, document.company_id, async (transaction) => {
    const scan = await findReportableScan(transaction, document, key, now());
    const existing = transaction.selectFrom("complaints").where("scan_id", "=", scan.id).select("scan_id");
    if (await existing.executeTakeFirst()) throw conflict("You have reported a problem with this scan already");
    const written = { text, contact, contact_key: contactKey(contact), language, at: now().toISOString() };
    await transaction
      .insertInto("complaints")
      .values({ scan_id: scan.id, ...written })
      .execute();
    await reportFinding(services, transaction, { scan, finding: complaint(text, scan) });
  });
}

/** The scan with a key, within the reporting window. Throws 409. */
async function findReportableScan(db: Db, document: Scanned, key: string, now: Date) {
  const scan = await db
    .selectFrom("scans")
    .selectAll()
    .where("document_id", "=", document.id)
    .where("key_hash", "=", scanKeyHash(key))
    .where("at", ">", ago(now, minutesInMs(reportingMinutes)))
    .executeTakeFirst();
  if (!scan) throw conflict("Too much time has passed since the scan: scan the code again");
  return scan;
}

/** Adds the position to the alerts that the scan raised. */
async function setAlertPositions(db: Db, scanId: number, position: Required<Position>) {
  await db
    .updateTable("alerts")
    .set(position)
    .where("latitude", "is", null)
    .where("id", "in", (eb) => eb.selectFrom("alert_scans").where("scan_id", "=", scanId).select("alert_id"))
    .execute();
}

type OtherScan = Position & { id: number; copy: number | null; at: string; address_hash: string };

/** The document's other scans with a position, of other copies too, as they show networks. */
async function otherPositions(db: Db, scan: { id: number; document_id: number }, since: string) {
  const rows = await db
    .selectFrom("scans")
    .where("document_id", "=", scan.document_id)
    .where("staff", "=", 0)
    .where("at", ">", since)
    .where("id", "!=", scan.id)
    .where("latitude", "is not", null)
    .orderBy("at", "desc")
    .limit(1000)
    .select(["id", "copy", "latitude", "longitude", "accuracy", "at", "address_hash"])
    .execute();
  return rows as OtherScan[];
}

/** A network covers a branch and its neighbours, not more. */
const maxNetworkSpreadKm = 20;

/** Whether the same network reported a place far from this one on the same day. */
const hasDistantReport = (scan: { address_hash: string }, position: Position, others: OtherScan[]) =>
  others.some((other) => other.address_hash === scan.address_hash && distance(other, position) > maxNetworkSpreadKm);
