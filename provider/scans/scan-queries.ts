import { type ExpressionBuilder, type Kysely, sql } from "kysely";
import type { z } from "zod";
import type { Language } from "#lib/messages/languages.ts";
import { type Actor, alertsWithin, exactPlacesWithin, scopeOf, scansWithin, seesAllDocuments } from "../access.ts";
import type { Bounds } from "#lib/bounds.ts";
import type { Complete } from "../contract/call.ts";
import type { Scan, scanPlaces, ScanPoint } from "../contract/scans.ts";
import { addDays } from "../calendar/calendar.ts";
import { documentsByReach } from "../documents/document-queries.ts";
import { filters } from "../db/lists.ts";
import type { Tables } from "../db/tables.ts";

/** Scans with their documents' numbers and branches, and whether the actor may see their exact places. */
export const scanRows = (db: Kysely<Tables>, actor: Actor) =>
  db
    .selectFrom("scans")
    // The database drops these joins if no column needs them, which makes a map of 20,000 scans twice as fast.
    .leftJoin(needsReach(actor) ? documentsByReach(db) : "documents", "documents.id", "scans.document_id")
    .leftJoin("branches", "branches.id", "documents.branch_id")
    .select(["scans.id", "scans.document_id", "scans.at", "scans.latitude", "scans.longitude", "scans.accuracy"])
    .select([
      "scans.place",
      "scans.doubtful",
      "scans.suspicion",
      "scans.staff",
      "scans.verdict",
      "scans.signature",
      "scans.copy",
      "documents.number",
      "branches.name as branch",
    ])
    .select(["branches.index", isExact(actor)]);

/** Whether the documents decide if the actor may see a scan and its exact place. Joins by such an index are never dropped. */
const needsReach = (actor: Actor) => !seesAllDocuments(actor, "map") || !seesAllDocuments(actor, "alerts", "write");

type ScanRow = Awaited<ReturnType<ReturnType<typeof scanRows>["execute"]>>[number];
type ScanExtras = {
  complaint?: string | null;
  complaint_language?: Language | "" | null;
  contact?: string | null;
  alert_id?: number | null;
};

/** 1 if the actor may see a scan's exact place, otherwise 0. */
const exactness = (actor: Actor) => (eb: ExpressionBuilder<Tables, "documents">) =>
  seesAllDocuments(actor, "alerts", "write") ? eb.lit(1) : isWithinReach(actor)(eb);
const isWithinReach = (actor: Actor) => (eb: ExpressionBuilder<Tables, "documents">) =>
  eb.case().when(exactPlacesWithin(actor)(eb)).then(1).else(0).end();
export const isExact = (actor: Actor) => (eb: ExpressionBuilder<Tables, "documents">) =>
  exactness(actor)(eb).as("is_exact");

type Position = { latitude: number | null; longitude: number | null; accuracy: number | null };

/** A position as it is shown: exact, or to about a kilometre. */
export function shownPosition({ latitude, longitude, accuracy }: Position, isExact: boolean): Position {
  if (isExact) return { latitude, longitude, accuracy };
  const rounded = (degrees: number | null) => (degrees === null ? null : Math.round(degrees * 100) / 100);
  const radius = latitude === null ? null : Math.max(accuracy ?? 0, 1000);
  return { latitude: rounded(latitude), longitude: rounded(longitude), accuracy: radius };
}

/** The same for an alert: actors who may write alerts get the exact place. */
export const alertPosition = (actor: Actor) => (position: Position) => {
  const isExact = scopeOf(actor, "alerts", "write") !== undefined;
  return { ...shownPosition(position, isExact), place_is_rounded: isRounded(position, isExact) };
};

const isRounded = ({ latitude }: Position, isExact: boolean) => latitude !== null && !isExact;

/** A row of `scanRows` in the contract's form. */
export function asScan(row: ScanRow & ScanExtras): Complete<typeof Scan> {
  return {
    id: row.id,
    document_id: row.document_id,
    number: row.number ?? "",
    copy: row.copy,
    branch: row.branch ?? "",
    index: row.index ?? "",
    at: row.at,
    ...shownPosition(row, row.is_exact === 1),
    place: row.is_exact === 1 ? row.place : "",
    place_quality: placeQuality(row),
    place_is_removable: row.is_exact === 1 && (row.latitude !== null || row.place !== ""),
    place_is_rounded: isRounded(row, row.is_exact === 1),
    suspicion: row.suspicion === 1,
    staff: row.staff === 1,
    verdict: row.verdict,
    signature: row.signature,
    complaint: row.complaint ?? "",
    complaint_language: row.complaint_language ?? "",
    contact: (row.is_exact === 1 && row.contact) || "",
    alert_id: row.alert_id ?? null,
  };
}

function placeQuality({ latitude, place, doubtful, is_exact }: ScanRow) {
  if (latitude !== null) return doubtful === 1 ? "doubtful" : "measured";
  return is_exact === 1 && place !== "" ? "typed" : "";
}

/** The same for a map, without texts. */
export function asPoint(row: ScanRow & ScanExtras): Complete<typeof ScanPoint> {
  const { index, place, place_is_removable, complaint, complaint_language, contact, ...point } = asScan(row);
  return point;
}

/** Whether a scan is of the days of an alert's scans, which tells PostgreSQL the partitions. */
export const isOfTime =
  ({ date }: { date: string }) =>
  (eb: ExpressionBuilder<Tables, "scans">) =>
    eb.and([eb("scans.at", ">", addDays(date.slice(0, 10), -3)), eb("scans.at", "<", addDays(date.slice(0, 10), 3))]);

/** The first alert that a scan raised, if the actor may read it. */
export const alertBehind = (actor: Actor) => (eb: ExpressionBuilder<Tables, "scans" | "documents">) =>
  eb
    .selectFrom("alert_scans")
    .whereRef("alert_scans.scan_id", "=", "scans.id")
    .where(alertsWithin(actor, "read")(eb))
    .select((alerts) => alerts.fn.min("alert_id").as("alert_id"))
    .as("alert_id");

export type ScanQuery = Omit<z.output<typeof scanPlaces.query>, "points">;

/** A condition for one of two kinds or none: with a literal number, as the partial index of suspicions needs it. */
export function kindCondition({ kind }: Pick<ScanQuery, "kind">) {
  if (kind.length === 0) return [sql<boolean>`1 = 0`];
  return kind.length === 1 ? [sql<boolean>`scans.suspicion = ${sql.lit(kind[0] === "suspicions" ? 1 : 0)}`] : [];
}

/** Whether the actor's map may show a scan and the scan matches the filters. */
export const scansMatching =
  (actor: Actor, { number, index, branch, date_from, date_to, kind, bbox }: ScanQuery) =>
  (eb: ExpressionBuilder<Tables, "scans" | "documents" | "branches">) => {
    return eb.and([
      eb("scans.company_id", "=", actor.company_id),
      ...(seesAllDocuments(actor, "map") ? [] : [scansWithin(actor)(eb)]),
      ...filters({ number, index }, { number: "documents.number_key", index: "branches.index" }),
      ...(branch ? [eb("branches.name", "=", branch)] : []),
      ...(date_from ? [eb("scans.day", ">=", date_from)] : []),
      ...(date_to ? [eb("scans.day", "<=", date_to)] : []),
      ...kindCondition({ kind }),
      ...(bbox
        ? [
            eb.or([
              eb.and([eb(exactness(actor)(eb), "=", 1), isWithin(bbox)]),
              eb.and([eb(exactness(actor)(eb), "=", 0), isWithin(boundsBeforeRounding(bbox))]),
            ]),
          ]
        : []),
    ]);
  };

/** Whether the actor may see a scan's place: any position, but a typed place only if it is shown exactly. */
export const hasPlace = (actor: Actor) => (eb: ExpressionBuilder<Tables, "scans" | "documents">) =>
  eb.or([eb("scans.latitude", "is not", null), eb(exactness(actor)(eb), "=", 1)]);

const isWithin = ({ west, south, east, north }: Bounds) =>
  sql<boolean>`scans.latitude between ${south} and ${north}
    and (scans.longitude between ${west} and ${east} or scans.longitude <= ${east - 360})`;

/** A box of the places that are within `bounds` once rounded, so that ever smaller boxes reveal no more than is shown. */
function boundsBeforeRounding({ west, south, east, north }: Bounds): Bounds {
  const low = (degrees: number) => (Math.ceil(hundredths(degrees)) - 0.5) / 100;
  const high = (degrees: number) => (Math.floor(hundredths(degrees)) + 0.499999) / 100;
  return { west: low(west), south: low(south), east: high(east), north: high(north) };
}
const hundredths = (degrees: number) => Number((degrees * 100).toFixed(6));
