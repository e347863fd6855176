import { nextTurn } from "#turns";
import type { Actor } from "../access.ts";
import { readableAlerts } from "./alerts.ts";
import { documentsByReach } from "./documents.ts";
import { byIndex } from "./lists.ts";
import type { Db } from "./tables.ts";

/** How many alerts are inspected in one turn of the event loop: to look up a document of a million takes up to 30 µs. */
export const alertsPerTurn = 500;

/** What figures need of a company's alerts, by an index that has all that decides which of them count: others are not looked up. */
export const alertsForFigures = (db: Db, companyId: number, since: string) =>
  db
    .selectFrom(byIndex(db, "alerts", "alerts_for_figures"))
    .where("alerts.company_id", "=", companyId)
    .where("alerts.date", ">=", since)
    .select(["alerts.date", "rule", "alert", "case_state", "first_seen_at", "completed_at"])
    .orderBy("alerts.date", "desc");

/**
 * Gives the alerts since an instant that the actor may read, the newest first, in batches: each alert's document is looked up to
 * see whether they may. `until` is the oldest instant that was inspected, undefined in the last batch. Alerts of one instant come in one
 * batch.
 */
export async function* readableAlertsSince(db: Db, actor: Actor, since: string, batchSize = alertsPerTurn) {
  let before: string | undefined;
  for (;;) {
    const left = alertsForFigures(db, actor.company_id, since).$if(before !== undefined, (alerts) =>
      alerts.where("alerts.date", "<", before!),
    );
    const bounds = await left
      .clearSelect()
      .select("alerts.date")
      .limit(2)
      .offset(batchSize - 1)
      .execute();
    const until = bounds.length === 2 ? bounds[0]!.date : undefined;
    const rows = await left
      .$if(until !== undefined, (alerts) => alerts.where("alerts.date", ">=", until!))
      .innerJoin(documentsByReach(db), "documents.id", "alerts.document_id")
      .where(readableAlerts(actor))
      .execute();
    yield { rows, until };
    if (until === undefined) return;
    before = until;
    await nextTurn();
  }
}
