import { createHash, type Hash } from "node:crypto";
import { type FileHandle, open } from "node:fs/promises";

/** Sealing a file by spaces within it: one for a stamp that states the digest of the rest, one for the signature of all. */

export type SealedBytes = {
  /** Of the whole file, hexadecimal. */
  sha256: string;
  bytes: number;
  /** SHA-256 of all bytes outside the two spaces, hexadecimal. */
  digest: string;
};

/** The bytes from `start` to before `end`. */
type Space = { start: number; end: number };

type Spaces = {
  /** Blanks, before the signature. */
  stamp?: Space | undefined;
  /** Zeros in `<>`. */
  signature: Space;
};

type Seal = {
  /** Makes what fills the stamp's space, from the digest of all bytes outside the two spaces. */
  drawStamp?: ((digest: Buffer) => Promise<Buffer>) | undefined;
  /** Signs by the digest of all bytes outside its own space. Zeros fill up the rest of that. */
  sign(digest: Buffer): Promise<Buffer>;
};

const chunkBytes = 256 * 1024;

/** Fills a file's spaces. Throws if they are not where they should be, or if what is made does not fit. */
export async function sealInPlace(
  path: string,
  { stamp, signature }: Spaces,
  { drawStamp, sign }: Seal,
): Promise<SealedBytes> {
  const file = await open(path, "r+");
  try {
    const { size: bytes } = await file.stat();
    const hash = createHash("sha256");
    // What follows the first space is short: it is what a reader needs to find the objects.
    await hashBytes(file, hash, 0, (stamp ?? signature).start);
    const outside = hash.copy();
    if (stamp) await hashBytes(file, outside, stamp.end, signature.start);
    await hashBytes(file, outside, signature.end, bytes);
    const digest = outside.digest();
    if (stamp) {
      const drawn = await drawStamp!(digest);
      if (drawn.length !== stamp.end - stamp.start) throw new Error("The stamp does not fit its space");
      await fillSpace(file, stamp, { blank: /^ *$/, filling: drawn });
      await hashBytes(file, hash, stamp.start, signature.start);
    }
    const covered = hash.copy();
    await hashBytes(file, covered, signature.end, bytes);
    const signatureHex = (await sign(covered.digest())).toString("hex");
    const room = signature.end - signature.start - 2;
    if (signatureHex.length > room) throw new Error("The signature is larger than its space");
    const filling = Buffer.from(`<${signatureHex.padEnd(room, "0")}>`);
    await fillSpace(file, signature, { blank: /^<0*>$/, filling });
    await hashBytes(file, hash, signature.start, bytes);
    return { sha256: hash.digest("hex"), bytes, digest: digest.toString("hex") };
  } finally {
    await file.close();
  }
}

async function fillSpace(
  file: FileHandle,
  { start, end }: Space,
  { blank, filling }: { blank: RegExp; filling: Buffer },
) {
  const { buffer } = await file.read(Buffer.alloc(end - start), 0, end - start, start);
  if (!blank.test(buffer.toString("latin1"))) throw new Error("The file has no space for its seal");
  await file.write(filling, 0, filling.length, start);
}

async function hashBytes(file: FileHandle, hash: Hash, from: number, to: number) {
  const buffer = Buffer.alloc(Math.min(chunkBytes, Math.max(0, to - from)));
  for (let at = from; at < to;) {
    const { bytesRead } = await file.read(buffer, 0, Math.min(buffer.length, to - at), at);
    if (bytesRead === 0) throw new Error("The file is shorter than it was");
    hash.update(buffer.subarray(0, bytesRead));
    at += bytesRead;
  }
}
