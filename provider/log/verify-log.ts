import { growingTree } from "#lib/log/growing-tree.ts";
import { tileWidth } from "#lib/log/tiles.ts";
import { hashOfLeaf } from "#lib/log/tree.ts";
import type { NoteKey } from "#lib/log/notes.ts";
import { maxClockErrorMs } from "#lib/log/request-cosignature.ts";
import { daysInMs } from "#lib/units.ts";
import { ago } from "../calendar/calendar.ts";
import type { Db } from "../db/tables.ts";
import type { Services } from "../services.ts";
import { sizeOf } from "./number.ts";
import type { Origin } from "./origins.ts";
import { storedBundle, storedCheckpoint } from "./begin.ts";
import { sealKeyEntity } from "./enter.ts";
import { auditDigest, digest, entryOf, type LoggedAudit, type LogRecord, otherKinds, readRecord } from "./records.ts";
import {
  compareRoots,
  type Ended,
  keptCheckpoint,
  type Known,
  knownCheckpoints,
  verifyOrigins,
} from "./verify-origins.ts";
import { type Report, verifyStates } from "./verify-states.ts";

/** Recomputes the log from the database, and compares it with checkpoints and tiles. */

type Stores = Pick<Services, "db" | "files">;

const batchSize = tileWidth * 8;

/** `witnesses` are the keys of those whose cosignatures count. */
type Given = Stores & { auditDays: number; now: Date; witnesses: NoteKey[] };

/** Reports what differs, by number. `kept` is a checkpoint, or a proof with one, that somebody else kept. */
export async function verifyLog(given: Given, kept: string | undefined, report: Report, signal: AbortSignal) {
  const { db, files } = given;
  const origins = await db.selectFrom("log_origins").orderBy("id").selectAll().execute();
  const size = await sizeOf(db);
  const tree = growingTree();
  /** Whatever is in the database, the other parts are checked. */
  const part = async (of: string, check: () => Promise<void>) =>
    check().catch((error: unknown) => {
      signal.throwIfAborted();
      report.fault(`${of} cannot be checked: ${error instanceof Error ? error.message : String(error)}`);
    });
  const ended = new Map<string, Ended>();
  await part("the former logs", () => verifyOrigins({ db, files }, origins, { size, ended, report }));
  await part("the entries", async () => {
    const log = { db, files, origins, ended, witnesses: given.witnesses, report };
    const known = await knownCheckpoints(log);
    if (kept !== undefined) known.push(...(await keptCheckpoint(kept, log)));
    await verifyEntries(given, { origins, size, tree, known, report, signal });
  });
  await part("the documents", () => verifyStates(given, report, signal));
  const gone = [...ended.values()].reduce((sum, { published, prefix }) => sum + published - prefix, 0);
  return { size, root: tree.root(), origins, gone };
}

type Work = {
  origins: Origin[];
  size: number;
  tree: ReturnType<typeof growingTree>;
  known: Known[];
  report: Report;
  signal: AbortSignal;
};

async function verifyEntries({ db, files, auditDays, now }: Given, work: Work) {
  const { origins, size, tree, known, report, signal } = work;
  const current = origins.find(({ ended_at }) => ended_at === null);
  const stored = current && (await storedCheckpoint(files, current));
  const roots = compareRoots(known, size, report);
  const auditedSince = auditDays === 0 ? "" : ago(now, daysInMs(auditDays));
  const check = entryCheck({ origins, auditedSince, known: Map.groupBy(known, ({ size }) => size) }, report);
  for (let from = 0; from < size; from += batchSize) {
    signal.throwIfAborted();
    const rows = await entriesAfter(db, from, Math.min(from + batchSize, size));
    const tiles = stored ? await storedEntries({ files }, current, from, stored.size) : [];
    for (const [index, row] of rows.entries()) {
      if (row.number !== tree.size()) return report.fault(`no. ${tree.size()} is missing`);
      check(row);
      const tile = tiles[index];
      if (tile && tile.toString("base64") !== row.entry) report.fault(`no. ${row.number} differs from the log’s tile`);
      tree.add(hashOfLeaf(Buffer.from(row.entry ?? "", "base64")));
      roots(tree);
    }
    if (rows.length === 0) return report.fault(`no. ${tree.size()} is missing`);
  }
  return undefined;
}

const entriesAfter = (db: Db, from: number, to: number) =>
  db
    .selectFrom("log_entries as log")
    .leftJoin("audit", "audit.id", "log.audit_id")
    .leftJoin("documents", (join) => join.onRef("documents.id", "=", "log.entity_id").on("log.entity", "=", "document"))
    .leftJoin("seal_keys", (join) =>
      join.onRef("seal_keys.id", "=", "log.entity_id").on("log.entity", "=", sealKeyEntity),
    )
    .where("log.number", ">=", from)
    .where("log.number", "<", to)
    .orderBy("log.number")
    .select(["log.number", "log.record", "log.salt", "log.audit_salt", "log.audit_id", "log.entered_at", "log.entry"])
    .select([
      "log.entity as of",
      "log.entity_id as of_id",
      "log.company_id as of_company",
      "documents.code",
      "thumbprint",
    ])
    .select(({ fn, ref }) => fn.coalesce(ref("documents.company_id"), ref("seal_keys.company_id")).as("owner"))
    .select(["audit.company_id", "audit.at", "audit.actor_id", "audit.actor", "audit.api_key", "audit.action"])
    .select(["audit.entity", "audit.entity_id", "audit.entity_name", "audit.changes"])
    .execute();

type Row = Awaited<ReturnType<typeof entriesAfter>>[number];

type Context = { origins: Origin[]; auditedSince: string; known: Map<number, Known[]> };

/** Checks entries one after another, by their records. */
function entryCheck({ origins, auditedSince, known }: Context, { fault, note }: Report) {
  let before = "";
  let isClosed = false;
  return (row: Row) => {
    const { number, record: text, salt } = row;
    const entered_at = row.entered_at ?? "";
    if (entryOf({ salt, entered_at, record: text }).toString("base64") !== row.entry) {
      return fault(`no. ${number} differs from its record`);
    }
    if (entered_at < before) fault(`no. ${number} was entered before the one that it follows`);
    before = entered_at;
    const says = `no. ${number} says that it was entered on ${entered_at}, and`;
    for (const { name, at } of cosignaturesAt(known, number! + 1)) {
      if (entered_at > ago(at, -clockErrorMs)) fault(`${says} ${name} saw it on ${at.toISOString()}`);
    }
    for (const { name, at } of cosignaturesAt(known, number!)) {
      if (entered_at < ago(at, clockErrorMs)) fault(`${says} ${name} saw the log without it on ${at.toISOString()}`);
    }
    const record = readRecord(text);
    if (!record) return fault(`no. ${number} has no record of the log’s form`);
    if (isDayBefore(record.at, entered_at)) note(`no. ${number} is of ${record.at}, and was entered on ${entered_at}`);
    const { kind } = record;
    const subject = record.number ?? record.kid ?? "";
    if (kind === otherKinds.late) {
      note(`no. ${number}, ${subject}, came after all existing ones: it was imported, or added to the database`);
    }
    if (isClosed && kind === otherKinds.existing) fault(`no. ${number}, ${subject}, came after all existing ones`);
    isClosed ||= kind === otherKinds.existingEntered;
    if (kind === otherKinds.origin) verifyBeginning(row, record, origins, fault);
    if (!isOfSubject(row, record)) {
      fault(`no. ${number} is of ${subject || kind} by its record, and of ${row.of} ${row.of_id} by its columns`);
    }
    return verifyAudit(row, record, auditedSince, { fault, note });
  };
}

/** By how much clocks differ, with the time that a cosignature takes. */
const clockErrorMs = 2 * maxClockErrorMs;

const cosignaturesAt = (known: Map<number, Known[]>, size: number) =>
  (known.get(size) ?? []).flatMap(({ seen }) => seen);

/** Whether an entry's columns are of what its record is of. Missing documents are reported by themselves. */
function isOfSubject(row: Row, { document, kid, origin, audit }: LogRecord): boolean {
  const { of, of_id, of_company, code, thumbprint, owner } = row;
  if ((audit !== undefined) !== (row.audit_id !== null)) return false;
  if (owner !== null && owner !== of_company) return false;
  if (document !== undefined) return of === "document" && (code === null || digest(code) === document);
  if (kid !== undefined) return of === sealKeyEntity && (thumbprint === null || thumbprint === kid);
  if (origin !== undefined) return of === "log";
  if (of === sealKeyEntity && audit === undefined) return false;
  if (row.action !== null && (row.entity !== of || row.entity_id !== of_id || row.company_id !== of_company))
    return false;
  return code === null;
}

/** A log's beginning is that of one that the database names. */
function verifyBeginning({ number }: Row, record: LogRecord, origins: Origin[], fault: Report["fault"]) {
  const at = origins.findIndex(({ name }) => name === record.origin);
  const origin = origins[at];
  if (!origin) fault(`no. ${number} began the log ${record.origin}, which the database names no longer`);
  else if (origin.created_at !== record.at || origins[at - 1]?.name !== record.before) {
    fault(`no. ${number} began the log ${origin.name} otherwise than the database says`);
  }
}

function verifyAudit(row: Row, record: LogRecord, auditedSince: string, { fault, note }: Report) {
  const { number, audit_salt, audit_id } = row;
  if (audit_id === null) return;
  if (audit_salt !== null) {
    if (row.action === null) fault(`no. ${number}: its entry ${audit_id} of the audit trail is missing`);
    else if (auditDigest(row as LoggedAudit, audit_salt) !== record.audit) {
      fault(`no. ${number}: its entry ${audit_id} of the audit trail was changed`);
    }
    return;
  }
  const isErased = erasedPart.test(`${row.actor} ${row.entity_name} ${row.api_key} ${row.changes}`);
  const isOld = row.action === null && record.at < auditedSince;
  if (isErased) note(`no. ${number}: a person was erased from its entry ${audit_id} of the audit trail`);
  else if (!isOld) fault(`no. ${number} has no salt of its audit entry ${audit_id}, of which no person was erased`);
}

const erasedPart = /Removed user \d|\(erased\)/;

const isDayBefore = (at: string, entered_at: string) => at.slice(0, 10) < entered_at.slice(0, 10);

/** What the store's bundles have from an entry on. */
async function storedEntries({ files }: Pick<Stores, "files">, origin: Origin, from: number, size: number) {
  const entries: Buffer[] = [];
  for (let first = from; first < Math.min(from + batchSize, size); first += tileWidth) {
    const bundle = await storedBundle(files, origin, first / tileWidth, size);
    // A missing one is written again, and says nothing.
    if (!bundle) return entries;
    entries.push(...bundle);
  }
  return entries;
}
