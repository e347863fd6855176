import { claimedOrigin, openCheckpoint } from "#lib/log/checkpoints.ts";
import { growingTree } from "#lib/log/growing-tree.ts";
import { entriesOf, tilePath, tileWidth } from "#lib/log/tiles.ts";
import { hashOfLeaf } from "#lib/log/tree.ts";
import type { Db } from "../db/tables.ts";
import type { Services } from "../services.ts";
import { sizeOf } from "./number.ts";
import { type Origin, originKey } from "./origins.ts";
import { storedCheckpoint } from "./publish.ts";
import { auditDigest, entryOf, type LoggedAudit, type LogRecord } from "./records.ts";
import { logFile, readSmall } from "./tree.ts";
import { type Report, verifyStates } from "./verify-states.ts";

/** Recomputes the log from the database, and compares it with checkpoints and tiles. */

type Stores = Pick<Services, "db" | "files">;

const batchSize = tileWidth * 8;

/** A checkpoint that the log must have had. */
type Known = { name: string; size: number; root: string };

/** Reports what differs, by number. `kept` is a checkpoint, or a proof with one, that somebody else kept. */
export async function verifyLog({ db, files }: Stores, kept: string | undefined, report: Report, signal: AbortSignal) {
  const origins = await db.selectFrom("log_origins").orderBy("id").selectAll().execute();
  const size = await sizeOf(db);
  const current = origins.find(({ ended_at }) => ended_at === null);
  const known = await knownCheckpoints({ db, files }, origins, report);
  if (kept !== undefined) known.push(...keptCheckpoint(kept, origins, report));
  const roots = compareRoots(known, size, report);
  const tree = growingTree();
  const stored = current && (await storedCheckpoint(files, current));
  const summary = { withoutSalt: 0, before: "" };
  for (let from = 0; from < size; from += batchSize) {
    signal.throwIfAborted();
    const rows = await entriesAfter(db, from, Math.min(from + batchSize, size));
    const tiles = stored ? await storedEntries({ files }, current, from, Math.min(stored.size, size)) : [];
    for (const [index, row] of rows.entries()) {
      if (row.number !== tree.size()) {
        report.fault(`no. ${tree.size()} is missing`);
        return { size, root: tree.root(), origins };
      }
      verifyEntry(row, summary, report);
      const tile = tiles[index];
      if (tile && tile.toString("base64") !== row.entry) report.fault(`no. ${row.number} differs from the log’s tile`);
      tree.add(hashOfLeaf(Buffer.from(row.entry!, "base64")));
      roots(tree);
    }
    if (rows.length === 0) {
      report.fault(`no. ${tree.size()} is missing`);
      break;
    }
  }
  if (summary.withoutSalt > 0) {
    report.note(`${summary.withoutSalt} audit entries have no salt: persons in them were erased, or they are too old`);
  }
  await verifyStates(db, report, signal);
  return { size, root: tree.root(), origins };
}

const entriesAfter = (db: Db, from: number, to: number) =>
  db
    .selectFrom("log_entries as log")
    .leftJoin("audit", "audit.id", "log.audit_id")
    .where("log.number", ">=", from)
    .where("log.number", "<", to)
    .orderBy("log.number")
    .select(["log.number", "log.record", "log.salt", "log.audit_salt", "log.audit_id", "log.entered_at", "log.entry"])
    .select(["audit.company_id", "audit.at", "audit.actor_id", "audit.actor", "audit.api_key", "audit.action"])
    .select(["audit.entity", "audit.entity_id", "audit.entity_name", "audit.changes"])
    .execute();

type Row = Awaited<ReturnType<typeof entriesAfter>>[number];

function verifyEntry(row: Row, summary: { withoutSalt: number; before: string }, { fault, note }: Report) {
  const { number, record: text, salt, audit_salt, audit_id } = row;
  const entered_at = row.entered_at ?? "";
  if (entryOf({ salt, entered_at, record: text }).toString("base64") !== row.entry) {
    return fault(`no. ${number} differs from its record`);
  }
  if (entered_at < summary.before) fault(`no. ${number} was entered before the one that it follows`);
  summary.before = entered_at;
  const record = JSON.parse(text) as LogRecord;
  if (isDayBefore(record.at, entered_at)) note(`no. ${number} is of ${record.at}, and was entered on ${entered_at}`);
  if (audit_id === null) return undefined;
  if (audit_salt === null) summary.withoutSalt++;
  else if (row.action === null) fault(`no. ${number}: its entry ${audit_id} of the audit trail is missing`);
  else if (auditDigest(row as LoggedAudit, audit_salt) !== record.audit) {
    fault(`no. ${number}: its entry ${audit_id} of the audit trail was changed`);
  }
  return undefined;
}

const isDayBefore = (at: string, entered_at: string) => at.slice(0, 10) < entered_at.slice(0, 10);

/** The checkpoints that the database and the store have. Entries since an older backup are in those of ended logs alone. */
async function knownCheckpoints({ db, files }: Stores, origins: Origin[], { note, fault }: Report): Promise<Known[]> {
  const known: Known[] = [];
  for (const [at, origin] of origins.entries()) {
    const stored = await storedCheckpoint(files, origin);
    const rows = await db.selectFrom("log_checkpoints").where("origin_id", "=", origin.id).selectAll().execute();
    for (const { note: text, size } of rows) {
      const opened = openCheckpoint(text, [originKey(origin)]);
      if (opened?.size === size) known.push(asKnown(opened));
      else fault(`a checkpoint of ${size} entries in the database is not signed by ${origin.name}`);
    }
    if (stored) known.push(asKnown(stored));
    const next = origins[at + 1];
    if (next) note(`${origin.name} ended on ${origin.ended_at}: from no. ${next.began_size} on it had other entries`);
  }
  const began = (name: string) => origins[origins.findIndex((origin) => origin.name === name) + 1]?.began_size;
  return known.filter(({ name, size }) => size <= (began(name) ?? Infinity));
}

const asKnown = ({ origin, size, root }: { origin: string; size: number; root: Buffer }): Known => ({
  name: origin,
  size,
  root: root.toString("base64"),
});

/** Of a checkpoint that somebody else has: who owns the database can change all the others. */
function keptCheckpoint(text: string, origins: Origin[], { fault }: Report): Known[] {
  const note = text.startsWith("c2sp.org/tlog-proof@") ? text.slice(text.indexOf("\n\n") + 2) : text;
  const name = claimedOrigin(note);
  const at = origins.findIndex((origin) => origin.name === name);
  if (at < 0) return fault(`the checkpoint is of ${name}, which is no log of this database`) ?? [];
  const opened = openCheckpoint(note, [originKey(origins[at]!)]);
  if (!opened) return fault(`the checkpoint is not signed by the key of ${name}`) ?? [];
  const began = origins[at + 1]?.began_size ?? Infinity;
  if (opened.size <= began) return [asKnown(opened)];
  return fault(`${name} had ${opened.size} entries, and a backup with ${began} of them was restored`) ?? [];
}

/** Compares the roots of checkpoints when the tree has their size. */
function compareRoots(known: Known[], size: number, { fault }: Report) {
  const bySize = new Map<number, Known[]>();
  for (const one of known) {
    if (one.size > size) fault(`a checkpoint of ${one.name} has ${one.size} entries, and the database ${size}`);
    bySize.set(one.size, [...(bySize.get(one.size) ?? []), one]);
  }
  let [same, isReported] = [0, false];
  return (tree: ReturnType<typeof growingTree>) => {
    const here = bySize.get(tree.size());
    if (!here) return;
    const root = tree.root().toString("base64");
    const differing = here.filter((one) => one.root !== root);
    if (differing.length === 0) same = tree.size();
    else if (!isReported) {
      isReported = true;
      fault(
        `the checkpoint of ${differing[0]!.name} with ${tree.size()} entries has others: one from no. ${same} to no. ${tree.size() - 1} was changed, moved or removed`,
      );
    }
  };
}

/** What the store's bundles have from an entry on. */
async function storedEntries({ files }: Pick<Stores, "files">, origin: Origin, from: number, size: number) {
  const entries: Buffer[] = [];
  for (let first = from; first < Math.min(from + batchSize, size); first += tileWidth) {
    const width = Math.min(tileWidth, size - first);
    const tile = tilePath({ level: "entries", index: first / tileWidth, width });
    const bundle = await readSmall(files, logFile(origin, tile));
    // A missing one is written again, and says nothing.
    if (!bundle) return entries;
    entries.push(...entriesOf(bundle));
  }
  return entries;
}
