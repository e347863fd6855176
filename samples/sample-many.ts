import { randomBytes, randomUUID } from "node:crypto";
import type { Insertable } from "kysely";
import { fold } from "#storage/text.ts";
import { newCode } from "#provider/documents/codes.ts";
import { alertTypes, completed, type AlertType } from "#provider/contract/alerts.ts";
import { accessTypes, documentTypes } from "#provider/contract/document-options.ts";
import { seededRandom } from "./random.ts";
import type { Tables } from "#provider/db/tables.ts";
import { daysInMs, minutesInMs } from "#units";

/** Documents by the thousand as a busy company has them, each with its parts. All of it is made up. */

type Row<Table extends keyof Tables> = Insertable<Tables[Table]>;

/** The rows that come with some documents. */
export type Batch = {
  documents: Row<"documents">[];
  page_files: Row<"page_files">[];
  custom_fields: Row<"custom_fields">[];
  audit: Row<"audit">[];
  scans: Row<"scans">[];
  alerts: Row<"alerts">[];
  alert_scans: Row<"alert_scans">[];
};

/** Who issues documents: a user at a branch. */
type Owner = { id: number; name: string; branch_id: number | null };
export type Issuing = { company_id: number; owners: Owner[]; groups: number[]; count: number; today: number };

const years = 8;
const firms = [
  "Aldous Paper,Northgate Haulage,Brook & Sons,Tideway Dredging,Kestrel Optics,Marlow Timber,Quayside Foods,Ferndale Mill",
  "Harlequin Print,Ösling Maschinenbau,Société Générale d’Étain,Café São João,Pennine Glass,Wyre Boatyard,Orchard Dairy",
  "Ribble Plastics,Sefton Steel,Ямал Трейд,東京精密,Lune Valley Eggs,Calder Wire,Bowland Forest,Irwell Textiles,Mersey Pilots",
].flatMap((line) => line.split(","));
const places = "Preston,Lancaster,Salford,Bolton,Wigan,Blackburn,Bury,Oldham,Southport,Kendal,Leigh,Morecambe".split(
  ",",
);
const things: Record<keyof typeof documentTypes, string[]> = {
  Contract: ["Lease of unit", "Supply agreement", "Service contract", "Rent review of unit", "Contract of sale, lot"],
  Certificate: ["Crane inspection", "Fire safety certificate", "Quality certificate", "First aid training, course"],
  Permit: ["Vehicle permit", "Hot work permit, bay", "Scaffold permit", "Site pass, gate"],
  Invoice: ["Invoice", "Credit note", "Purchase invoice"],
  Bank: ["Bank guarantee", "Account statement", "Reference letter"],
  Policy: ["Liability insurance", "Privacy notice, version", "Travel policy, version"],
  Other: ["Minutes of meeting", "Letter", "Delivery note"],
};
const types = Object.keys(things) as (keyof typeof things)[];
const alphabet = "0123456789ABCDEFGHJKMNPQRSTVWXYZ";

/** `NM-` and six characters that no other n below a billion has. */
function numberOf(n: number) {
  const mixed = Number((BigInt(n) * 668_265_263n) & 0x3f_ff_ff_ffn);
  return `NM-${Array.from({ length: 6 }, (_, place) => alphabet[Math.floor(mixed / 32 ** place) % 32]).join("")}`;
}

/** Random bytes of a document: of its code, and of its page file's digest. */
const codeBytes = 10;
const bytesEach = codeBytes + 32;

const isoDay = (time: number) => new Date(time).toISOString().slice(0, 10);

/** Documents `from` up to `to` of those that are issued, ids counted on from `ids`: a running number for each table. */
export function batchOf(
  issuing: Issuing,
  from: number,
  to: number,
  ids: { document: number; scan: number; alert: number },
) {
  const { company_id, owners, groups, count, today } = issuing;
  const random = seededRandom(from + 1);
  // At once: asking anew for each document takes longer than all else about it.
  const bytes = randomBytes((to - from) * bytesEach);
  const names = new Map(owners.map(({ id, name }) => [id, name]));
  const pick = <T>(list: readonly T[]) => list[Math.floor(random() * list.length)]!;
  const batch: Batch = {
    documents: [],
    page_files: [],
    custom_fields: [],
    audit: [],
    scans: [],
    alerts: [],
    alert_scans: [],
  };
  for (let n = from; n < to; n++) {
    const age = ((count - n) / count) * 365 * years;
    const issued = today - daysInMs(age) - minutesInMs(Math.floor(random() * 500));
    const own = bytes.subarray((n - from) * bytesEach, (n - from + 1) * bytesEach);
    const document = documentOf(n, issued, own);
    const id = ids.document++;
    batch.documents.push({ id, ...document });
    addParts(id, document, own.toString("hex", codeBytes));
    addScans(id, Math.min(age, 365));
  }
  return batch;

  function documentOf(n: number, issued: number, own: Buffer) {
    const type = pick(types);
    // A few issue much more than the others.
    const owner = owners[Math.floor(random() ** 2 * owners.length)]!;
    const firm = pick(firms);
    const name = `${pick(things[type])} ${1 + Math.floor(random() * 9000)}, ${random() < 0.5 ? firm : pick(places)}`;
    // What hardly any document has in its name.
    const full = n % 50_000 === 777 ? `${name} (Zephyr wharf)` : name;
    const number = numberOf(n);
    const date = isoDay(issued - daysInMs(Math.floor(random() * 3)));
    const isArchived = random() < 0.12;
    const isExited = random() < 0.04;
    const expire_date =
      random() < 0.5 ? isoDay(Date.parse(date) + daysInMs(365 * (1 + Math.floor(random() * 4)))) : null;
    const ended = new Date(Math.min(issued + daysInMs(200), today)).toISOString();
    return {
      company_id,
      branch_id: owner.branch_id,
      owner_id: owner.id,
      created_by: owner.id,
      access_group_id: random() < 0.7 ? null : pick(groups),
      code: newCode(own),
      number,
      number_key: fold(number),
      name: full,
      name_key: fold(full),
      document_type: type,
      document_subtype: pick<string>(documentTypes[type]),
      access_type: random() < 0.8 ? accessTypes[0] : accessTypes[1],
      date,
      created_at: new Date(issued).toISOString(),
      expire_type: expire_date ? "date" : "never",
      expire_date,
      first_expire_date: expire_date,
      prolongation: expire_date && random() < 0.3 ? 1 : 0,
      qr_placing: "bottom-right:first:medium",
      status: isArchived ? ("archived" as const) : isExited ? ("exited" as const) : ("active" as const),
      status_before_archive: isArchived ? (isExited ? ("exited" as const) : ("active" as const)) : null,
      status_since: isArchived || isExited ? ended : null,
      pages: 1 + Math.floor(random() ** 3 * 12),
      folder: `documents/${randomUUID()}`,
      idempotency_key: null,
      version: 1,
    };
  }

  function addParts(id: number, document: ReturnType<typeof documentOf>, sha256: string) {
    const { name, number, date, owner_id, created_at, pages } = document;
    const bytes = 40_000 + Math.floor(random() * 900_000);
    const file = {
      document_id: id,
      n: 1,
      name: "pages.pdf",
      type: "application/pdf" as const,
      width: 595,
      height: 842,
    };
    batch.page_files.push({ ...file, pages, bytes, sha256 });
    if (random() < 0.2) {
      batch.custom_fields.push({
        document_id: id,
        n: 1,
        name: "Amount",
        value: `£${Math.floor(random() * 99_000)}.00`,
      });
      batch.custom_fields.push({
        document_id: id,
        n: 2,
        name: "Document reg",
        value: `LR-${date.slice(0, 4)}-${n4()}`,
      });
    }
    const told = { name, number, date, pages, status: "active" };
    const changes = Object.entries(told).map(([field, after]) => ({ field, before: null, after }));
    const entry = {
      action: "issued",
      entity: "document",
      entity_id: id,
      entity_name: name,
      at: created_at,
      company_id,
    };
    batch.audit.push({ ...entry, actor_id: owner_id, actor: names.get(owner_id)!, changes: JSON.stringify(changes) });
  }

  function n4() {
    return String(1000 + Math.floor(random() * 9000));
  }

  /** Three scans to ten documents in its last year, one alert to three hundred. */
  function addScans(document_id: number, age: number) {
    const atSomeTime = () => today - daysInMs(random() * age);
    if (random() < 0.3) addScan(document_id, atSomeTime(), 0);
    if (random() * 300 >= 1) return;
    const at = atSomeTime();
    const scan_id = addScan(document_id, at, 1);
    const alert = pick(Object.keys(alertTypes) as AlertType[]);
    const isOpen = random() < 0.1;
    const id = ids.alert++;
    batch.alerts.push({
      id,
      company_id,
      document_id,
      number: id,
      rule: fold(alert),
      day: isoDay(at),
      alert,
      status: isOpen ? alertTypes[alert] : completed,
      date: new Date(at).toISOString(),
      latitude: null,
      longitude: null,
      accuracy: null,
      reason: "Scanned within 4 minutes at places 73 km apart: nobody travels that fast.",
      count: 1,
      note: isOpen ? "" : "Looked into: the paper is genuine.",
      version: 1,
    });
    batch.alert_scans.push({ alert_id: id, scan_id });
  }

  function addScan(document_id: number, at: number, suspicion: number) {
    const id = ids.scan++;
    // Places are kept for 90 days, and two of five tell theirs.
    const isTold = at > today - daysInMs(90) && random() < 0.4;
    batch.scans.push({
      id,
      company_id,
      document_id,
      at: new Date(at).toISOString(),
      day: isoDay(at),
      address_hash: "",
      key_hash: "",
      latitude: isTold ? 53.3 + random() * 0.8 : null,
      longitude: isTold ? -3 + random() : null,
      accuracy: isTold ? 40 : null,
      place: "",
      suspicion,
      staff: random() < 0.13 ? 1 : 0,
    });
    return id;
  }
}
