import { type ExpressionBuilder, type Kysely, sql } from "kysely";
import type { z } from "zod";
import { type Actor, alertsWithin, reachOf, scansWithin } from "../access.ts";
import type { Bounds, Scan, scanPlaces } from "../contract/scans.ts";
import { filters } from "./lists.ts";
import type { Tables } from "./tables.ts";

/** Scans with what is told of their documents, and with what whoever scanned reports. */
export const scanRows = (db: Kysely<Tables>) =>
  db
    .selectFrom("scans")
    .innerJoin("documents", "documents.id", "scans.document_id")
    .leftJoin("branches", "branches.id", "documents.branch_id")
    .leftJoin("complaints", "complaints.scan_id", "scans.id")
    .select(["scans.id", "scans.document_id", "scans.at", "scans.latitude", "scans.longitude", "scans.accuracy"])
    .select(["scans.place", "scans.suspicion", "scans.staff", "documents.number", "branches.name as branch"])
    .select(["branches.index", "complaints.text as complaint", "complaints.contact"]);

type Row = Awaited<ReturnType<ReturnType<typeof scanRows>["execute"]>>[number];

/** Who may write alerts knows where scans were made; others learn it to about a kilometre. */
const isExact = (actor: Actor) => reachOf(actor, "alerts", "write") !== undefined;
const rounded = (degrees: number) => Math.round(degrees * 100) / 100;

/** Degrees as somebody may know them. */
export function placeFor(actor: Actor) {
  const isAllowed = isExact(actor);
  const shown = (degrees: number | null) => (isAllowed || degrees === null ? degrees : rounded(degrees));
  return ({ latitude, longitude, accuracy }: Pick<Row, "latitude" | "longitude" | "accuracy">) => ({
    latitude: shown(latitude),
    longitude: shown(longitude),
    accuracy: isAllowed ? accuracy : null,
  });
}

/** A row of `scanRows` as the contract has it. */
export function asScan(row: Row & { alert_id?: number | null }, actor: Actor): z.input<typeof Scan> {
  const mayRead = reachOf(actor, "alerts", "read") !== undefined;
  return {
    id: row.id,
    document_id: row.document_id,
    number: row.number,
    branch: row.branch ?? "",
    index: row.index ?? "",
    at: row.at,
    ...placeFor(actor)(row),
    place: row.place,
    suspicion: row.suspicion === 1,
    staff: row.staff === 1,
    complaint: (mayRead && row.complaint) || "",
    contact: (isExact(actor) && row.contact) || "",
    alert_id: row.alert_id ?? null,
  };
}

/** The alert that a scan is behind, the first where there are several, as far as the actor may read it. */
export const alertBehind = (actor: Actor) => (eb: ExpressionBuilder<Tables, "scans" | "documents">) =>
  eb
    .selectFrom("alert_scans")
    .whereRef("alert_scans.scan_id", "=", "scans.id")
    .where(alertsWithin(actor, "read")(eb))
    .select((alerts) => alerts.fn.min("alert_id").as("alert_id"))
    .as("alert_id");

type Wish = Omit<z.output<typeof scanPlaces.query>, "points">;

/** Whether a scan is one that the map may show the actor and that is asked for. */
export const scansFound =
  (actor: Actor, { number, index, branch, date_from, date_to, kind, bbox }: Wish) =>
  (eb: ExpressionBuilder<Tables, "scans" | "documents" | "branches">) =>
    eb.and([
      eb("scans.company_id", "=", actor.company_id),
      scansWithin(actor)(eb as never),
      ...filters({ number, index }, { number: "documents.number_key", index: "branches.index" }),
      ...(branch ? [eb("branches.name", "=", branch)] : []),
      ...(date_from ? [eb("scans.day", ">=", date_from)] : []),
      ...(date_to ? [eb("scans.day", "<=", date_to)] : []),
      ...(kind.length === 1 ? [eb("scans.suspicion", "=", kind[0] === "suspicions" ? 1 : 0)] : []),
      ...(bbox ? [isWithin(isExact(actor) ? bbox : blurred(bbox))] : []),
    ]);

const isWithin = ({ west, south, east, north }: Bounds) =>
  sql<boolean>`scans.longitude between ${west} and ${east} and scans.latitude between ${south} and ${north}`;

/**
 * A box that holds exactly the places that are in `bounds` once they are rounded: by asking for smaller and smaller
 * ones, nobody learns a place better than it is shown.
 */
function blurred({ west, south, east, north }: Bounds): Bounds {
  const low = (degrees: number) => (Math.ceil(hundredths(degrees)) - 0.5) / 100;
  const high = (degrees: number) => (Math.floor(hundredths(degrees)) + 0.499999) / 100;
  return { west: low(west), south: low(south), east: high(east), north: high(north) };
}
const hundredths = (degrees: number) => Number((degrees * 100).toFixed(6));
