import type { ExpressionBuilder, Kysely } from "kysely";
import type { z } from "zod";
import { type Actor, alertsWithin, seesAllDocuments } from "../access.ts";
import { type Alert, completed } from "../contract/alerts.ts";
import { alertPosition } from "./scans.ts";
import type { Tables } from "./tables.ts";

/** Alerts with the names of their documents and branches. */
export const alertRows = (db: Kysely<Tables>) =>
  db
    .selectFrom("alerts")
    // A left join, which the database omits from counts.
    .leftJoin("documents", "documents.id", "alerts.document_id")
    .leftJoin("branches", "branches.id", "documents.branch_id")
    .select((eb) => ["branches.name as branch", eb.fn.coalesce("documents.name", eb.val("")).as("document")])
    .selectAll("alerts");

type Row = Awaited<ReturnType<ReturnType<typeof alertRows>["execute"]>>[number];

/** `AL-000123` */
export const alertNumber = (number: number) => `AL-${String(number).padStart(6, "0")}`;

/** A row of `alertRows` for a reply. Places are rounded for users who may only read. */
export function asAlert(row: Row, actor: Actor): z.input<typeof Alert> {
  return {
    id: row.id,
    number: alertNumber(row.number),
    document: row.document,
    document_id: row.document_id,
    branch: row.branch ?? "",
    alert: row.alert,
    status: row.status,
    date: row.date,
    reason: row.reason,
    count: row.count,
    note: row.note,
    version: row.version,
    ...alertPosition(actor)(row),
  };
}

/** The alerts that the actor may read, without their documents where that is all of them. */
export const readableAlerts = (actor: Actor) => (eb: ExpressionBuilder<Tables, "alerts" | "documents">) => {
  const inCompany = eb("alerts.company_id", "=", actor.company_id);
  return seesAllDocuments(actor, "alerts") ? inCompany : eb.and([inCompany, alertsWithin(actor, "read")(eb)]);
};

/** Counts by actor, for the other calls of a page. */
const openAlertCounts = new WeakMap<Actor, Promise<number>>();

/** The number of open alerts that the actor may read. */
export function countOpenAlerts(db: Kysely<Tables>, actor: Actor): Promise<number> {
  if (!openAlertCounts.has(actor)) openAlertCounts.set(actor, countOpen(db, actor));
  return openAlertCounts.get(actor)!;
}

async function countOpen(db: Kysely<Tables>, actor: Actor) {
  const open = db
    .selectFrom("alerts")
    .where("alerts.company_id", "=", actor.company_id)
    .where("alerts.status", "<", completed)
    .select((eb) => eb.fn.countAll<number>().as("count"));
  // Without the join, with which SQLite looks up each document: 0.5 ms of every page.
  const read = seesAllDocuments(actor, "alerts")
    ? open
    : open.leftJoin("documents", "documents.id", "alerts.document_id").where(readableAlerts(actor));
  return (await read.executeTakeFirstOrThrow()).count;
}
