import { createHash, type Hash } from "node:crypto";
import { type FileHandle, open } from "node:fs/promises";

/** Signing a file by a space within it that the signature does not cover. */

export type SignedFile = { sha256: string; bytes: number };

const chunkBytes = 256 * 1024;

/**
 * Fills the space from `start` to before `end` with the signature of all other bytes as `<hexadecimal>`, filled up with
 * zeros. Returns size and SHA-256 of the whole file. Throws if there is no such space, or if it is too small.
 */
export async function signInPlace(
  path: string,
  { start, end }: { start: number; end: number },
  sign: (digest: Buffer) => Promise<Buffer>,
): Promise<SignedFile> {
  const file = await open(path, "r+");
  try {
    const { size: bytes } = await file.stat();
    const hash = createHash("sha256");
    await hashBytes(file, hash, 0, start);
    const length = end - start;
    const { buffer: space } = await file.read(Buffer.alloc(length), 0, length, start);
    if (!/^<0*>$/.test(space.toString("latin1"))) throw new Error("The file has no space for its signature");
    // The rest is short: it is what a reader needs to find the objects.
    const covered = hash.copy();
    await hashBytes(file, covered, end, bytes);
    const signature = (await sign(covered.digest())).toString("hex");
    if (signature.length > length - 2) throw new Error("The signature is larger than its space");
    const filled = Buffer.from(`<${signature.padEnd(length - 2, "0")}>`);
    await file.write(filled, 0, length, start);
    hash.update(filled);
    await hashBytes(file, hash, end, bytes);
    return { sha256: hash.digest("hex"), bytes };
  } finally {
    await file.close();
  }
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
