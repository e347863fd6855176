import { createHash, randomBytes } from "node:crypto";
import type { Kysely } from "kysely";
import type { Networks } from "#storage/networks.ts";
import { minutesInMs } from "#units";
import { raiseAlert } from "../alerts/raise.ts";
import { tellingMinutes } from "../contract/verify.ts";
import { inCompanyTransaction } from "../db/company.ts";
import { dateIn } from "../calendar.ts";
import type { Tables } from "../db/tables.ts";
import { conflict } from "../http/errors.ts";
import type { Services } from "../services.ts";
import { actorOf } from "../sessions/tokens.ts";
import {
  burst,
  burstOfScans,
  complaint,
  endedScan,
  forgedCode,
  impossibleTravel,
  type Finding,
  travelWindowMs,
} from "./rules.ts";
import { distance, type Position } from "./distance.ts";
import { endOfValidity, type Scanned } from "./validity.ts";

/** Scans of documents' codes: recorded when the public page is opened, and told more of within ten minutes. */

type Db = Kysely<Tables>;
type ScanOrigin = { networks: Networks; token?: string | undefined };

const ago = (now: Date, ms: number) => new Date(now.getTime() - ms).toISOString();

/** Records a scan and returns the key by which more can be told of it. Rules look at it unless staff made it. */
export async function recordScan(services: Services, document: Scanned, from: ScanOrigin): Promise<string> {
  const { db, now } = services;
  const at = now();
  const key = randomBytes(16).toString("base64url");
  const actor = from.token ? await actorOf(db, from.token, at) : undefined;
  const isStaff = actor?.company_id === document.company_id;
  const address_hash = await hashNetwork(db, from.networks, at);
  await inCompanyTransaction(db, document.company_id, async (transaction) => {
    const scan = await transaction
      .insertInto("scans")
      .values({
        company_id: document.company_id,
        document_id: document.id,
        at: at.toISOString(),
        day: dateIn(document.timezone, at),
        address_hash,
        key_hash: hashKey(key),
        staff: isStaff ? 1 : 0,
        suspicion: 0,
        place: "",
      })
      .returningAll()
      .executeTakeFirstOrThrow();
    if (isStaff) return;
    const end = endOfValidity(document, at);
    if (end) await raiseOf(transaction, document, scan, endedScan(end));
    const devices = await newestScanByDevice(transaction, document.id, ago(at, minutesInMs(burst.minutes)));
    const flood = burstOfScans(devices.length);
    const others = devices.map(({ id }) => id);
    if (flood) await raiseOf(transaction, document, scan, flood, others);
  });
  return key;
}

/** The documents that bear a number: companies number for themselves, so several may. */
export const documentsWithNumber = (db: Db, number_key: string) =>
  db
    .selectFrom("documents")
    .innerJoin("companies", "companies.id", "documents.company_id")
    .where("number_key", "=", number_key)
    .where("number_key", "<>", "")
    .select(["documents.id", "documents.company_id", "companies.timezone"])
    .orderBy("documents.id")
    .limit(5)
    .execute();

/** Notes a paper that bears these documents' number beside a code that was never issued; nothing of it is returned. */
export async function recordForgedCode(
  { db, now }: Services,
  documents: { id: number; company_id: number; timezone: string }[],
) {
  const at = now();
  for (const document of documents) {
    await inCompanyTransaction(db, document.company_id, (transaction) =>
      raiseAlert(transaction, { document, at: at.toISOString(), day: dateIn(document.timezone, at) }, forgedCode),
    );
  }
}

/** Of a position that comes without its accuracy, in metres. */
const defaultAccuracyMetres = 5000;

type ReportedPlace = {
  latitude?: number | undefined;
  longitude?: number | undefined;
  accuracy?: number | undefined;
  place: string;
};

/** Adds to a scan where it was made; once. */
export async function locateScan({ db, now }: Services, document: Scanned, key: string, told: ReportedPlace) {
  await inCompanyTransaction(db, document.company_id, async (transaction) => {
    const scan = await findReportableScan(transaction, document, key, now());
    if (scan.located_at) throw conflict("The place of this scan has been told already");
    const { latitude, longitude, accuracy, place } = told;
    const isPosition = latitude !== undefined && longitude !== undefined;
    const position = isPosition ? { latitude, longitude, accuracy: accuracy ?? defaultAccuracyMetres } : undefined;
    const others = position ? await locatedSince(transaction, document.id, scan.id, ago(now(), travelWindowMs)) : [];
    const isDoubtful = position && (accuracy === undefined || hasDistantReport(scan, position, others));
    await transaction
      .updateTable("scans")
      .set({ ...(position ?? { place }), doubtful: isDoubtful ? 1 : 0, located_at: now().toISOString() })
      .where("id", "=", scan.id)
      .execute();
    if (!position || scan.staff) return;
    await setAlertPositions(transaction, scan.id, position);
    const raised = impossibleTravel({ ...position, at: scan.at }, others);
    if (raised) await raiseOf(transaction, document, { ...scan, ...position }, raised, [raised.other.id]);
  });
}

/** Takes a complaint about what was scanned; once for a scan. */
export async function complain(
  { db, now }: Services,
  document: Scanned,
  key: string,
  { text, contact }: { text: string; contact: string },
) {
  await inCompanyTransaction(db, document.company_id, async (transaction) => {
    const scan = await findReportableScan(transaction, document, key, now());
    const existing = transaction.selectFrom("complaints").where("scan_id", "=", scan.id).select("scan_id");
    if (await existing.executeTakeFirst()) throw conflict("You have reported a problem with this scan already");
    await transaction
      .insertInto("complaints")
      .values({ scan_id: scan.id, text, contact, at: now().toISOString() })
      .execute();
    await raiseOf(transaction, document, scan, complaint(text));
  });
}

/** The scan that a key names, while more can be told of it. */
async function findReportableScan(db: Db, document: Scanned, key: string, now: Date) {
  const scan = await db
    .selectFrom("scans")
    .selectAll()
    .where("document_id", "=", document.id)
    .where("key_hash", "=", hashKey(key))
    .where("at", ">", ago(now, minutesInMs(tellingMinutes)))
    .executeTakeFirst();
  if (!scan) throw conflict("Too much time has passed since the scan: scan the code again");
  return scan;
}

type ScanRow = {
  id: number;
  at: string;
  day: string;
  latitude: number | null;
  longitude: number | null;
  accuracy: number | null;
};

/** Raises an alert about a scan and `others` that the rule found with it. */
async function raiseOf(db: Db, document: Scanned, scan: ScanRow, raised: Finding, others: number[] = []) {
  await raiseAlert(db, { document, scan, others, at: scan.at, day: scan.day }, raised);
  await db
    .updateTable("scans")
    .set({ suspicion: 1 })
    .where("id", "in", [scan.id, ...others])
    .execute();
}

/** The alerts that a scan raised before it was told where it was made. */
async function setAlertPositions(db: Db, scanId: number, position: Required<Position>) {
  await db
    .updateTable("alerts")
    .set(position)
    .where("latitude", "is", null)
    .where("id", "in", (eb) => eb.selectFrom("alert_scans").where("scan_id", "=", scanId).select("alert_id"))
    .execute();
}

/** The newest scan of a code from each address: looking again and again is no burst. */
const newestScanByDevice = (db: Db, documentId: number, since: string) =>
  db
    .selectFrom("scans")
    .where("document_id", "=", documentId)
    .where("staff", "=", 0)
    .where("at", ">", since)
    .groupBy("address_hash")
    .select((eb) => eb.fn.max("id").as("id"))
    .orderBy("id", "desc")
    .limit(100)
    .execute();

async function locatedSince(db: Db, documentId: number, except: number, since: string) {
  const rows = await db
    .selectFrom("scans")
    .where("document_id", "=", documentId)
    .where("staff", "=", 0)
    .where("at", ">", since)
    .where("id", "!=", except)
    .where("latitude", "is not", null)
    .orderBy("at", "desc")
    .limit(1000)
    .select(["id", "latitude", "longitude", "accuracy", "at", "address_hash"])
    .execute();
  return rows as LocatedScan[];
}

type LocatedScan = Position & { id: number; at: string; address_hash: string };

/** Places of one network that are further apart than a branch and its neighbours, in kilometres. */
const maxNetworkSpreadKm = 20;

/** Whether the same network has told, on the same day, of a place far from this one. */
const hasDistantReport = ({ address_hash }: { address_hash: string }, position: Position, others: LocatedScan[]) =>
  others.some((other) => other.address_hash === address_hash && distance(other, position) > maxNetworkSpreadKm);

const hashKey = (key: string) => createHash("sha256").update(key).digest("base64url");

/**
 * A network in a form that can be compared within a day and never turned back: the day's salt is thrown away. A host
 * with a /64 is one scanner, whichever of its addresses it takes.
 */
async function hashNetwork(db: Db, { nearest }: Networks, now: Date): Promise<string> {
  const day = dateIn("UTC", now);
  const kept = db.selectFrom("address_salts").where("day", "=", day).select("salt");
  const { salt } = (await kept.executeTakeFirst()) ?? (await newSalt(db, day, kept));
  return createHash("sha256").update(`${salt} ${nearest}`).digest("base64url");
}

/** Another machine may make one for the same day: whichever was first counts. */
async function newSalt(db: Db, day: string, kept: { executeTakeFirstOrThrow(): Promise<{ salt: string }> }) {
  await db.deleteFrom("address_salts").where("day", "<", day).execute();
  const salt = randomBytes(16).toString("base64url");
  const insert = db.insertInto("address_salts").values({ day, salt });
  await insert.onConflict((conflict) => conflict.doNothing()).execute();
  return kept.executeTakeFirstOrThrow();
}
