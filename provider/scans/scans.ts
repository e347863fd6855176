import { createHash, randomBytes } from "node:crypto";
import type { Kysely } from "kysely";
import { raise } from "../alerts/raise.ts";
import { tellingMinutes } from "../contract/verify.ts";
import { inCompany, today } from "../db/company.ts";
import type { Tables } from "../db/tables.ts";
import { conflict } from "../refused.ts";
import type { Services } from "../services.ts";
import { minutes } from "../time.ts";
import { actorOf } from "../tokens.ts";
import {
  burst,
  burstOf,
  complaint,
  endedScan,
  forgedCode,
  impossibleTravel,
  type Raised,
  travelWindow,
} from "./rules.ts";
import type { Position } from "./distance.ts";
import { endOf, type Scanned } from "./standing.ts";

/** Scans of documents' codes: recorded when the public page is opened, and told more of within ten minutes. */

type Db = Kysely<Tables>;
type From = { clientAddress: string; token?: string | undefined };

const ago = (now: Date, milliseconds: number) => new Date(now.getTime() - milliseconds).toISOString();

/** Records a scan and returns the key by which more can be told of it. Rules look at it unless staff made it. */
export async function recordScan(services: Services, document: Scanned, from: From): Promise<string> {
  const { db, now } = services;
  const at = now();
  const key = randomBytes(16).toString("base64url");
  const actor = from.token ? await actorOf(db, from.token, at) : undefined;
  const isStaff = actor?.company_id === document.company_id;
  const address_hash = await hashOfAddress(db, from.clientAddress, at);
  await inCompany(db, document.company_id, async (transaction) => {
    const scan = await transaction
      .insertInto("scans")
      .values({
        company_id: document.company_id,
        document_id: document.id,
        at: at.toISOString(),
        day: today(document.timezone, at),
        address_hash,
        key_hash: hashOf(key),
        staff: isStaff ? 1 : 0,
        suspicion: 0,
        place: "",
      })
      .returningAll()
      .executeTakeFirstOrThrow();
    if (isStaff) return;
    const end = endOf(document, at);
    if (end) await raiseOf(transaction, document, scan, endedScan(end));
    const devices = await devicesSince(transaction, document.id, ago(at, minutes(burst.minutes)));
    const flood = burstOf(devices.length);
    const others = devices.map(({ id }) => id);
    if (flood) await raiseOf(transaction, document, scan, flood, others);
  });
  return key;
}

/** Notes a paper that bears a true number beside a code that was never issued; whose number it is, is told to nobody. */
export async function noteForgedCode({ db, now }: Services, number_key: string) {
  if (!number_key) return;
  const documents = await db
    .selectFrom("documents")
    .innerJoin("companies", "companies.id", "documents.company_id")
    .where("number_key", "=", number_key)
    .select(["documents.id", "documents.company_id", "companies.timezone"])
    // Companies number for themselves, so several may have it.
    .orderBy("documents.id")
    .limit(5)
    .execute();
  const at = now();
  for (const document of documents) {
    await inCompany(db, document.company_id, (transaction) =>
      raise(transaction, { document, at: at.toISOString(), day: today(document.timezone, at) }, forgedCode),
    );
  }
}

/** Of a position that comes without its accuracy, in metres. */
const vague = 5000;

type Told = {
  latitude?: number | undefined;
  longitude?: number | undefined;
  accuracy?: number | undefined;
  place: string;
};

/** Adds to a scan where it was made; once. */
export async function locateScan({ db, now }: Services, document: Scanned, key: string, told: Told) {
  await inCompany(db, document.company_id, async (transaction) => {
    const scan = await tellable(transaction, document, key, now());
    if (scan.located_at) throw conflict("The place of this scan has been told already");
    const { latitude, longitude, accuracy, place } = told;
    const isPosition = latitude !== undefined && longitude !== undefined;
    const position = isPosition ? { latitude, longitude, accuracy: accuracy ?? vague } : undefined;
    await transaction
      .updateTable("scans")
      .set({ ...(position ?? { place }), located_at: now().toISOString() })
      .where("id", "=", scan.id)
      .execute();
    if (!position || scan.staff) return;
    await placeAlerts(transaction, scan.id, position);
    const others = await locatedSince(transaction, document.id, scan.id, ago(now(), travelWindow));
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
  await inCompany(db, document.company_id, async (transaction) => {
    const scan = await tellable(transaction, document, key, now());
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
async function tellable(db: Db, document: Scanned, key: string, now: Date) {
  const scan = await db
    .selectFrom("scans")
    .selectAll()
    .where("document_id", "=", document.id)
    .where("key_hash", "=", hashOf(key))
    .where("at", ">", ago(now, minutes(tellingMinutes)))
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
async function raiseOf(db: Db, document: Scanned, scan: ScanRow, raised: Raised, others: number[] = []) {
  await raise(db, { document, scan, others, at: scan.at, day: scan.day }, raised);
  await db
    .updateTable("scans")
    .set({ suspicion: 1 })
    .where("id", "in", [scan.id, ...others])
    .execute();
}

/** The alerts that a scan raised before it was told where it was made. */
async function placeAlerts(db: Db, scanId: number, position: Required<Position>) {
  await db
    .updateTable("alerts")
    .set(position)
    .where("latitude", "is", null)
    .where("id", "in", (eb) => eb.selectFrom("alert_scans").where("scan_id", "=", scanId).select("alert_id"))
    .execute();
}

/** The newest scan of a code from each address: looking again and again is no burst. */
const devicesSince = (db: Db, documentId: number, since: string) =>
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
    .select(["id", "latitude", "longitude", "accuracy", "at"])
    .execute();
  return rows as { id: number; latitude: number; longitude: number; accuracy: number; at: string }[];
}

const hashOf = (key: string) => createHash("sha256").update(key).digest("base64url");

/** An address in a form that can be compared within a day and never turned back: the day's salt is thrown away. */
async function hashOfAddress(db: Db, address: string, now: Date): Promise<string> {
  const day = now.toISOString().slice(0, 10);
  const kept = db.selectFrom("address_salts").where("day", "=", day).select("salt");
  const { salt } = (await kept.executeTakeFirst()) ?? (await newSalt(db, day, kept));
  return createHash("sha256").update(`${salt} ${address}`).digest("base64url");
}

/** Another machine may make one for the same day: whichever was first counts. */
async function newSalt(db: Db, day: string, kept: { executeTakeFirstOrThrow(): Promise<{ salt: string }> }) {
  await db.deleteFrom("address_salts").where("day", "<", day).execute();
  const salt = randomBytes(16).toString("base64url");
  const insert = db.insertInto("address_salts").values({ day, salt });
  await insert.onConflict((conflict) => conflict.doNothing()).execute();
  return kept.executeTakeFirstOrThrow();
}
