import type { ExpressionBuilder, Kysely } from "kysely";
import { type Actor, alertsWithin, seesAllDocuments } from "../access.ts";
import type { Complete } from "../contract/call.ts";
import { type Alert, maxOtherPlaces } from "../contract/alerts.ts";
import { countOpenAlertsOf } from "../db/reach-counters.ts";
import { alertPosition, isOfTime } from "../scans/scan-queries.ts";
import type { Tables } from "../db/tables.ts";

/** Alerts with the names of their documents and branches. */
export const alertRows = (db: Kysely<Tables>) =>
  db
    .selectFrom("alerts")
    // A capped count drops this join if no condition needs it.
    .leftJoin("documents", "documents.id", "alerts.document_id")
    .leftJoin("branches", "branches.id", "documents.branch_id")
    .leftJoin("users as owners", "owners.id", "alerts.owner_id")
    .leftJoin("users as seers", "seers.id", "alerts.first_seen_by")
    .select(["owners.name as owner", "owners.active as owner_active", "seers.name as first_seen_name"])
    .select((eb) => ["branches.name as branch", eb.fn.coalesce("documents.name", eb.val("")).as("document")])
    .selectAll("alerts");

type AlertRow = Awaited<ReturnType<ReturnType<typeof alertRows>["execute"]>>[number];

/** `AL-000123` */
export const alertNumber = (number: number) => `AL-${String(number).padStart(6, "0")}`;

/** The number of a text like `AL-000123` or `al 123`; undefined for others. */
export function alertNumberIn(text: string) {
  const digits = /^AL[-\s]?(\d{1,9})$/i.exec(text)?.[1];
  return digits && Number(digits) > 0 ? Number(digits) : undefined;
}

/** A row of `alertRows` in the contract's form. Readers who may not write get the place to about a kilometre. */
export function asAlert(row: AlertRow, actor: Actor): Complete<typeof Alert> {
  return {
    id: row.id,
    number: alertNumber(row.number),
    document: row.document,
    document_id: row.document_id,
    copy: row.copy,
    branch: row.branch ?? "",
    alert: row.alert,
    status: row.status,
    date: row.date,
    reason: row.reason,
    count: row.count,
    note: row.note,
    reopened_because: row.reopened_because,
    version: row.version,
    case_state: row.case_state,
    owner: row.owner ?? "",
    owner_id: row.owner_id,
    owner_active: row.owner_active !== 0,
    first_seen_at: row.first_seen_at,
    first_seen_by: row.first_seen_name ?? "",
    completed_at: row.completed_at,
    other_places: [],
    ...alertPosition(actor)(row),
  };
}

/** Other places of the scans behind an alert, each once, the newest first. */
export async function otherPlacesOf(
  db: Kysely<Tables>,
  actor: Actor,
  alert: { id: number; date: string; latitude: number | null; longitude: number | null; accuracy: number | null },
): Promise<Alert["other_places"]> {
  const positionFor = alertPosition(actor);
  const keyOf = ({ latitude, longitude }: ReturnType<typeof positionFor>) => `${latitude} ${longitude}`;
  const scans = await db
    .selectFrom("scans")
    .innerJoin("alert_scans", "alert_scans.scan_id", "scans.id")
    .where("alert_scans.alert_id", "=", alert.id)
    .where(isOfTime(alert))
    .where("scans.latitude", "is not", null)
    .orderBy("scans.id", "desc")
    .select(["scans.at", "scans.latitude", "scans.longitude", "scans.accuracy"])
    .execute();
  const own = keyOf(positionFor(alert));
  const others = new Map(scans.map((scan) => [keyOf(positionFor(scan)), { at: scan.at, place: positionFor(scan) }]));
  others.delete(own);
  return [...others.values()].slice(0, maxOtherPlaces).map(({ at, place: { latitude, longitude, accuracy } }) => ({
    latitude: latitude!,
    longitude: longitude!,
    accuracy,
    at,
  }));
}

/** The alerts that the actor may read. If that is all of them, documents are not joined. */
export const readableAlerts = (actor: Actor) => (eb: ExpressionBuilder<Tables, "alerts" | "documents">) => {
  const inCompany = eb("alerts.company_id", "=", actor.company_id);
  return seesAllDocuments(actor, "alerts") ? inCompany : eb.and([inCompany, alertsWithin(actor, "read")(eb)]);
};

/** Cached as long as the actor is: the other calls of a page need it again. */
const openCounts = new WeakMap<Actor, Promise<number>>();

/** The number of open alerts that the actor may read. */
export function countOpenAlerts(db: Kysely<Tables>, actor: Actor): Promise<number> {
  if (!openCounts.has(actor)) openCounts.set(actor, countOpenAlertsOf(db, actor));
  return openCounts.get(actor)!;
}
