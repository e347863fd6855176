import { mkdir, statfs } from "node:fs/promises";
import { Readable } from "node:stream";
import { megabytesInBytes } from "#units";
import type { Files } from "./files.ts";

/** Storing more would leave less of the disk than is reserved. */
export class NoRoom extends Error {
  // As the disk itself says it (`trouble.ts`).
  readonly code = "ENOSPC";
}

/** How many bytes a file grows by until the disk is looked at again. */
const step = megabytesInBytes(16);

/** How many bytes a folder's disk has free. */
export async function freeBytes(folder: string): Promise<number> {
  const { bavail, bsize } = await statfs(folder);
  return bavail * bsize;
}

/** The part of the reserve that is there for files that are made from others: reading goes on longer than uploading. */
const ofMade = 0.5;

/**
 * The same store, which takes nothing more once less than `reserve` bytes are free: then put, workPath and ensureRoom
 * reject with `NoRoom`. So the disk never gets as full as health checks mind, and rows can still be written.
 */
export function withReserve(files: Omit<Files, "ensureRoom">, reserve: number, free: () => Promise<number>): Files {
  async function check(least: number) {
    if (reserve > 0 && (await free()) < least) throw new NoRoom(`fewer than ${least} bytes are free`);
  }
  return {
    ...files,
    ensureRoom: (bytes) => check(reserve + bytes),
    async put(key, content) {
      // Of health checks, and gone at once.
      if (key.startsWith("work/")) return files.put(key, content);
      try {
        await check(reserve);
      } catch (error) {
        content.destroy();
        throw error;
      }
      return files.put(
        key,
        Readable.from(
          checked(content, () => check(reserve)),
          { objectMode: false },
        ),
      );
    },
    async workPath(name) {
      await check(reserve * ofMade);
      return files.workPath(name);
    },
  };
}

/** Passes a stream on, and checks before it begins and whenever it has grown by a step. */
async function* checked(content: Readable, check: () => Promise<void>) {
  let bytes = 0;
  for await (const chunk of content as AsyncIterable<Buffer>) {
    bytes += chunk.length;
    if (bytes >= step) {
      bytes = 0;
      await check();
    }
    yield chunk;
  }
}

/** How many bytes are free where files will be stored; the folder is made if there is none yet. */
export const freeBelow = (directory: string) => async () => {
  await mkdir(directory, { recursive: true });
  return freeBytes(directory);
};
