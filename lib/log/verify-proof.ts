import { hash } from "node:crypto";
import { openCheckpoint } from "./checkpoints.ts";
import { type NoteSignature, readNoteKey } from "./notes.ts";
import { preimageParts, readProof } from "./proofs.ts";
import { hashOfLeaf, verifyInclusion } from "./tree.ts";

/** Verifies log proofs as strangers do, by keys that they trust (docs/seal-format.md). */

export type ProofResult =
  | { result: "no key" | "no proof" | "not signed" | "not in the log" | "another document" }
  | { result: "entered"; index: number; enteredAt: string; seen: NoteSignature[] };

/** Whether a log has the first entry of a code's document; `key` and `witnesses` are texts of notes' keys. */
export function verifyProof(file: string, key: string, code: string, witnesses: string[] = []): ProofResult {
  const [log, ...others] = [key, ...witnesses].map((text) => readNoteKey(text.trim()));
  if (!log || others.includes(undefined)) return { result: "no key" };
  const proof = readProof(file);
  if (!proof?.extra || !proof.checkpoint.includes("\n\n")) return { result: "no proof" };
  const checkpoint = openCheckpoint(proof.checkpoint, [log, ...others.map((other) => other!)]);
  if (!checkpoint || checkpoint.origin !== log.name) return { result: "not signed" };
  const leaf = hashOfLeaf(hash("sha256", proof.extra, "buffer"));
  const { size, root } = checkpoint;
  if (!verifyInclusion({ index: proof.index, size, root, leaf, proof: proof.hashes }))
    return { result: "not in the log" };
  const { enteredAt, record } = preimageParts(proof.extra);
  if (!isOf(record, code)) return { result: "another document" };
  const seen = checkpoint.signatures.filter(({ at }) => at !== undefined);
  return { result: "entered", index: proof.index, enteredAt, seen };
}

function isOf(record: string, code: string): boolean {
  try {
    const { document, copies = [] } = JSON.parse(record) as { document?: string; copies?: string[] };
    return [document, ...copies].includes(hash("sha256", code, "base64url"));
  } catch {
    return false;
  }
}
