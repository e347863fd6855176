import type { Kysely } from "kysely";
import { startAtZero } from "#lib/metric-kinds.ts";
import { metrics } from "#lib/metrics.ts";
import type { FixedRule, RuleName } from "../contract/alert-thresholds.ts";
import { alertTypes, type AlertType, completed } from "../contract/alerts.ts";
import type { Tables } from "../db/tables.ts";
import type { Finding } from "../scans/judging/rules.ts";
import { enqueueEvent, type WebhookQueue } from "../webhooks/enqueue.ts";
import { openState, setAlertState } from "./change-alert.ts";

/** Scans linked to an alert; its counter goes on. */
export const maxScans = 100;

const rulesOfType: Record<AlertType, (RuleName | FixedRule)[]> = {
  "Fake scan": ["travel", "forged", "other paper", "altered code"],
  Complaint: ["complaint"],
  "Withdrawn document scanned": ["withdrawn"],
  "Withdrawn copy scanned": ["withdrawn copy"],
  "Expired document scanned": ["expired"],
  "Burst of scans": ["burst"],
};
for (const [type, rule] of Object.entries(rulesOfType))
  startAtZero(metrics.alerts, { type: [type], rule, repeated: ["no", "yes"] });

type AlertContext = {
  document: { id: number; company_id: number };
  /** Of a document with several, if it is about one; else null. */
  copy: number | null;
  /** The scan that raised it; an unissued code has none. */
  scan?: { id: number; latitude: number | null; longitude: number | null; accuracy: number | null } | undefined;
  /** Further scans of the finding. */
  others?: number[];
  at: string;
  /** The company's date. */
  day: string;
  /** How often it was found; once if omitted. */
  times?: number;
};

/**
 * Raises an alert, or counts up that of the same document, copy, rule and day, so that a flood of scans makes one alert.
 * Returns its count. `db` is a transaction that holds the company (`inCompanyTransaction`), since alerts are numbered.
 */
export async function raiseAlert(
  services: WebhookQueue,
  db: Kysely<Tables>,
  about: AlertContext,
  { rule, alert, reason }: Finding,
): Promise<number> {
  const { document, copy, scan, others = [], at, day, times = 1 } = about;
  const existing = await db
    .selectFrom("alerts")
    .where("document_id", "=", document.id)
    .where("copy", copy === null ? "is" : "=", copy)
    .where("rule", "=", rule)
    .where("day", "=", day)
    .select(["id", "number", "count", "status", "alert", "note", "reopened_because", "version"])
    .select(["case_state", "owner_id", "document_id"])
    .executeTakeFirst();
  if (!existing) metrics.alerts.inc({ type: alert, rule, repeated: "no" });
  metrics.alerts.inc({ type: alert, rule, repeated: "yes" }, existing ? times : times - 1);
  const id = existing
    ? await incrementAlert(services, db, existing, { alert, about })
    : await db
        .insertInto("alerts")
        .values({
          company_id: document.company_id,
          document_id: document.id,
          copy,
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
          count: times,
          note: "",
          version: 1,
        })
        .returning("id")
        .executeTakeFirstOrThrow()
        .then((row) => row.id);
  if (!existing) {
    const event = { data: { alert_id: id, document_id: document.id }, company_id: document.company_id };
    await enqueueEvent(services, db, { type: "alert.raised", ...event, at: new Date(at) });
  }
  const counted = (existing?.count ?? 0) + times;
  // Each report is linked.
  const isReport = rule === "complaint";
  if (!scan || (existing && existing.count >= maxScans && !isReport)) return counted;
  const scans = [...new Set([scan.id, ...others])];
  const link = db.insertInto("alert_scans").values(scans.map((scan_id) => ({ alert_id: id, scan_id })));
  await link.onConflict((conflict) => conflict.doNothing()).execute();
  return counted;
}

type Existing = Parameters<typeof setAlertState>[2] & { owner_id: number | null };

/** Counts an alert up; a completed one is reopened. */
async function incrementAlert(
  services: WebhookQueue,
  db: Kysely<Tables>,
  existing: Existing,
  { alert, about: { document, at, times = 1 } }: { alert: AlertType; about: AlertContext },
) {
  const { id, status } = existing;
  const count = db.updateTable("alerts").set((eb) => ({ count: eb("count", "+", times) }));
  await count.where("id", "=", id).execute();
  if (status !== completed) return id;
  const actor = { id: 0, name: "A new scan", company_id: document.company_id };
  const state = openState(existing);
  const after = { status: alertTypes[alert], ...state, reopened_because: "It happened again on the same day" };
  await setAlertState(services, db, existing, { actor, action: "reopened", after, at: new Date(at) });
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
