import { mkdir, statfs } from "node:fs/promises";
import { Readable } from "node:stream";
import type { Files } from "./files.ts";

/** Storing more would leave less of the disk than is reserved. */
export class InsufficientSpace extends Error {
  // As the file system reports it (`failures.ts`).
  readonly code = "ENOSPC";
}

const recheckBytes = 16 * 1024 * 1024;

/** Thumbnails and sealed PDFs may use half of the reserve, so that reading works longer than uploading. */
const derivedShare = 0.5;

/** Free bytes of a folder's disk. */
export async function freeBytes(folder: string): Promise<number> {
  const { bavail, bsize } = await statfs(folder);
  return bavail * bsize;
}

/** Free bytes of the disk of a folder, which is made if need be. */
export const freeBelow = (directory: string) => async () => {
  await mkdir(directory, { recursive: true });
  return freeBytes(directory);
};

/**
 * The same store, where put, workPath and ensureSpace reject with `InsufficientSpace` once less than `reserve` bytes are
 * free: rows can still be written then, and readiness checks pass.
 */
export function withReserve(files: Omit<Files, "ensureSpace">, reserve: number, free: () => Promise<number>): Files {
  async function ensureFree(bytes: number) {
    if (reserve > 0 && (await free()) < bytes) throw new InsufficientSpace(`fewer than ${bytes} bytes are free`);
  }
  return {
    ...files,
    ensureSpace: (bytes) => ensureFree(reserve + bytes),
    async put(key, content) {
      // Readiness checks use it and delete it at once.
      if (key.startsWith("work/")) return files.put(key, content);
      try {
        await ensureFree(reserve);
      } catch (error) {
        content.destroy();
        throw error;
      }
      const checked = recheck(content, () => ensureFree(reserve));
      return files.put(key, Readable.from(checked, { objectMode: false }));
    },
    async workPath(name) {
      await ensureFree(reserve * derivedShare);
      return files.workPath(name);
    },
  };
}

/** Passes a stream on, with a check each time it has grown by `recheckBytes`. */
async function* recheck(content: Readable, check: () => Promise<void>) {
  let bytes = 0;
  for await (const chunk of content as AsyncIterable<Buffer>) {
    bytes += chunk.length;
    if (bytes >= recheckBytes) {
      bytes = 0;
      await check();
    }
    yield chunk;
  }
}
