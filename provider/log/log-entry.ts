import { LRUCache } from "lru-cache";
import { type CompiledQuery, sql } from "kysely";
import type { z } from "zod";
import { isPostgres } from "#lib/storage/database/dialect.ts";
import { dateIn } from "../calendar/calendar.ts";
import type { LogEntry } from "../contract/log-entries.ts";
import type { Db } from "../db/tables.ts";
import type { Services } from "../services.ts";
import {
  differences,
  digest,
  entryOf,
  type LogRecord,
  otherKinds,
  readRecord,
  stateColumns,
  stateOf,
} from "./records.ts";
import { closingEntries } from "./existing.ts";
import { publishedEntry } from "./tree.ts";

type Stores = Pick<Services, "db" | "files">;

/** A document's first and newest entries, each with what the register and the log of now say. */
const entriesOf = (db: Db, documentId: number) => {
  const own = (which: "min" | "max") =>
    db
      .selectFrom("log_entries")
      .where("entity", "=", "document")
      .where("entity_id", "=", documentId)
      .select(({ fn }) => fn[which]<number>("id").as("id"));
  const numbers = isPostgres(db) ? sql`string_agg(n::text, ',')` : sql`group_concat(n)`;
  return stateColumns(db)
    .innerJoin("log_entries as log", (join) =>
      join.on(({ eb, or }) => or([eb("log.id", "=", own("min")), eb("log.id", "=", own("max"))])),
    )
    .leftJoin("log_origins as origins", (join) => join.on("origins.ended_at", "is", null))
    .where("documents.id", "=", documentId)
    .orderBy("log.id")
    .select(["log.number as at", "log.entered_at", "log.record", "log.salt", "documents.created_at"])
    .select(["origins.name", "origins.created_at as began"])
    .select(({ selectFrom }) => [
      selectFrom("document_copies")
        .whereRef("document_id", "=", "documents.id")
        .where("withdrawn_at", "is not", null)
        .select(sql<string | null>`${numbers}`.as("numbers"))
        .as("withdrawn"),
      selectFrom("log_checkpoints")
        .whereRef("origin_id", "=", "origins.id")
        .whereRef("size", ">", "log.number")
        .select(({ fn }) => fn.max<number | null>("witnesses").as("most"))
        .as("witnesses"),
      selectFrom("log_checkpoints")
        .whereRef("origin_id", "=", "origins.id")
        .select(({ fn }) => fn.max<number | null>("size").as("most"))
        .as("size"),
      selectFrom("log_entries as former")
        .whereRef("former.number", "=", sql<number>`log.number - 1`)
        .select("former.entered_at")
        .as("former_at"),
      closingEntries(db)
        .select(({ fn }) => fn.min<number | null>("number").as("first"))
        .as("closed"),
    ]);
};

type Entry = Awaited<ReturnType<ReturnType<typeof entriesOf>["execute"]>>[number];

/** Built once for each database, as each scan reads one. */
const compiled = new WeakMap<Db, CompiledQuery<Entry>>();
const placeholder = -1;

function compiledFor(db: Db, documentId: number): CompiledQuery<Entry> {
  const query = compiled.get(db) ?? entriesOf(db, placeholder).compile();
  compiled.set(db, query);
  return { ...query, parameters: query.parameters.map((value) => (value === placeholder ? documentId : value)) };
}

/** Entries that the published log has at their numbers: none is ever changed. */
const published = new LRUCache<string, true>({ max: 10_000 });

/** Whether the published log has the entry that a row gives; undefined while its bundle cannot be read. */
async function isPublished({ files }: Stores, { at, name, size, salt, entered_at, record }: Entry) {
  const entry = entryOf({ salt, entered_at: entered_at!, record });
  const key = `${name} ${at} ${entry.toString("base64")}`;
  if (published.has(key)) return true;
  const stored = await publishedEntry(files, { name: name! }, at!, size!);
  if (!stored) return undefined;
  if (!stored.equals(entry)) return false;
  published.set(key, true);
  return true;
}

type DocumentLog = {
  /** For replies. */
  reply: { log_pending: true } | { log_entry: z.input<typeof LogEntry> };
  /** What the newest entry says, if the register says otherwise. */
  record?: LogRecord | undefined;
  /** Those that a checkpoint has, unless something contradicts them. */
  entries?: Record<"first" | "newest", LoggedEntry | undefined>;
};

/** A numbered entry of the log. */
export type LoggedEntry = { number: number; entered_at: string; record: string; salt: string };

const isInCheckpoint = ({ at, witnesses }: Entry) => at !== null && witnesses !== null;

/** How a document came into the log, and what the log says of it now; undefined while the published log cannot be read. */
export async function documentLog(
  stores: Stores,
  documentId: number,
  timezone: string,
): Promise<DocumentLog | undefined> {
  const { rows } = await stores.db.executeQuery(compiledFor(stores.db, documentId));
  const [first, newest] = [rows[0], rows.at(-1)];
  if (!first || !newest || !isInCheckpoint(first)) return { reply: { log_pending: true } };
  const [issue, record] = [readRecord(first.record), readRecord(newest.record)];
  const isNumbered = isInCheckpoint(newest);
  const checks = [await isPublished(stores, first), !isNumbered || (await isPublished(stores, newest))];
  if (checks.includes(undefined)) return undefined;
  const ofDocument = [issue, record].every((one) => one?.document === digest(first.code));
  const problem = !ofDocument || checks.includes(false) ? "entry" : differs(newest, issue!, record!) ? "register" : "";
  // An entry that was put behind a later one came after that.
  const entered_at = [first.entered_at!, first.former_at ?? ""].toSorted().at(-1)!;
  const isLate = first.closed !== null && first.closed < first.at!;
  const log_entry: z.input<typeof LogEntry> = {
    number: first.at!,
    date: dateIn(timezone, entered_at),
    kind: isLate && issue?.kind !== "issued" ? "late" : (kinds[issue?.kind ?? ""] ?? "issued"),
    seen_by: first.witnesses!,
    log_began: entered_at < first.began! ? dateIn(timezone, first.began!) : "",
    problem,
    ...(isNumbered && { newest: newest.at! }),
  };
  const entries = { first: loggedEntry(first), newest: isNumbered ? loggedEntry(newest) : undefined };
  if (problem === "") return { reply: { log_entry }, entries };
  return { reply: { log_entry }, record: problem === "register" ? record : undefined };
}

const loggedEntry = ({ at, entered_at, record, salt }: Entry): LoggedEntry => ({
  number: at!,
  entered_at: entered_at!,
  record,
  salt,
});

const kinds: Record<string, z.input<typeof LogEntry>["kind"]> = {
  [otherKinds.existing]: "existing",
  [otherKinds.late]: "late",
};

function differs({ withdrawn, created_at, ...row }: Entry, issue: LogRecord, record: LogRecord): boolean {
  const copies = (withdrawn ?? "").split(",").filter(Boolean).map(Number);
  const state = stateOf(row, copies);
  return differences(record, state).length > 0 || issue.issued !== created_at;
}
