import { LRUCache } from "lru-cache";
import { nextTurn } from "#turns";
import { minutesInMs } from "#units";
import { type Actor, alertsWithin, reachKey } from "../access.ts";
import { documentsByReach } from "./documents.ts";
import { byIndex, isAmong } from "./lists.ts";
import type { Db } from "./tables.ts";

/** How many alerts are inspected in one turn of the event loop: to look up a document of a million takes up to 30 µs. */
export const alertsPerTurn = 500;

/** What figures need of a company's alerts, by an index that has it all. */
export const alertsForFigures = (db: Db, companyId: number, since: string) =>
  db
    .selectFrom(byIndex(db, "alerts", "alerts_for_figures"))
    .where("alerts.company_id", "=", companyId)
    .where("alerts.date", ">=", since)
    .select(["document_id", "alerts.date", "rule", "alert", "case_state", "first_seen_at", "completed_at"])
    .orderBy("alerts.date", "desc");

/** Some 10 MB in all. */
const remembered = { readers: 50, documents: 5000 };

/**
 * Tells of documents whether an actor may read alerts about them. Each is looked up once in ten minutes: its move to another branch,
 * group or owner shows in figures that much later.
 */
function createAlertReach(db: Db) {
  const readers = new LRUCache<string, Map<number, boolean>>({
    max: remembered.readers,
    ttl: minutesInMs(10),
    memoMethod: () => new Map(),
  });
  return async (actor: Actor, ids: number[]): Promise<(id: number) => boolean> => {
    const known = readers.memo(reachKey(actor));
    const unknown = new Set(ids.filter((id) => !known.has(id)));
    if (unknown.size === 0) return (id) => known.get(id)!;
    const rows = db
      .selectFrom(documentsByReach(db))
      .where(isAmong(db, "documents.id", [...unknown]))
      .where(alertsWithin(actor, "read"))
      .select("documents.id");
    const readable = new Set((await rows.execute()).map(({ id }) => id));
    for (const id of unknown) if (known.size < remembered.documents) known.set(id, readable.has(id));
    return (id) => (unknown.has(id) ? readable.has(id) : known.get(id)!);
  };
}

/**
 * Gives the alerts since an instant that an actor may read, the newest first, in batches. `until` is the oldest instant that was
 * inspected, undefined in the last batch. Alerts of one instant come in one batch.
 */
export function createAlertReader(db: Db) {
  const reachOf = createAlertReach(db);
  return async function* (actor: Actor, since: string, batchSize = alertsPerTurn) {
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
      const inspected = await left
        .$if(until !== undefined, (alerts) => alerts.where("alerts.date", ">=", until!))
        .execute();
      const isReadable = await reachOf(
        actor,
        inspected.map(({ document_id }) => document_id),
      );
      yield { rows: inspected.filter(({ document_id }) => isReadable(document_id)), until };
      if (until === undefined) return;
      before = until;
      await nextTurn();
    }
  };
}
