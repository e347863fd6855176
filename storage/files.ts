import { createHash } from "node:crypto";
import { createReadStream, openAsBlob } from "node:fs";
import { mkdir, open, rename, rm } from "node:fs/promises";
import { dirname, join } from "node:path";
import { Readable, Transform } from "node:stream";
import { Disk } from "flydrive";
import { FSDriver } from "flydrive/drivers/fs";

/** What was stored: its size in bytes and the SHA-256 of its content, as 64 hexadecimal digits. */
export type Stored = { bytes: number; sha256: string };

/** Where bytes are kept, under keys like `documents/7f…/1`. Content streams through; nothing is held whole in memory. */
export type Files = {
  /** Stores a stream under a key of its own and returns once the disk has it. */
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
};

export function openFiles(directory: string): Files {
  const disk = new Disk(new FSDriver({ location: directory, visibility: "private" }));
  const localPath = (key: string) => join(directory, key);
  return {
    async put(key, content) {
      const hash = createHash("sha256");
      let bytes = 0;
      const measure = new Transform({
        transform(chunk: Buffer, _encoding, done) {
          hash.update(chunk);
          bytes += chunk.length;
          done(null, chunk);
        },
      });
      // `pipe` alone would leave the store waiting for ever when an upload breaks off.
      content.once("error", (error) => measure.destroy(error));
      await disk.putStream(key, content.pipe(measure));
      await flush(localPath(key));
      return { bytes, sha256: hash.digest("hex") };
    },
    async adopt(key, path) {
      await flush(path);
      await mkdir(dirname(localPath(key)), { recursive: true });
      await rename(path, localPath(key));
    },
    exists: (key) => disk.exists(key),
    size: async (key) => (await disk.getMetaData(key)).contentLength,
    stream: (key, range) => Readable.toWeb(createReadStream(localPath(key), range)) as ReadableStream<Uint8Array>,
    blob: (key, type) => openAsBlob(localPath(key), { type }),
    localPath,
    async workPath(name) {
      const folder = join(directory, "work");
      await mkdir(folder, { recursive: true });
      return join(folder, name);
    },
    remove: (key) => disk.delete(key),
    removeAll: (prefix) => rm(localPath(prefix), { recursive: true, force: true }),
  };
}

/** Asks the disk to keep what it was given, so that an acknowledged file survives a power cut. */
async function flush(path: string) {
  const file = await open(path, "r+");
  try {
    await file.sync();
  } finally {
    await file.close();
  }
}
