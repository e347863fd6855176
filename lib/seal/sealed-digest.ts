import { createHash } from "node:crypto";
import { open } from "node:fs/promises";

const statedBytes = 16;
/** The catalog and the signature, which give the positions of stamp and signature, are the last objects of the file. */
const endBytes = 4 * 1024 * 1024;

/**
 * What a signed code states of a sealed PDF: a digest of it without stamp and signature; undefined if it is none. The places of
 * the two must stand in bytes that the digest covers, or else a forger could state others in an update behind them.
 */
export async function statedDigest(path: string): Promise<Buffer | undefined> {
  const file = await open(path);
  try {
    const { size } = await file.stat();
    const from = Math.max(0, size - endBytes);
    const { buffer, bytesRead } = await file.read(Buffer.alloc(size - from), 0, size - from, from);
    const places = placesIn(buffer.subarray(0, bytesRead));
    if (!places) return undefined;
    const { stamp, signature } = places;
    if (signature.rest + signature.end !== size || !(stamp.end <= signature.start && signature.start <= signature.end))
      return undefined;
    const parts = [
      [0, stamp.start],
      [stamp.end, signature.start],
      [signature.end, size],
    ] as const;
    const covered = parts.reduce((sum, [first, end]) => sum + end - first, 0);
    const hash = createHash("sha256");
    const lastChunks: Buffer[] = [];
    let hashed = 0;
    for (const [start, end] of parts) {
      if (start === end) continue;
      for await (const chunk of file.createReadStream({ start, end: end - 1, autoClose: false })) {
        hash.update(chunk);
        hashed += chunk.length;
        if (hashed > covered - endBytes) lastChunks.push(chunk);
      }
    }
    const stated = placesIn(Buffer.concat(lastChunks).subarray(-endBytes));
    const isSaid = JSON.stringify(stated) === JSON.stringify(places);
    return hashed === covered && isSaid ? hash.digest().subarray(0, statedBytes) : undefined;
  } finally {
    await file.close();
  }
}

/** The places of a file's stamp and signature, from its end; empty without a stamp. */
function placesIn(end: Buffer) {
  const text = end.toString("latin1");
  const signature = last(text, /\/ByteRange *\[ *0 +(\d+) +(\d+) +(\d+) *\]/g);
  if (!signature) return undefined;
  const [start, after, rest] = signature as [number, number, number];
  const [at, length] = (last(text, /\/Sealdesk <<\s*\/V 1\s*\/Skip \[ *(\d+) +(\d+) *\]/g) ?? [start, 0]) as [
    number,
    number,
  ];
  return { stamp: { start: at, end: at + length }, signature: { start, end: after, rest } };
}

/** The numbers of the last match. */
const last = (text: string, pattern: RegExp): number[] | undefined =>
  [...text.matchAll(pattern)].at(-1)?.slice(1).map(Number);
