import type { CompiledQuery } from "kysely";
import type { z } from "zod";
import { dateIn } from "../calendar/calendar.ts";
import type { LogEntry } from "../contract/log-entries.ts";
import type { Db } from "../db/tables.ts";
import { otherKinds } from "./records.ts";

const firstEntry = (db: Db, documentId: number) =>
  db
    .selectFrom("log_entries")
    .where("entity", "=", "document")
    .where("entity_id", "=", documentId)
    .orderBy("id")
    .limit(1)
    .select(["number", "entered_at", "record"])
    .select(({ selectFrom }) =>
      selectFrom("log_checkpoints")
        .innerJoin("log_origins", "log_origins.id", "origin_id")
        .where("ended_at", "is", null)
        .whereRef("size", ">", "number")
        .select(({ fn }) => fn.max<number | null>("witnesses").as("most"))
        .as("witnesses"),
    );

type FirstEntry = CompiledQuery<Awaited<ReturnType<ReturnType<typeof firstEntry>["execute"]>>[number]>;

/** Built once for each database, as each scan reads one. */
const compiled = new WeakMap<Db, FirstEntry>();
const placeholder = -1;

function compiledFor(db: Db, documentId: number): FirstEntry {
  const query = compiled.get(db) ?? firstEntry(db, placeholder).compile();
  compiled.set(db, query);
  return { ...query, parameters: query.parameters.map((value) => (value === placeholder ? documentId : value)) };
}

/** How a document came into the log, for replies; nothing until a checkpoint has its entry. */
export async function loggedEntry(
  db: Db,
  documentId: number,
  timezone: string,
): Promise<{ log_entry?: z.input<typeof LogEntry> }> {
  const { rows } = await db.executeQuery(compiledFor(db, documentId));
  const [entry] = rows;
  if (!entry || entry.number === null || entry.witnesses === null) return {};
  const { kind } = JSON.parse(entry.record) as { kind: string };
  return {
    log_entry: {
      number: entry.number,
      date: dateIn(timezone, entry.entered_at!),
      kind: kind === otherKinds.existing ? "existing" : "issued",
      seen_by: entry.witnesses,
    },
  };
}
