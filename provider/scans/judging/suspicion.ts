import type { Kysely } from "kysely";
import { daysInMs } from "#lib/units.ts";
import { maxScans, raiseAlert } from "../../alerts/raise.ts";
import { ago } from "../../calendar/calendar.ts";
import { isAmong } from "../../db/lists.ts";
import type { Tables } from "../../db/tables.ts";
import type { WebhookQueue } from "../../webhooks/enqueue.ts";
import type { Finding } from "./rules.ts";

type Scan = {
  id: number;
  document_id: number;
  copy: number | null;
  company_id: number;
  at: string;
  day: string;
  latitude: number | null;
  longitude: number | null;
  accuracy: number | null;
};

type Suspicion = { scan: Scan; finding: Finding; others?: number[] };

/** Raises an alert about a scan and the `others` of the finding, and marks all of them as suspicious. */
export async function reportFinding(services: WebhookQueue, db: Kysely<Tables>, suspicion: Suspicion) {
  await raiseTogether(services, db, [suspicion]);
  await markSuspicious(db, [suspicion]);
}

/** Raises the one alert of findings of a document, copy, rule and day. */
export async function raiseTogether(services: WebhookQueue, db: Kysely<Tables>, suspicions: Suspicion[]) {
  let counted = 0;
  for (let n = 0; n < suspicions.length;) {
    const { scan, finding, others = [] } = suspicions[n]!;
    const { document_id: id, company_id, copy, at, day } = scan;
    // An alert that has as many scans as it may have goes on counting.
    const times = counted < maxScans ? 1 : suspicions.length - n;
    const about = { document: { id, company_id }, copy, scan, others, at, day, times };
    counted = await raiseAlert(services, db, about, finding);
    n += times;
  }
}

/** Marks the scans of findings, and the others of these. Marked ones are not written again. */
export async function markSuspicious(db: Kysely<Tables>, suspicions: Suspicion[]) {
  if (suspicions.length === 0) return;
  // The others are not further away, which tells PostgreSQL which partitions they are in.
  const since = ago(new Date(suspicions.map(({ scan }) => scan.at).toSorted()[0]!), daysInMs(2));
  const ids = [...new Set(suspicions.flatMap(({ scan, others = [] }) => [scan.id, ...others]))];
  const suspicious = db
    .updateTable("scans")
    .set({ suspicion: 1 })
    .where(isAmong(db, "id", ids));
  await suspicious.where("at", ">", since).where("suspicion", "=", 0).execute();
}
