import { createHash } from "node:crypto";
import type { Readable } from "node:stream";

export type Stored = { bytes: number; sha256: string };

/** Files under keys like `documents/7f…/1`. Content is streamed, never held in memory. */
export type Files = {
  /** Stores a stream and returns once it is durable. A stream that breaks leaves nothing. */
  put(key: string, content: Readable): Promise<Stored>;
  /** Throws `InsufficientSpace` (`disk-reserve.ts`) if so many bytes more would go into the disk's reserve. */
  ensureSpace(bytes: number): Promise<void>;
  adopt(key: string, path: string): Promise<void>;
  exists(key: string): Promise<boolean>;
  size(key: string): Promise<number>;
  /** The content, or its bytes from `start` to `end` inclusive. */
  stream(key: string, range?: { start: number; end: number }): Promise<ReadableStream<Uint8Array>>;
  /** Calls `work` with local paths of the files, in the order of `keys`; they are readable until it ends. */
  withLocalPaths<T>(keys: string[], work: (paths: string[]) => Promise<T>): Promise<T>;
  workPath(name: string): Promise<string>;
  clearWork(ageMs: number): Promise<void>;
  remove(key: string): Promise<void>;
  removeAll(prefix: string): Promise<void>;
  keys(): AsyncIterable<string>;
  list(prefix: string): AsyncIterable<string>;
  /** The time of the last change of a file or folder, in milliseconds; now if it does not exist. */
  changedAt(key: string): Promise<number>;
};

export function measureStream() {
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

/** The rest of a stream, after chunks that were read from it already. */
export async function* startingWith<T>(chunks: T[], rest: AsyncIterator<T>) {
  yield* chunks;
  for (let next = await rest.next(); !next.done; next = await rest.next()) yield next.value;
}
