import { LRUCache } from "lru-cache";
import { minutesInMs } from "#lib/units.ts";
import { type Actor, alertsWithin, reachKey } from "../access.ts";
import { documentsByReach } from "../documents/document-queries.ts";
import { byIndex, isAmong } from "../db/lists.ts";
import type { Db } from "../db/tables.ts";

/** What figures need of a company's alerts, by an index that has all these columns. */
export const alertsForFigures = (db: Db, companyId: number, since: string) =>
  db
    .selectFrom(byIndex(db, "alerts", "alerts_for_figures"))
    .where("alerts.company_id", "=", companyId)
    .where("alerts.date", ">=", since)
    .select(["document_id", "alerts.date", "rule", "alert", "case_state", "first_seen_at", "completed_at"])
    .orderBy("alerts.date", "desc");

/** Some 10 MB in all. What is beyond is looked up each time. */
const remembered = { readers: 50, documents: 5000 };

/**
 * Looks up about which documents an actor may read alerts, and remembers it for ten minutes: a document's move to another branch, group or
 * owner shows in figures that much later.
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
    const readable = new Set(unknown.size > 0 ? await readableAmong(db, actor, [...unknown]) : []);
    for (const id of unknown) if (known.size < remembered.documents) known.set(id, readable.has(id));
    return (id) => known.get(id) ?? readable.has(id);
  };
}

async function readableAmong(db: Db, actor: Actor, ids: number[]): Promise<number[]> {
  const documents = db
    .selectFrom(documentsByReach(db))
    .where(isAmong(db, "documents.id", ids))
    .where(alertsWithin(actor, "read"));
  return (await documents.select("documents.id").execute()).map(({ id }) => id);
}

/** Alerts that one statement inspects. */
const usualBatchSize = 250;

/** Which of a company's alerts are inspected: since an instant, and of those the newest. */
type Inspected = { since: string; atMost: number; batchSize?: number };

/**
 * Gives the newest alerts that an actor may read, in batches. `until` is the oldest instant that was inspected, undefined in the last
 * batch if none is left. Alerts of one instant come in one batch.
 */
export function createAlertReader(db: Db) {
  const reachOf = createAlertReach(db);
  return async function* (actor: Actor, { since, atMost, batchSize = usualBatchSize }: Inspected) {
    let before: string | undefined;
    for (let inspected = 0; inspected < atMost;) {
      const left = alertsForFigures(db, actor.company_id, since).$if(before !== undefined, (alerts) =>
        alerts.where("alerts.date", "<", before!),
      );
      const bounds = await left
        .clearSelect()
        .select("alerts.date")
        .limit(2)
        .offset(Math.min(batchSize, atMost - inspected) - 1)
        .execute();
      const until = bounds.length === 2 ? bounds[0]!.date : undefined;
      const alerts = await left.$if(until !== undefined, (rows) => rows.where("alerts.date", ">=", until!)).execute();
      const ids = alerts.map(({ document_id }) => document_id);
      const isReadable = await reachOf(actor, ids);
      yield { rows: alerts.filter(({ document_id }) => isReadable(document_id)), until };
      if (until === undefined) return;
      before = until;
      inspected += alerts.length;
    }
  };
}
