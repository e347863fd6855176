import type { LogEvent } from "kysely";
import { metrics } from "../../metrics.ts";
import { addSpan } from "../../tracing.ts";
import { secondsInMs } from "../../units.ts";

const kinds: Record<string, string> = {
  SelectQueryNode: "select",
  InsertQueryNode: "insert",
  UpdateQueryNode: "update",
  DeleteQueryNode: "delete",
};

/** Counts a query by its kind alone, as metrics must not carry texts. Its span has the text, with placeholders for values. */
export const measureQuery =
  (system: "postgresql" | "sqlite") =>
  ({ level, query, queryDurationMillis }: LogEvent) => {
    const kind = kinds[query.query.kind] ?? "other";
    metrics.querySeconds.observe({ kind }, queryDurationMillis / secondsInMs(1));
    const isError = level === "error";
    if (isError) metrics.queryErrors.inc({ kind });
    const name = /\w+/.exec(query.sql)?.[0].toLowerCase() ?? kind;
    addSpan(name, queryDurationMillis, {
      isError,
      attributes: { "db.system.name": system, "db.query.text": query.sql },
    });
  };
