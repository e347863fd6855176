import { type NoteSignature, openNote } from "#lib/log/notes.ts";
import { requestCosignature, type WitnessAddress, WitnessRefused } from "#lib/log/request-cosignature.ts";
import { consistencyProof } from "#lib/log/tree.ts";
import { minutesInMs } from "#lib/units.ts";
import type { Db } from "../db/tables.ts";
import type { Services } from "../services.ts";
import { checkpointFile } from "./begin.ts";
import { sizeOf } from "./number.ts";
import { currentCheckpoints } from "./origins.ts";
import { replaceFile } from "./publish.ts";
import { treeOf } from "./tree.ts";

/** Witnesses that failed or refused are asked again after this, each process by its own count. */
const pauseMs = minutesInMs(5);
const pauses = new WeakMap<Db, Map<string, number>>();

/** The newest first. */
const checkpointsOf = (db: Db) =>
  currentCheckpoints(db)
    .orderBy("size", "desc")
    .select(["log_checkpoints.id", "origin_id", "size", "note", "made_at", "name"])
    .execute();

type Checkpoint = Awaited<ReturnType<typeof checkpointsOf>>[number];

/** Asks each witness to cosign the newest checkpoint, and stores what they sign. Their failures are logged alone. */
export async function cosignCheckpoint(services: Services, signal: AbortSignal): Promise<void> {
  const { db, files, witnesses = [], log, now } = services;
  if (witnesses.length === 0) return;
  const checkpoints = await checkpointsOf(db);
  const [newest] = checkpoints;
  // A cosignature is to be earlier than all entries that it does not cover: `verify-log` goes by that.
  if (!newest || newest.size < (await sizeOf(db))) return;
  const pausedUntil = pauses.get(db) ?? new Map<string, number>();
  pauses.set(db, pausedUntil);
  const signed = (checkpoint: Checkpoint, { key }: WitnessAddress) => openNote(checkpoint.note, [key]) !== undefined;
  const asked = witnesses.filter(
    (witness) => !signed(newest, witness) && (pausedUntil.get(witness.key.text) ?? 0) < now().getTime(),
  );
  const replies = await Promise.all(
    asked.map(async (witness) => {
      const seenSize = checkpoints.find((checkpoint) => signed(checkpoint, witness))?.size ?? 0;
      return askWitness(services, witness, newest, { seenSize, signal }).catch((err: unknown) => {
        if (signal.aborted) return undefined;
        pausedUntil.set(witness.key.text, now().getTime() + pauseMs);
        const event = { err, witness: witness.key.name, log: newest.name, size: newest.size };
        if (err instanceof WitnessRefused) log.error(event, "a witness refused the log: entries were lost or changed");
        else log.warn(event, "a witness did not cosign the log");
        return undefined;
      });
    }),
  );
  const lines = replies.flatMap((reply) => reply?.line ?? []);
  if (lines.length === 0) return;
  const note = newest.note + lines.join("");
  const count = openNote(
    note,
    witnesses.map(({ key }) => key),
  )!.signatures.length;
  await db.updateTable("log_checkpoints").set({ note, witnesses: count }).where("id", "=", newest.id).execute();
  await replaceFile(files, checkpointFile(newest), note);
  const current = checkpoints.map((checkpoint) => (checkpoint === newest ? { ...checkpoint, note } : checkpoint));
  const latest = witnesses.flatMap((witness) => current.find((checkpoint) => signed(checkpoint, witness))?.id ?? []);
  await db
    .deleteFrom("log_checkpoints")
    .where("origin_id", "=", newest.origin_id)
    .where("size", "<", newest.size)
    .where("witnesses", ">", 0)
    .where("witnesses", "<=", count)
    .where("id", "not in", latest)
    .execute();
}

/** When each witness last cosigned the log of now, and for how long the oldest checkpoint since lacks it; 0 if none does. */
export async function witnessStates({ db, witnesses = [], now }: Pick<Services, "db" | "witnesses" | "now">) {
  const checkpoints = await checkpointsOf(db);
  return witnesses.map(({ key }) => {
    const opened = checkpoints.map(({ note }) => openNote(note, [key])?.signatures[0]);
    const last = opened.findIndex(Boolean);
    const missed = checkpoints.slice(0, last < 0 ? undefined : last).at(-1);
    const lagMs = missed ? Math.max(0, now().getTime() - Date.parse(missed.made_at)) : 0;
    return { name: key.name, at: opened[last]?.at, lagMs };
  });
}

function askWitness(
  services: Services,
  witness: WitnessAddress,
  checkpoint: Checkpoint,
  { seenSize, signal }: { seenSize: number; signal: AbortSignal },
): Promise<NoteSignature> {
  const { note, size } = checkpoint;
  const hashesAt = treeOf(services, checkpoint, size).hashesAt(size);
  const proofFrom = (before: number) => consistencyProof(before, size, hashesAt);
  return requestCosignature(witness, { note, size, seenSize, proofFrom, signal });
}
