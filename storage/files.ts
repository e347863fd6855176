import { createHash } from "node:crypto";
import { createReadStream, createWriteStream, openAsBlob } from "node:fs";
import { access, mkdir, open, opendir, readdir, rename, rm, stat } from "node:fs/promises";
import { dirname, join } from "node:path";
import { Readable } from "node:stream";
import { pipeline } from "node:stream/promises";

/** What was stored: its size in bytes and the SHA-256 of its content, as 64 hexadecimal digits. */
export type Stored = { bytes: number; sha256: string };

/** Where bytes are kept, under keys like `documents/7f…/1`. Content streams through; nothing is held whole in memory. */
export type Files = {
  /** Stores a stream under a key of its own and returns once the disk has it. Of a stream that breaks, nothing stays. */
  put(key: string, content: Readable): Promise<Stored>;
  /** Moves a file that was made on this machine (see `workPath`) into the store. */
  adopt(key: string, path: string): Promise<void>;
  exists(key: string): Promise<boolean>;
  size(key: string): Promise<number>;
  /** The content from byte `start` to byte `end`, both included; the whole without them. */
  stream(key: string, range?: { start: number; end: number }): ReadableStream<Uint8Array>;
  /** The content for a form that is sent on; read from the disk while it is sent. */
  blob(key: string, type: string): Promise<Blob>;
  /** A path on this machine where programs that need a file can read it. */
  localPath(key: string): string;
  /** A path for a file in the making. */
  workPath(name: string): Promise<string>;
  remove(key: string): Promise<void>;
  /** Removes everything whose key begins with `prefix/`. */
  removeAll(prefix: string): Promise<void>;
  /** The keys of all files that are stored, in no order, without those in the making. */
  keys(): AsyncIterable<string>;
  /** The names directly below `prefix/`. */
  list(prefix: string): Promise<string[]>;
  /** When a file or folder was last changed, in milliseconds. What is gone counts as new: nothing is left to do with it. */
  changedAt(key: string): Promise<number>;
};

/** Keeps files in a folder of this machine. Keys are ours alone; nothing that users type becomes part of one. */
export function openFiles(directory: string): Files {
  const localPath = (key: string) => join(directory, key);
  return {
    async put(key, content) {
      const path = localPath(key);
      await mkdir(dirname(path), { recursive: true });
      const hash = createHash("sha256");
      let bytes = 0;
      async function* measured(chunks: AsyncIterable<Buffer>) {
        for await (const chunk of chunks) {
          hash.update(chunk);
          bytes += chunk.length;
          yield chunk;
        }
      }
      try {
        // Flushed: what has been acknowledged must survive a power cut.
        await pipeline(content, measured, createWriteStream(path, { flush: true }));
      } catch (error) {
        await rm(path, { force: true });
        throw error;
      }
      return { bytes, sha256: hash.digest("hex") };
    },
    async adopt(key, path) {
      const file = await open(path, "r+");
      await file.sync().finally(() => file.close());
      await mkdir(dirname(localPath(key)), { recursive: true });
      await rename(path, localPath(key));
    },
    exists: (key) =>
      access(localPath(key)).then(
        () => true,
        () => false,
      ),
    size: async (key) => (await stat(localPath(key))).size,
    stream: (key, range) => Readable.toWeb(createReadStream(localPath(key), range)) as ReadableStream<Uint8Array>,
    blob: (key, type) => openAsBlob(localPath(key), { type }),
    localPath,
    async workPath(name) {
      const folder = join(directory, "work");
      await mkdir(folder, { recursive: true });
      return join(folder, name);
    },
    remove: (key) => rm(localPath(key), { force: true }),
    // Tried again where something was just being added.
    removeAll: (prefix) => rm(localPath(prefix), { recursive: true, force: true, maxRetries: 10 }),
    keys: () => keysBelow(directory, "", ["work"]),
    list: (prefix) => readdir(localPath(prefix)).catch(() => []),
    changedAt: (key) => stat(localPath(key)).then(({ mtimeMs }) => mtimeMs, Date.now),
  };
}

async function* keysBelow(directory: string, prefix: string, left: string[] = []): AsyncGenerator<string> {
  // A folder may go while its neighbours are read.
  const folder = await opendir(join(directory, prefix)).catch(() => undefined);
  for await (const entry of folder ?? []) {
    if (left.includes(entry.name)) continue;
    if (entry.isDirectory()) yield* keysBelow(directory, `${prefix}${entry.name}/`);
    else yield prefix + entry.name;
  }
}
