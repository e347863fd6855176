import { createHash, randomBytes } from "node:crypto";
import type { Networks } from "#storage/networks.ts";
import { minutesInMs } from "#units";
import { raiseAlert } from "../alerts/raise.ts";
import { rulesOf } from "../alerts/rules.ts";
import { ago, dateIn } from "../calendar.ts";
import type { SignatureVerdict } from "../contract/signatures.ts";
import { inCompanyTransaction } from "../db/company.ts";
import type { Db } from "../db/tables.ts";
import type { Services } from "../services.ts";
import { actorOf } from "../sessions/tokens.ts";
import {
  burstOfScans,
  endedScan,
  type Finding,
  firstDayEnded,
  forgedCode,
  isLeftOut,
  ruleOfEnd,
  withdrawnCopyScan,
} from "./rules.ts";
import { reportFinding } from "./suspicion.ts";
import { copyWithdrawal, endOfValidity, type Scanned, verdictOf } from "./validity.ts";

/** Records scans when the verification page is opened. */

type ScannedCopy = { document_id: number; copy: number | null };
type ScanOrigin = { networks: Networks; token?: string | undefined };

/** What the visitor was shown beside the record. */
export type ShownOfPaper = {
  isOtherPaper: boolean;
  /** Of a signed code; empty where it confirmed the record, and for plain codes. */
  signature: SignatureVerdict | "";
  /** What of it raises alerts. */
  findings: Finding[];
};
const nothingElse: ShownOfPaper = { isOtherPaper: false, signature: "", findings: [] };

/** Records a scan and applies the rules, unless staff scanned. Returns the key for reports on this scan. */
export async function recordScan(
  services: Services,
  document: Scanned,
  origin: ScanOrigin,
  { isOtherPaper, signature, findings } = nothingElse,
): Promise<string> {
  const { db, now } = services;
  const at = now();
  const key = randomBytes(16).toString("base64url");
  const actor = origin.token ? await actorOf(db, origin.token, at) : undefined;
  const isStaff = actor?.company_id === document.company_id;
  const address_hash = await hashNetwork(db, origin.networks, at);
  const ended = endOfValidity(document, at);
  const withdrawn = copyWithdrawal(document);
  const copy = document.copies === 1 ? null : document.copy;
  const rules = rulesOf(document);
  const { burst } = rules;
  await inCompanyTransaction(db, document.company_id, async (transaction) => {
    const scan = await transaction
      .insertInto("scans")
      .values({
        company_id: document.company_id,
        document_id: document.id,
        copy,
        at: at.toISOString(),
        day: dateIn(document.timezone, at),
        address_hash,
        key_hash: scanKeyHash(key),
        staff: isStaff ? 1 : 0,
        suspicion: 0,
        place: "",
        verdict: verdictOf(ended, isOtherPaper, withdrawn),
        signature,
      })
      .returningAll()
      .executeTakeFirstOrThrow();
    if (isStaff) return;
    if (ended && !isLeftOut(rules[ruleOfEnd(ended)], firstDayEnded(ended), scan.day)) {
      await reportFinding(services, transaction, scan, endedScan(ended));
    }
    if (withdrawn && !isLeftOut(rules["withdrawn copy"], withdrawn.since, scan.day)) {
      await reportFinding(services, transaction, scan, withdrawnCopyScan(document, withdrawn));
    }
    for (const finding of findings) await reportFinding(services, transaction, scan, finding);
    if (!burst.enabled) return;
    const devices = await newestScanByDevice(transaction, scan, ago(at, minutesInMs(burst.minutes)));
    const others = devices.map(({ id }) => id);
    const finding = burstOfScans(devices.length, burst);
    if (finding) await reportFinding(services, transaction, scan, { ...finding, others });
  });
  return key;
}

/** The newest scan of a copy by each device, so that reloading is no burst. */
const newestScanByDevice = (db: Db, { document_id, copy }: ScannedCopy, since: string) =>
  db
    .selectFrom("scans")
    .where("document_id", "=", document_id)
    .where("copy", copy === null ? "is" : "=", copy)
    .where("staff", "=", 0)
    .where("at", ">", since)
    .groupBy("address_hash")
    .select((eb) => eb.fn.max("id").as("id"))
    .orderBy("id", "desc")
    .limit(100)
    .execute();

/** The documents with a number: companies number independently, so there may be several. */
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

/** Raises an alert for each document when an unissued code was checked beside its number. */
export async function recordForgedCode(
  services: Services,
  documents: { id: number; company_id: number; timezone: string }[],
) {
  const { db, now } = services;
  const at = now();
  for (const document of documents) {
    const context = { document, copy: null, at: at.toISOString(), day: dateIn(document.timezone, at) };
    await inCompanyTransaction(db, document.company_id, (transaction) =>
      raiseAlert(services, transaction, context, forgedCode),
    );
  }
}

/** The stored hash of a scan's key. */
export const scanKeyHash = (key: string) => createHash("sha256").update(key).digest("base64url");

/** A network's hash, comparable within a day: the day's salt is deleted after it. An IPv6 /64 counts as one device. */
async function hashNetwork(db: Db, { nearest }: Networks, now: Date): Promise<string> {
  const day = dateIn("UTC", now);
  const stored = db.selectFrom("address_salts").where("day", "=", day).select("salt");
  const { salt } = (await stored.executeTakeFirst()) ?? (await newSalt(db, day, stored));
  return createHash("sha256").update(`${salt} ${nearest}`).digest("base64url");
}

/** Of two processes that insert a day's salt at once, the first one's counts. */
async function newSalt(db: Db, day: string, stored: { executeTakeFirstOrThrow(): Promise<{ salt: string }> }) {
  await db.deleteFrom("address_salts").where("day", "<", day).execute();
  const salt = randomBytes(16).toString("base64url");
  const insert = db.insertInto("address_salts").values({ day, salt });
  await insert.onConflict((conflict) => conflict.doNothing()).execute();
  return stored.executeTakeFirstOrThrow();
}
