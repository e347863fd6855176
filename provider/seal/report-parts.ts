import { boundsOf } from "#lib/bounds.ts";
import { englishNameOf } from "#lib/messages/language-names.ts";
import { drawMap } from "#lib/page-files/map/map-projection.ts";
import type { nearestTowns } from "#lib/page-files/map/towns.ts";
import type { Report, ReportSection } from "#lib/page-files/reports/report-pdf.ts";
import type { Actor } from "../access.ts";
import { asEntry, auditRows } from "../audit/audit-queries.ts";
import type { AuditEntity } from "../contract/audit.ts";
import { completed } from "../contract/alerts.ts";
import { instantIn } from "../calendar/calendar.ts";
import type { Db } from "../db/tables.ts";
import type { asScan } from "../scans/scan-queries.ts";
import type { Services } from "../services.ts";

/** What signed reports have in common: origin, tables and map. */

export type At = (instant: string) => string;
export type Fact = [label: string, value: string];

export type Origin = Awaited<ReturnType<typeof originOf>>;

/** By whom and when a report is made. */
export async function originOf({ db, now, publicUrl }: Services, { company_id, name, email, timezone }: Actor) {
  const company = await db
    .selectFrom("companies")
    .where("id", "=", company_id)
    .select("name")
    .executeTakeFirstOrThrow();
  return { at: now().toISOString(), by: name, email, company: company.name, timezone, installation: publicUrl };
}

/** Instants in the time zone of the report. */
export const atIn =
  ({ timezone }: Origin): At =>
  (instant) =>
    instantIn(timezone, instant);

/** The frame of a report, whose data is attached. */
export function framedReport(
  { title, name, signedBy }: { title: string; name: string; signedBy: string },
  content: { origin: Origin },
  sections: ReportSection[],
): Report {
  const { origin } = content;
  const root = `${origin.installation}/.well-known/sealdesk-root.pem`;
  return {
    title,
    lead:
      `Made by ${origin.by} (${origin.email}) of ${origin.company} on ${atIn(origin)(origin.at)}. It shows what this person’s access group may see. ` +
      `Times are in the time zone ${origin.timezone}, with their offset from UTC.`,
    sections,
    foot: [
      `Signed electronically by ${signedBy} over the whole file. Check it with: pdfsig FILE. Root certificate: ${root}`,
      `How to check it step by step, and what a signature says: “Verifying” in the documentation of Sealdesk.`,
    ],
    attachment: { name: `${name}.json`, content: JSON.stringify(content, null, 2) },
  };
}

export const filled = (facts: Fact[]) => facts.filter(([, value]) => value !== "");

type Place = {
  latitude?: number | null | undefined;
  longitude?: number | null | undefined;
  accuracy?: number | null | undefined;
  place?: string | undefined;
  place_is_rounded?: boolean | undefined;
  place_quality?: string | undefined;
};

export const placeOf = (townOf: TownOf) => (place: Place) => {
  const { latitude, longitude } = place;
  const degrees = degreesOf(place);
  const town = typeof latitude === "number" && typeof longitude === "number" ? townOf({ latitude, longitude }) : "";
  return [town, degrees].filter(Boolean).join("\n");
};

function degreesOf({ latitude, longitude, accuracy, place, place_is_rounded, place_quality }: Place) {
  if (typeof latitude !== "number" || typeof longitude !== "number") return place ? `typed: “${place}”` : "";
  const within = accuracy ? ` ± ${Math.round(accuracy)} m` : "";
  const notes = [place_is_rounded && "rounded", place_quality === "doubtful" && "doubtful"].filter(Boolean);
  return `${latitude.toFixed(5)}, ${longitude.toFixed(5)}${within}${notes.length > 0 ? ` (${notes.join(", ")})` : ""}`;
}

type Scan = ReturnType<typeof asScan>;

type TownOf = Awaited<ReturnType<typeof nearestTowns>>;

export function scanTable(scans: Scan[], at: At, townOf: TownOf) {
  return {
    columns: [
      { label: "Scanned", share: 24 },
      { label: "Place", share: 26 },
      { label: "Verdict", share: 18 },
      { label: "Report and contact", share: 32 },
    ],
    rows: scans.map((scan) => {
      const verdict = [scan.verdict, scan.signature && `code: ${scan.signature}`, scan.staff && "by staff"];
      const { complaint, complaint_language: language, contact } = scan;
      const page = language && language !== "en" && `written on the page in ${englishNameOf(language)}`;
      const report = [complaint && `“${complaint}”`, page, contact];
      return [
        at(scan.at),
        placeOf(townOf)(scan) || "not shared, or removed",
        verdict.filter(Boolean).join(", "),
        report.filter(Boolean).join("\n"),
      ];
    }),
  };
}

type Value = string | number | boolean | null;

function valueInWords(field: string, value: Value) {
  if (value === null) return "nothing";
  if (field === "status" && typeof value === "number") return value === completed ? "completed" : "open";
  return typeof value === "string" ? `“${value}”` : String(value);
}

export function historyTable(history: ReturnType<typeof asEntry>[], at: At) {
  return {
    columns: [
      { label: "At", share: 24 },
      { label: "By", share: 20 },
      { label: "Action", share: 14 },
      { label: "Changes", share: 42 },
    ],
    rows: history.map((entry) => [
      at(entry.at),
      entry.actor,
      entry.action,
      entry.changes
        .map(({ field, before, after }) => {
          const words = [before, after].map((value) => valueInWords(field, value));
          return `${field.replaceAll("_", " ")}: ${words.join(" › ")}`;
        })
        .join("\n"),
    ]),
  };
}

type Located = Pick<Place, "latitude" | "longitude" | "accuracy">;

/** The places of the scans, as far as they were shared. */
export async function mapSection(located: Located[]): Promise<ReportSection | undefined> {
  const places = located.flatMap(({ latitude, longitude, accuracy }) =>
    typeof latitude === "number" && typeof longitude === "number"
      ? [{ latitude, longitude, accuracy: accuracy as number | null, scans: 1, suspicions: 1 }]
      : [],
  );
  const bounds = boundsOf(places);
  if (!bounds) return undefined;
  return {
    heading: "Where it was scanned",
    text: "A diamond is a place, or several that lie close together; a circle round it says how exactly it is known. Coasts: Natural Earth. Towns: GeoNames.",
    map: await drawMap(places, bounds),
  };
}

type Sealed = Awaited<ReturnType<typeof sealedOf>>;

/** A document's sealed PDFs, the first ones. */
export const sealedOf = (db: Db, documentId: number) =>
  db
    .selectFrom("sealed_files")
    .where("document_id", "=", documentId)
    .orderBy("made_at")
    .orderBy("copy")
    .limit(maxSealed)
    .select(["copy", "sha256", "bytes", "made_at", "timestamped"])
    .execute();
const maxSealed = 100;

export const sealedFacts = (sealed: Sealed, at: At): Fact[] =>
  sealed.length === 0
    ? [["Sealed PDF", "not made yet"]]
    : sealed.map(({ copy, sha256, bytes, made_at, timestamped }): Fact => [
        `Sealed PDF, copy ${copy}`,
        `SHA-256 ${sha256}, ${bytes} bytes, made ${at(made_at)}${timestamped ? ", with a time stamp" : ""}`,
      ]);

const maxEntries = 500;

/** The newest entries of a record's audit trail after one, the oldest of them first, with what the reader may see. */
export async function historyOf(
  db: Db,
  actor: Actor,
  entity: AuditEntity,
  { id, after = 0 }: { id: number; after?: number },
) {
  const rows = await auditRows(db, actor.company_id)
    .where("entity", "=", entity)
    .where("entity_id", "=", id)
    .where("trail", "=", "changes")
    .where("audit.id", ">", after)
    .orderBy("audit.id", "desc")
    .limit(maxEntries + 1)
    .execute();
  const entries = rows.slice(0, maxEntries).toReversed();
  return { history: entries.map((entry) => asEntry(entry, actor)), historyIsCut: rows.length > maxEntries };
}
