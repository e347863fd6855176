import { randomBytes } from "node:crypto";
import { fold } from "#lib/text.ts";
import { alertTypes, completed, type AlertType } from "../contract/alerts.ts";
import type { IssuedVerdict } from "../contract/verify.ts";
import { seededRandom } from "./random.ts";
import {
  type Batch,
  isoDay,
  type Issuing,
  type MadeDocument,
  makeDocument,
  type Maker,
  type NextIds,
} from "./sample-many-documents.ts";
import { daysInMs, hoursInMs, minutesInMs } from "#lib/units.ts";

/** Documents by the thousand with their parts, all made up, for measuring. */

const years = 8;
/** Random bytes per document: for its code, and for its page file's digest. */
const codeBytes = 10;
const bytesPerDocument = codeBytes + 32;

/** Makes the documents from number `from` to before `to`. Counts `nextIds` on. */
export function makeBatch(issuing: Issuing, { from, to }: { from: number; to: number }, nextIds: NextIds): Batch {
  const { owners, count, today } = issuing;
  const ownerNames = new Map(owners.map(({ id, name }) => [id, name]));
  const random = seededRandom(from + 1);
  const pick = <T>(list: readonly T[]) => list[Math.floor(random() * list.length)]!;
  const batch = {
    documents: [],
    page_files: [],
    custom_fields: [],
    audit: [],
    scans: [],
    alerts: [],
    alert_scans: [],
  };
  const maker: Maker = { issuing, ownerNames, nextIds, batch, random, pick };
  // In one call: one for each document takes longer than all the rest.
  const bytes = randomBytes((to - from) * bytesPerDocument);
  for (let n = from; n < to; n++) {
    const ageInDays = ((count - n) / count) * 365 * years;
    const issued = today - daysInMs(ageInDays) - minutesInMs(Math.floor(random() * 500));
    const own = bytes.subarray((n - from) * bytesPerDocument, (n - from + 1) * bytesPerDocument);
    const document = { id: nextIds.document++, ...makeDocument(maker, n, issued, own) };
    maker.batch.documents.push(document);
    addPageFile(maker, document, own.toString("hex", codeBytes));
    addCustomFields(maker, document);
    addAuditEntry(maker, document);
    addScans(maker, document, Math.min(ageInDays, 365));
  }
  return maker.batch;
}

function addPageFile({ batch, random }: Maker, { id: document_id, pages }: MadeDocument, sha256: string) {
  const bytes = 40_000 + Math.floor(random() * 900_000);
  const size = { width: 595, height: 842, pages, bytes };
  batch.page_files.push({ document_id, n: 1, name: "pages.pdf", type: "application/pdf", ...size, sha256 });
}

function addCustomFields({ batch, random }: Maker, { id: document_id, date }: MadeDocument) {
  if (random() >= 0.2) return;
  const amount = `£${Math.floor(random() * 99_000)}.00`;
  const register = `LR-${date.slice(0, 4)}-${1000 + Math.floor(random() * 9000)}`;
  batch.custom_fields.push({ document_id, n: 1, name: "Amount", value: amount });
  batch.custom_fields.push({ document_id, n: 2, name: "Document reg", value: register });
}

function addAuditEntry({ ownerNames, batch }: Maker, document: MadeDocument) {
  const { id, company_id, owner_id, created_at, name, number, date, pages } = document;
  const values = { name, number, date, pages, status: "active" };
  const changes = Object.entries(values).map(([field, after]) => ({ field, before: null, after }));
  batch.audit.push({
    company_id,
    action: "issued",
    entity: "document",
    entity_id: id,
    entity_name: name,
    at: created_at,
    actor_id: owner_id,
    actor: ownerNames.get(owner_id)!,
    changes: JSON.stringify(changes),
  });
}

/** Scans three of ten documents in their last year, and raises an alert for one of 300. */
function addScans(maker: Maker, document: MadeDocument, ageInDays: number) {
  const { issuing, nextIds, batch, random, pick } = maker;
  const someTime = () => issuing.today - daysInMs(random() * ageInDays);
  if (random() < 0.3) addScan(maker, document, someTime(), 0);
  if (random() * 300 >= 1) return;
  const at = someTime();
  const scan_id = addScan(maker, document, at, 1);
  const [alert, reason] = endedAlerts[verdictAt(document, at)] ?? pick(otherAlerts);
  const isOpen = random() < 0.1;
  const id = nextIds.alert++;
  batch.alerts.push({
    id,
    company_id: issuing.company_id,
    document_id: document.id,
    number: id,
    rule: fold(alert),
    day: isoDay(at),
    alert,
    status: isOpen ? alertTypes[alert] : completed,
    date: new Date(at).toISOString(),
    latitude: null,
    longitude: null,
    accuracy: null,
    reason,
    count: 1,
    note: isOpen ? "" : "Looked into: the paper is genuine.",
    version: 1,
    case_state: isOpen ? "new" : "false alarm",
    completed_at: isOpen ? null : new Date(at + hoursInMs(6)).toISOString(),
  });
  batch.alert_scans.push({ alert_id: id, scan_id });
}

type AlertWithReason = [AlertType, reason: string];

const endedAlerts: Partial<Record<IssuedVerdict, AlertWithReason>> = {
  withdrawn: ["Withdrawn document scanned", "Scanned after it had been withdrawn."],
  expired: ["Expired document scanned", "Scanned after it had expired."],
};
const otherAlerts: AlertWithReason[] = [
  ["Fake scan", "Scanned within 4 minutes at places 73 km apart: nobody travels that fast."],
  ["Complaint", "“Page 2 is missing from the copy that I was given.”"],
  ["Burst of scans", "Scanned by 20 devices or more within 10 minutes."],
];

/** The verdict shown to a visitor at an instant. */
function verdictAt(document: MadeDocument, at: number): IssuedVerdict {
  const { status, status_before_archive, status_since, expire_date } = document;
  const isExited = (status_before_archive ?? status) === "exited";
  const isExpired = expire_date !== null && expire_date < isoDay(at);
  if (isExited && status_since! <= new Date(at).toISOString()) return "withdrawn";
  return isExpired ? "expired" : "in force";
}

function addScan({ issuing, nextIds, batch, random }: Maker, document: MadeDocument, at: number, suspicion: number) {
  const id = nextIds.scan++;
  const verdict = verdictAt(document, at);
  // Places are stored for 90 days, and two of five scanners share theirs.
  const isLocated = at > issuing.today - daysInMs(90) && random() < 0.4;
  // Others' scans of an ended document raise an alert.
  const isStaff = random() < 0.13 || verdict !== "in force";
  batch.scans.push({
    id,
    company_id: issuing.company_id,
    document_id: document.id,
    at: new Date(at).toISOString(),
    day: isoDay(at),
    address_hash: "",
    key_hash: "",
    latitude: isLocated ? 53.3 + random() * 0.8 : null,
    longitude: isLocated ? -3 + random() : null,
    accuracy: isLocated ? 40 : null,
    place: "",
    suspicion,
    staff: isStaff && !suspicion ? 1 : 0,
    verdict,
  });
  return id;
}
