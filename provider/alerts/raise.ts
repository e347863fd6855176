import type { Kysely } from "kysely";
import { metrics } from "#metrics";
import { alertTypes, type AlertType, completed } from "../contract/alerts.ts";
import type { Tables } from "../db/tables.ts";
import type { Finding } from "../scans/rules.ts";
import { setAlertState } from "./change.ts";

/** How many scans an alert remembers; its counter goes on. */
const maxScans = 100;

type AlertContext = {
  document: { id: number; company_id: number };
  /** The scan that led to it; a forged code's paper has none. */
  scan?: { id: number; latitude: number | null; longitude: number | null; accuracy: number | null } | undefined;
  /** Scans that the rule found with it. */
  others?: number[];
  at: string;
  /** The company's date. */
  day: string;
};

/**
 * Notes what a rule found: one alert per document, rule and day, so that a flood of scans can't flood the desk; what
 * comes again is counted. Called in a transaction that holds the company (`inCompanyTransaction`), since alerts are numbered.
 */
export async function raiseAlert(db: Kysely<Tables>, about: AlertContext, { rule, alert, reason }: Finding) {
  const { document, scan, others = [], at, day } = about;
  const existing = await db
    .selectFrom("alerts")
    .where("document_id", "=", document.id)
    .where("rule", "=", rule)
    .where("day", "=", day)
    .select(["id", "number", "count", "status", "alert", "note", "version"])
    .executeTakeFirst();
  metrics.alerts.inc({ type: alert, rule, repeated: existing ? "yes" : "no" });
  const id = existing
    ? await incrementAlert(db, existing, alert, about)
    : await db
        .insertInto("alerts")
        .values({
          company_id: document.company_id,
          document_id: document.id,
          number: await nextNumber(db, document.company_id),
          rule,
          day,
          alert,
          status: alertTypes[alert],
          date: at,
          latitude: scan?.latitude ?? null,
          longitude: scan?.longitude ?? null,
          accuracy: scan?.accuracy ?? null,
          reason,
          count: 1,
          note: "",
          version: 1,
        })
        .returning("id")
        .executeTakeFirstOrThrow()
        .then((row) => row.id);
  // What somebody reports is always kept.
  const isReport = rule === "complaint";
  if (!scan || (existing && existing.count >= maxScans && !isReport)) return;
  const scans = [...new Set([scan.id, ...others])];
  const link = db.insertInto("alert_scans").values(scans.map((scan_id) => ({ alert_id: id, scan_id })));
  await link.onConflict((conflict) => conflict.doNothing()).execute();
}

type Existing = Parameters<typeof setAlertState>[2];

/** Counts on. One that had been dealt with is open again: what comes now was not known then. */
async function incrementAlert(
  db: Kysely<Tables>,
  existing: Existing,
  alert: AlertType,
  { document, at }: AlertContext,
) {
  const { id, status } = existing;
  const count = db.updateTable("alerts").set((eb) => ({ count: eb("count", "+", 1) }));
  await count.where("id", "=", id).execute();
  if (status !== completed) return id;
  const scanner = { id: 0, name: "A new scan", company_id: document.company_id };
  await setAlertState(db, scanner, existing, "reopened", { status: alertTypes[alert], note: "", at: new Date(at) });
  return id;
}

async function nextNumber(db: Kysely<Tables>, companyId: number) {
  const { last } = await db
    .selectFrom("alerts")
    .where("company_id", "=", companyId)
    .select((eb) => eb.fn.max("number").as("last"))
    .executeTakeFirstOrThrow();
  return (last ?? 0) + 1;
}
