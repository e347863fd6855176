import { nextTurn } from "#turns";
import type { Actor } from "../access.ts";
import { readableAlerts } from "./alerts.ts";
import { documentsByReach } from "./documents.ts";
import { byIndex } from "./lists.ts";
import type { Db } from "./tables.ts";

/** How many alerts are looked at in one turn of the event loop: to look up a document of a million takes up to 30 µs. */
export const alertsPerTurn = 500;

/** The alerts of a company by time, with all that figures need: none is looked up in the table. */
export const alertsForFigures = (db: Db, companyId: number, since: string) =>
  db
    .selectFrom(byIndex(db, "alerts", "alerts_for_figures"))
    .where("alerts.company_id", "=", companyId)
    .where("alerts.date", ">=", since)
    .select(["alerts.date", "rule", "alert", "case_state", "first_seen_at", "completed_at"])
    .orderBy("alerts.date", "desc");

/**
 * Gives the alerts since an instant that the actor may read, the newest first, in batches: whether they may read one is a
 * matter of its document. Each batch tells the instant back to which alerts were looked at. Alerts of one instant are in one batch.
 */
export async function* readableAlertsSince(db: Db, actor: Actor, since: string, batchSize = alertsPerTurn) {
  let before: string | undefined;
  for (;;) {
    const left = alertsForFigures(db, actor.company_id, since).$if(before !== undefined, (alerts) =>
      alerts.where("alerts.date", "<", before!),
    );
    const last = await left
      .clearSelect()
      .select("alerts.date")
      .limit(1)
      .offset(batchSize - 1)
      .executeTakeFirst();
    const rows = await left
      .$if(last !== undefined, (alerts) => alerts.where("alerts.date", ">=", last!.date))
      .innerJoin(documentsByReach(db), "documents.id", "alerts.document_id")
      .where(readableAlerts(actor))
      .execute();
    yield { rows, until: last?.date };
    if (!last) return;
    before = last.date;
    await nextTurn();
  }
}
