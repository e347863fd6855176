import { createHash } from "node:crypto";
import type { Readable } from "node:stream";

/** What was stored: its size in bytes and the SHA-256 of its content, as 64 hexadecimal digits. */
export type Stored = { bytes: number; sha256: string };

/** Where bytes are kept, under keys like `documents/7f…/1`. Content streams through; nothing is held whole in memory. */
export type Files = {
  /** Stores a stream under a key of its own and returns once it will not be lost. Of a stream that breaks, nothing stays. */
  put(key: string, content: Readable): Promise<Stored>;
  /** Throws `NoRoom` (`reserve.ts`) where so many bytes more would leave less of the disk than is reserved. */
  ensureRoom(bytes: number): Promise<void>;
  /** Moves a file that was made on this machine (see `workPath`) into the store. */
  adopt(key: string, path: string): Promise<void>;
  exists(key: string): Promise<boolean>;
  size(key: string): Promise<number>;
  /** The content from byte `start` to byte `end`, both included; the whole without them. */
  stream(key: string, range?: { start: number; end: number }): Promise<ReadableStream<Uint8Array>>;
  /** Does work that needs the files themselves: `paths`, in the order of `keys`, can be read on this machine meanwhile. */
  atHand<T>(keys: string[], work: (paths: string[]) => Promise<T>): Promise<T>;
  /** A path for a file in the making. */
  workPath(name: string): Promise<string>;
  /** Removes what was in the making and is older than `ageMs`: whoever made it is gone. */
  clearWork(ageMs: number): Promise<void>;
  remove(key: string): Promise<void>;
  /** Removes the file under `prefix`, and everything whose key begins with `prefix/`. */
  removeAll(prefix: string): Promise<void>;
  /** The keys of all files that are stored, in no order, without those in the making. */
  keys(): AsyncIterable<string>;
  /** The names directly below `prefix/`. */
  list(prefix: string): Promise<string[]>;
  /** When a file or folder was last changed, in milliseconds. What is gone counts as new: nothing is left to do with it. */
  changedAt(key: string): Promise<number>;
};

/** Measures what passes through: read `result` once it has. */
export function measuring() {
  const hash = createHash("sha256");
  let bytes = 0;
  return {
    async *pass<Chunk extends Uint8Array>(chunks: AsyncIterable<Chunk> | Iterable<Chunk>) {
      for await (const chunk of chunks) {
        hash.update(chunk);
        bytes += chunk.length;
        yield chunk;
      }
    },
    result: (): Stored => ({ bytes, sha256: hash.digest("hex") }),
  };
}
