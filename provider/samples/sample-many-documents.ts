import { randomUUID } from "node:crypto";
import type { Insertable } from "kysely";
import { fold } from "#lib/text.ts";
import { daysInMs } from "#lib/units.ts";
import { accessTypes, documentTypes } from "../contract/document-options.ts";
import type { Tables } from "../db/tables.ts";
import { newCode } from "../documents/codes.ts";
import { numberColumns } from "../documents/numbers.ts";

/** Names, numbers and dates of documents by the thousand. */

type SampleRow<Table extends keyof Tables> = Insertable<Tables[Table]>;

/** Rows of some documents and their parts. */
export type Batch = {
  documents: SampleRow<"documents">[];
  page_files: SampleRow<"page_files">[];
  custom_fields: SampleRow<"custom_fields">[];
  audit: SampleRow<"audit">[];
  scans: SampleRow<"scans">[];
  alerts: SampleRow<"alerts">[];
  alert_scans: SampleRow<"alert_scans">[];
};

type Owner = { id: number; name: string; branch_id: number | null };
export type Issuing = { company_id: number; owners: Owner[]; groups: number[]; count: number; today: number };

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

/** `NM-` and six characters, different for each n below a billion. */
function numberOf(n: number) {
  const mixed = Number((BigInt(n) * 668_265_263n) & 0x3f_ff_ff_ffn);
  return `NM-${Array.from({ length: 6 }, (_, place) => alphabet[Math.floor(mixed / 32 ** place) % 32]).join("")}`;
}

/** The date in UTC; by `Date`, as Temporal takes six times as long. */
export const isoDay = (time: number) => new Date(time).toISOString().slice(0, 10);

/** The next id of each table. */
export type NextIds = { document: number; scan: number; alert: number };

export type Maker = {
  issuing: Issuing;
  ownerNames: Map<number, string>;
  nextIds: NextIds;
  batch: Batch;
  random(): number;
  pick<T>(list: readonly T[]): T;
};

export function makeDocument({ issuing, random, pick }: Maker, n: number, issued: number, bytes: Buffer) {
  const { company_id, owners, groups, today } = issuing;
  const type = pick(types);
  // Squared: a few owners issue much more than the others.
  const owner = owners[Math.floor(random() ** 2 * owners.length)]!;
  const firm = pick(firms);
  const title = `${pick(things[type])} ${1 + Math.floor(random() * 9000)}, ${random() < 0.5 ? firm : pick(places)}`;
  // A word that hardly any document has in its name.
  const name = n % 50_000 === 777 ? `${title} (Zephyr wharf)` : title;
  const number = numberOf(n);
  const date = isoDay(issued - daysInMs(Math.floor(random() * 3)));
  const isArchived = random() < 0.12;
  const isExited = random() < 0.04;
  const validDays = random() < 0.5 && 365 * (1 + Math.floor(random() * 4));
  const expire_date = validDays ? isoDay(Date.parse(date) + daysInMs(validDays)) : null;
  const ended = new Date(Math.min(issued + daysInMs(200), today)).toISOString();
  return {
    company_id,
    branch_id: owner.branch_id,
    owner_id: owner.id,
    created_by: owner.id,
    access_group_id: random() < 0.7 ? null : pick(groups),
    code: newCode(bytes),
    ...numberColumns(number),
    name,
    name_key: fold(name),
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

export type MadeDocument = ReturnType<typeof makeDocument> & { id: number };
