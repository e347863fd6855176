import { type Checkpoint, claimedOrigin, openCheckpoint, readHash, readSize } from "./checkpoints.ts";
import { type NoteKey, type NoteSigner, signatureLine } from "./notes.ts";
import { emptyRoot, verifyConsistency } from "./tree.ts";

/** The call of a witness by which it cosigns a checkpoint (C2SP tlog-witness, add-checkpoint). */

const maxHashes = 63;
/** More than the longest note, with the most hashes. */
export const maxCharacters = 110_000;
export const sizeType = "text/x.tlog.size";

export type AddCheckpoint = { oldSize: number; proof: Buffer[]; note: string };
export type Reply = { status: number; type: string; body: string };

/** A checkpoint with its note. */
export type Seen = Checkpoint & { note: string };

/** Two notes that a log has signed, of which the later one is not of the same log. */
export type Split = { kind: "same size" | "not continued"; before: Seen; after: Seen };

/** The latest checkpoint that a witness has cosigned of each log. */
export type WitnessState = {
  /** Stores, before it returns, what `decide` makes of the latest one; nothing if that is undefined. */
  change(origin: string, decide: (latest: Seen | undefined) => Seen | undefined): void;
};

export const writeAddCheckpoint = ({ oldSize, proof, note }: AddCheckpoint): string =>
  [`old ${oldSize}`, ...proof.map((hash) => hash.toString("base64")), "", note].join("\n");

function readAddCheckpoint(body: string): AddCheckpoint | undefined {
  const end = body.length > maxCharacters ? -1 : body.indexOf("\n\n");
  const [first = "", ...lines] = body.slice(0, Math.max(end, 0)).split("\n", maxHashes + 2);
  const oldSize = first.startsWith("old ") ? readSize(first.slice("old ".length)) : undefined;
  const proof = lines.map(readHash);
  if (oldSize === undefined || lines.length > maxHashes || proof.includes(undefined)) return undefined;
  return { oldSize, proof: proof as Buffer[], note: body.slice(end + 2) };
}

const refusal = (status: number, reason: string): Reply => ({ status, type: "text/plain", body: `${reason}\n` });

type Witness = {
  logs: NoteKey[];
  signer: NoteSigner;
  state: WitnessState;
  now(): Date;
  /** Stores the evidence that a log lost or changed entries. */
  onSplit(split: Split): void;
};

/** Cosigns a checkpoint that continues the latest one of its log, and refuses any other. */
export function addCheckpoint(body: string, { logs, signer, state, now, onSplit }: Witness): Reply {
  const request = readAddCheckpoint(body);
  if (!request) return refusal(400, "the request cannot be read");
  const { oldSize, proof, note } = request;
  const keys = logs.filter(({ name }) => name === claimedOrigin(note));
  if (keys.length === 0) return refusal(404, "this log is unknown here");
  const checkpoint = openCheckpoint(note, keys);
  if (!checkpoint) return refusal(403, "no signature of the log is valid");
  const { origin, size, root, text } = checkpoint;
  // Lines of others would make many notes of one.
  const after = { origin, size, root, note: `${text}\n${checkpoint.signatures.map(({ line }) => line).join("")}` };
  let split: Split | undefined;
  if (oldSize > size) return refusal(400, "the old size is greater than the checkpoint's");
  let refused: Reply | undefined;
  state.change(origin, (stored) => {
    const { size: before, root: beforeRoot } = stored ?? { size: 0, root: emptyRoot };
    const isFork = before === size && !beforeRoot.equals(root);
    if (isFork) split = { kind: "same size", before: stored!, after };
    if (oldSize !== before || isFork) refused = { status: 409, type: sizeType, body: `${before}\n` };
    else if (!verifyConsistency({ before, beforeRoot, after: size, afterRoot: root, proof })) {
      if (stored) split = { kind: "not continued", before: stored, after };
      refused = refusal(422, "the log lost or changed entries");
    }
    return refused ? undefined : after;
  });
  if (split) onSplit(split);
  return refused ?? { status: 200, type: "text/plain", body: signatureLine(text, signer, now()) };
}
