import { mkdir, statfs } from "node:fs/promises";
import { Readable } from "node:stream";
import type { Files } from "./files.ts";
import { mebibytesInBytes } from "../../units.ts";

export class InsufficientSpace extends Error {
  // As the file system reports it (`failures.ts`).
  readonly code = "ENOSPC";
}

const recheckBytes = mebibytesInBytes(16);

/** Thumbnails and sealed PDFs may use half of the reserve, so that reading works longer than uploading. */
const derivedShare = 0.5;

export async function freeBytes(folder: string): Promise<number> {
  const { bavail, bsize } = await statfs(folder);
  return bavail * bsize;
}

export const freeBelow = (directory: string) => async () => {
  await mkdir(directory, { recursive: true });
  return freeBytes(directory);
};

/** The same store, which rejects with `InsufficientSpace` once less than `reserve` bytes are free. */
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
