import { hash } from "node:crypto";
import { type Checkpoint, claimedOrigin, openCheckpoint } from "#lib/log/checkpoints.ts";
import type { growingTree } from "#lib/log/growing-tree.ts";
import type { NoteKey, NoteSignature } from "#lib/log/notes.ts";
import { type LogProof, preimageParts, readProof } from "#lib/log/proofs.ts";
import { hashOfLeaf, verifyInclusion } from "#lib/log/tree.ts";
import type { Services } from "../services.ts";
import { commonPrefix, storedCheckpoint } from "./begin.ts";
import { type Origin, originKey } from "./origins.ts";
import { differences, preimageOf, readRecord } from "./records.ts";
import type { Report } from "./verify-states.ts";

/** What verify-log says of the log's names and checkpoints. */

type Stores = Pick<Services, "db" | "files">;

/** A checkpoint that the log must have had, and which witnesses have seen it when. */
export type Known = { name: string; size: number; root: string; seen: { name: string; at: Date }[] };

/** An ended log: how many entries it published, and with how many of them the database begins. */
export type Ended = { published: number; prefix: number };

/** Compares what ended logs published with the entries of now: a restore loses some at the end, and changes none. */
export async function verifyOrigins(
  { db, files }: Stores,
  origins: Origin[],
  { size, ended, report: { fault, note } }: { size: number; ended: Map<string, Ended>; report: Report },
) {
  const [first] = origins;
  if (size > 0 && (!first || first.began_size > 0)) fault("the log has entries from before its first name");
  for (const [at, origin] of origins.entries()) {
    const next = origins[at + 1];
    if (!next) break;
    const published = (await storedCheckpoint(files, origin))?.size;
    const prefix = await commonPrefix({ db, files }, origin, size);
    if (published === undefined || prefix === undefined) {
      ended.set(origin.name, { published: next.began_size, prefix: next.began_size });
      note(`${origin.name} ended on ${origin.ended_at}, and the store has not all that it published`);
      continue;
    }
    ended.set(origin.name, { published, prefix });
    if (prefix === published) note(`${origin.name} ended on ${origin.ended_at}, with ${published} entries, all here`);
    else
      note(`${origin.name} ended on ${origin.ended_at}: ${published - prefix} entries from no. ${prefix} on are gone`);
    const changed = db
      .selectFrom("log_entries")
      .where("number", ">=", prefix)
      .where("entered_at", "<", next.created_at);
    const [one] = prefix === published ? [] : await changed.orderBy("number").limit(1).select("number").execute();
    if (one)
      fault(`no. ${prefix} of ${origin.name} was changed, moved or removed: no. ${one.number} is older than its end`);
  }
}

type Log = Stores & { origins: Origin[]; ended: Map<string, Ended>; witnesses: NoteKey[]; report: Report };

/** The checkpoints that the database and the store have. Entries since an older backup are in those of ended logs alone. */
export async function knownCheckpoints({ db, files, origins, ended, witnesses, report }: Log): Promise<Known[]> {
  const known: Known[] = [];
  for (const origin of origins) {
    const stored = await storedCheckpoint(files, origin);
    const rows = await db.selectFrom("log_checkpoints").where("origin_id", "=", origin.id).selectAll().execute();
    for (const { note: text, size } of rows) {
      const opened = openCheckpoint(text, [originKey(origin), ...witnesses]);
      if (opened?.size === size) known.push(asKnown(opened));
      else report.fault(`a checkpoint of ${size} entries in the database is not signed by ${origin.name}`);
    }
    if (stored) known.push(asKnown(stored));
  }
  return known.filter(({ name, size }) => size <= (ended.get(name)?.prefix ?? Infinity));
}

const asKnown = ({ origin, size, root, signatures }: Checkpoint & { signatures: NoteSignature[] }): Known => ({
  name: origin,
  size,
  root: root.toString("base64"),
  seen: signatures.flatMap(({ key, at }) => (at ? { name: key.name, at } : [])),
});

/** Of a checkpoint or proof that somebody else has: who owns the database can change all the others. */
export async function keptCheckpoint(text: string, log: Log): Promise<Known[]> {
  const { origins, ended, witnesses, report } = log;
  const refuse = (reason: string) => report.fault(reason) ?? [];
  const proof = readProof(text);
  const note = proof?.checkpoint ?? text;
  const name = claimedOrigin(note);
  const origin = origins.find((one) => one.name === name);
  if (!origin) return refuse(`the checkpoint is of ${name}, which is no log of this database`);
  const opened = openCheckpoint(note, [originKey(origin), ...witnesses]);
  if (!opened) return refuse(`the checkpoint is not signed by the key of ${name}`);
  const { prefix } = ended.get(name) ?? { prefix: Infinity };
  if (opened.size > prefix)
    return refuse(`${name} had ${opened.size} entries, of which the database has the first ${prefix}`);
  if (proof?.extra) await compareEntry(log, { ...proof, extra: proof.extra }, opened);
  return [asKnown(opened)];
}

/** Compares what a proof says that an entry is the hash of with the database. */
async function compareEntry(
  { db, report: { fault } }: Log,
  { index, extra, hashes }: LogProof & { extra: Buffer },
  { size, root }: Checkpoint,
) {
  const leaf = hashOfLeaf(hash("sha256", extra, "buffer"));
  if (!verifyInclusion({ index, size, root, leaf, proof: hashes })) return fault("the proof is of no entry of its log");
  const entries = db.selectFrom("log_entries").where("number", "=", index);
  const row = await entries.select(["salt", "record", "entered_at"]).executeTakeFirst();
  if (row && preimageOf({ ...row, entered_at: row.entered_at ?? "" }).equals(extra)) return undefined;
  const [then, now] = [readRecord(preimageParts(extra).record), readRecord(row?.record ?? "")];
  const changes = then && now ? `: ${differences(then, now).join(", ") || "its time or salt"}` : "";
  return fault(`no. ${index} is not what it was by the proof${changes}`);
}

/** Compares the roots of checkpoints when the tree has their size. */
export function compareRoots(known: Known[], size: number, { fault }: Report) {
  const bySize = new Map<number, Known[]>();
  for (const one of known) {
    if (one.size > size) fault(`a checkpoint of ${one.name} has ${one.size} entries, and the database ${size}`);
    bySize.set(one.size, [...(bySize.get(one.size) ?? []), one]);
  }
  let isReported = false;
  return (tree: ReturnType<typeof growingTree>) => {
    const here = bySize.get(tree.size());
    if (!here) return;
    const root = tree.root().toString("base64");
    const differing = here.filter((one) => one.root !== root);
    if (differing.length === 0 || isReported) return;
    isReported = true;
    const { name } = differing[0]!;
    fault(`the checkpoint of ${name} with ${tree.size()} entries has others: some were changed, moved or removed`);
  };
}
