import { hash, randomBytes } from "node:crypto";
import { nanoid } from "nanoid";
import type { Networks } from "#lib/storage/limits/networks.ts";
import { raiseAlert } from "../alerts/raise.ts";
import { rulesOf } from "../alerts/rules/rules.ts";
import { dateIn } from "../calendar/calendar.ts";
import type { SignatureVerdict } from "../contract/signatures.ts";
import { inCompanyTransaction } from "../company/company-queries.ts";
import type { Db } from "../db/tables.ts";
import type { Services } from "../services.ts";
import { actorOf } from "../sessions/tokens.ts";
import type { ScanGroups } from "./groups.ts";
import {
  endedScan,
  type Finding,
  firstDayEnded,
  forgedCode,
  isLeftOut,
  ruleOfEnd,
  withdrawnCopyScan,
} from "./judging/rules.ts";
import { copyWithdrawal, type Ended, endOfValidity, type Scanned, verdictOf, type WithdrawnCopy } from "./validity.ts";

/** Records scans when the verification page is opened. */

export type ScanOrigin = { networks: Networks; token?: string | undefined };

/** The part of the verdict that the record alone does not decide. */
export type PaperCheck = {
  isOtherPaper: boolean;
  /** Of a signed code; empty if it confirmed the record, and for plain codes. */
  signature: SignatureVerdict | "";
  /** The findings that raise alerts. */
  findings: Finding[];
};
const nothingElse: PaperCheck = { isOtherPaper: false, signature: "", findings: [] };

type Recorded = { origin: ScanOrigin; paperCheck?: PaperCheck };

/** Stores a scan for the rules to judge, unless staff scanned. Returns the key for reports on this scan. */
export async function recordScan(
  services: Services,
  groups: ScanGroups,
  document: Scanned,
  { origin: { networks, token }, paperCheck: { isOtherPaper, signature, findings } = nothingElse }: Recorded,
): Promise<string> {
  const { db, now } = services;
  const at = now();
  const key = nanoid(22);
  const actor = token ? await actorOf(db, token, at) : undefined;
  const isStaff = actor?.company_id === document.company_id;
  const ended = endOfValidity(document, at);
  const withdrawn = copyWithdrawal(document);
  const day = dateIn(document.timezone, at);
  const allFindings = [...findingsOfEnd(document, day, ended, withdrawn), ...findings];
  const isJudged = !isStaff && (allFindings.length > 0 || rulesOf(document).burst.enabled);
  await groups.store({
    company_id: document.company_id,
    document_id: document.id,
    copy: document.copies === 1 ? null : document.copy,
    at: at.toISOString(),
    day,
    address_hash: await hashNetwork(db, networks, at),
    key_hash: scanKeyHash(key),
    staff: isStaff ? 1 : 0,
    suspicion: 0,
    place: "",
    verdict: verdictOf(ended, isOtherPaper, withdrawn),
    signature,
    findings: isJudged ? allFindings : undefined,
  });
  return key;
}

/** The rules' findings on a document or copy that is no longer in force. */
function findingsOfEnd(document: Scanned, day: string, ended?: Ended, withdrawn?: WithdrawnCopy): Finding[] {
  const rules = rulesOf(document);
  const findings: Finding[] = [];
  if (ended && !isLeftOut(rules[ruleOfEnd(ended)], firstDayEnded(ended), day)) findings.push(endedScan(ended));
  if (withdrawn && !isLeftOut(rules["withdrawn copy"], withdrawn.since, day)) {
    findings.push(withdrawnCopyScan(document, withdrawn));
  }
  return findings;
}

/** The documents with a number: companies number independently, so there may be several. */
export const documentsWithNumber = (db: Db, number_read: string) =>
  db
    .selectFrom("documents")
    .innerJoin("companies", "companies.id", "documents.company_id")
    .where("number_read", "=", number_read)
    .where("number_read", "<>", "")
    .select(["documents.id", "documents.company_id", "companies.timezone"])
    .orderBy("documents.company_id")
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
export const scanKeyHash = (key: string) => hash("sha256", key, "base64url");

/** The salt of a day, cached while it lasts. */
const salts = new WeakMap<Db, { day: string; salt: string }>();

/** A network's hash, comparable within a day: the day's salt is deleted after it. An IPv6 /64 counts as one device. */
async function hashNetwork(db: Db, { nearest }: Networks, now: Date): Promise<string> {
  const day = now.toISOString().slice(0, 10);
  let cached = salts.get(db);
  if (cached?.day !== day) {
    const stored = db.selectFrom("address_salts").where("day", "=", day).select("salt");
    const { salt } = (await stored.executeTakeFirst()) ?? (await newSalt(db, day, stored));
    cached = { day, salt };
    salts.set(db, cached);
  }
  return hash("sha256", `${cached.salt} ${nearest}`, "base64url");
}

/** Of two processes that insert a day's salt at once, the first one's counts. */
async function newSalt(db: Db, day: string, stored: { executeTakeFirstOrThrow(): Promise<{ salt: string }> }) {
  await db.deleteFrom("address_salts").where("day", "<", day).execute();
  const salt = randomBytes(16).toString("base64url");
  const insert = db.insertInto("address_salts").values({ day, salt });
  await insert.onConflict((conflict) => conflict.doNothing()).execute();
  return stored.executeTakeFirstOrThrow();
}
