import type { Kysely } from "kysely";
import { daysInMs } from "#units";
import { maxScans, raiseAlert } from "../alerts/raise.ts";
import { ago } from "../calendar.ts";
import type { Tables } from "../db/tables.ts";
import type { Noting } from "../webhooks/note.ts";
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

type Found = { scan: Scan; finding: Finding; others?: number[] };

/** Raises an alert about a scan and the `others` of the finding, and marks all of them as suspicious. */
export const reportFinding = (services: Noting, db: Kysely<Tables>, found: Found) =>
  reportFindings(services, db, [found]);

/** The same for what one alert is about: findings of a document, copy, rule and day. */
export async function reportFindings(services: Noting, db: Kysely<Tables>, found: Found[]) {
  let counted = 0;
  for (let n = 0; n < found.length;) {
    const { scan, finding, others = [] } = found[n]!;
    const { document_id: id, company_id, copy, at, day } = scan;
    // An alert that has as many scans as it may have goes on counting.
    const times = counted < maxScans ? 1 : found.length - n;
    const about = { document: { id, company_id }, copy, scan, others, at, day, times };
    counted = await raiseAlert(services, db, about, finding);
    n += times;
  }
  // The others are not further away, which tells PostgreSQL which partitions they are in.
  const since = ago(new Date(found.map(({ scan }) => scan.at).toSorted()[0]!), daysInMs(2));
  const ids = [...new Set(found.flatMap(({ scan, others = [] }) => [scan.id, ...others]))];
  for (let start = 0; start < ids.length; start += maxParameters) {
    const some = ids.slice(start, start + maxParameters);
    const suspicious = db.updateTable("scans").set({ suspicion: 1 }).where("id", "in", some);
    await suspicious.where("at", ">", since).execute();
  }
}

const maxParameters = 1000;
