import type { Kysely } from "kysely";
import { alertTypes, type AlertType, completed } from "../contract/alerts.ts";
import type { Tables } from "../db/tables.ts";
import type { Raised } from "../scans/rules.ts";

/** How many scans an alert remembers; its counter goes on. */
const mostScans = 100;

type About = {
  document: { id: number; company_id: number };
  /** The scan that led to it; a forged code's paper has none. */
  scan?: { id: number; latitude: number | null; longitude: number | null; accuracy: number | null } | undefined;
  at: string;
  /** The company's date. */
  day: string;
};

/**
 * Notes what a rule found: one alert per document, rule and day, so that a flood of scans can't flood the desk; what
 * comes again is counted. Called in a transaction that holds the company (`inCompany`), since alerts are numbered.
 */
export async function raise(db: Kysely<Tables>, { document, scan, at, day }: About, { rule, alert, reason }: Raised) {
  const existing = await db
    .selectFrom("alerts")
    .where("document_id", "=", document.id)
    .where("rule", "=", rule)
    .where("day", "=", day)
    .select(["id", "count", "status"])
    .executeTakeFirst();
  const id = existing
    ? await countUp(db, existing, alert)
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
  if (!scan || (existing && existing.count >= mostScans && !isReport)) return;
  const link = db.insertInto("alert_scans").values({ alert_id: id, scan_id: scan.id });
  await link.onConflict((conflict) => conflict.doNothing()).execute();
}

/** Counts on. One that had been dealt with is open again: what comes now was not known then. */
async function countUp(db: Kysely<Tables>, { id, status }: { id: number; status: number }, alert: AlertType) {
  await db
    .updateTable("alerts")
    .set((eb) => ({
      count: eb("count", "+", 1),
      ...(status === completed && { status: alertTypes[alert], version: eb("version", "+", 1) }),
    }))
    .where("id", "=", id)
    .execute();
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
