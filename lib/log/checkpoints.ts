import { fromBase64, type NoteKey, type NoteSigner, openNote, signatureLine } from "./notes.ts";

/** A log's state as its checkpoints say it (C2SP tlog-checkpoint). */
export type Checkpoint = { origin: string; size: number; root: Buffer };

const hashBytes = 32;

/** A decimal number without leading zeros; undefined for any other text. */
export function readSize(text: string): number | undefined {
  const size = /^(0|[1-9]\d{0,15})$/.test(text) ? Number(text) : undefined;
  return Number.isSafeInteger(size) ? size : undefined;
}

/** A SHA-256 hash in base64; undefined for any other text. */
export function readHash(text: string): Buffer | undefined {
  const bytes = fromBase64(text);
  return bytes?.length === hashBytes ? bytes : undefined;
}

const textOf = ({ origin, size, root }: Checkpoint) => `${origin}\n${size}\n${root.toString("base64")}\n`;

/** The checkpoint as a note with the log's signature. */
export function signCheckpoint(checkpoint: Checkpoint, signer: NoteSigner, now: Date): string {
  const text = textOf(checkpoint);
  return `${text}\n${signatureLine(text, signer, now)}`;
}

/** The origin that a note claims. */
export const claimedOrigin = (note: string): string => note.slice(0, Math.max(0, note.indexOf("\n")));

/** Reads a note's text; undefined unless it is that of a checkpoint. */
function readCheckpoint(text: string): Checkpoint | undefined {
  const [origin = "", size = "", root = "", ...extensions] = text.slice(0, -1).split("\n");
  const checkpoint = { origin, size: readSize(size), root: readHash(root) };
  if (origin === "" || checkpoint.size === undefined || !checkpoint.root || extensions.includes("")) return undefined;
  return checkpoint as Checkpoint;
}

/** A checkpoint and its signatures by these keys; undefined unless the log has signed it. */
export function openCheckpoint(note: string, keys: NoteKey[]) {
  const opened = openNote(note, keys);
  const checkpoint = opened && readCheckpoint(opened.text);
  if (!checkpoint || !opened.signatures.some(({ key }) => key.kind === "log")) return undefined;
  return { ...checkpoint, text: opened.text, signatures: opened.signatures };
}
