import type { Kysely } from "kysely";
import { raiseAlert } from "../alerts/raise.ts";
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

/** Raises an alert about a scan and the `others` of the finding, and marks all of them as suspicious. */
export async function reportFinding(
  services: Noting,
  db: Kysely<Tables>,
  scan: Scan,
  { others = [], ...finding }: Finding & { others?: number[] },
) {
  const { document_id: id, company_id, copy, at, day } = scan;
  await raiseAlert(services, db, { document: { id, company_id }, copy, scan, others, at, day }, finding);
  const suspicious = db.updateTable("scans").set({ suspicion: 1 });
  await suspicious.where("id", "in", [scan.id, ...others]).execute();
}
