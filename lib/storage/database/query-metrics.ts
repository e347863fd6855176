import type { LogEvent } from "kysely";
import { metrics } from "../../metrics.ts";
import { secondsInMs } from "../../units.ts";

const kinds: Record<string, string> = {
  SelectQueryNode: "select",
  InsertQueryNode: "insert",
  UpdateQueryNode: "update",
  DeleteQueryNode: "delete",
};

/** Counts a query by its kind alone: metrics must not carry texts or values. */
export function measureQuery({ level, query, queryDurationMillis }: LogEvent) {
  const kind = kinds[query.query.kind] ?? "other";
  metrics.querySeconds.observe({ kind }, queryDurationMillis / secondsInMs(1));
  if (level === "error") metrics.queryErrors.inc({ kind });
}
