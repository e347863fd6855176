import { createHash } from "node:crypto";
import { open } from "node:fs/promises";

const statedBytes = 16;
/** The catalog and the signature, which say where the stamp is and where the signature, are the last objects of the file. */
const endBytes = 4 * 1024 * 1024;
const chunkBytes = 256 * 1024;

/** What a signed code states of a sealed PDF: a digest of it without stamp and signature; undefined if it is none. */
export async function statedDigest(path: string): Promise<Buffer | undefined> {
  const file = await open(path);
  try {
    const { size } = await file.stat();
    const from = Math.max(0, size - endBytes);
    const { buffer, bytesRead } = await file.read(Buffer.alloc(size - from), 0, size - from, from);
    const end = buffer.subarray(0, bytesRead).toString("latin1");
    const signature = last(end, /\/ByteRange *\[ *0 +(\d+) +(\d+) +(\d+) *\]/g);
    if (!signature) return undefined;
    const [start, after, rest] = signature as [number, number, number];
    if (after + rest !== size || start > after) return undefined;
    const [at, length] = last(end, /\/Sealdesk <<\s*\/V 1\s*\/Skip \[ *(\d+) +(\d+) *\]/g) ?? [start, 0];
    if (at! + length! > start) return undefined;
    const hash = createHash("sha256");
    for (const [first, before] of [
      [0, at!],
      [at! + length!, start],
      [after, size],
    ] as const) {
      for (let position = first; position < before;) {
        const chunk = await file.read(Buffer.alloc(Math.min(chunkBytes, before - position)), 0, null, position);
        if (chunk.bytesRead === 0) return undefined;
        hash.update(chunk.buffer.subarray(0, chunk.bytesRead));
        position += chunk.bytesRead;
      }
    }
    return hash.digest().subarray(0, statedBytes);
  } finally {
    await file.close();
  }
}

/** The numbers of the last match. */
const last = (text: string, pattern: RegExp): number[] | undefined =>
  [...text.matchAll(pattern)].at(-1)?.slice(1).map(Number);
