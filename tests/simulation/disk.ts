import { readFileSync, rmSync, writeFileSync } from "node:fs";
import { mkdirSync } from "node:fs";
import { dirname, join } from "node:path";
import { Readable } from "node:stream";
import { hash } from "node:crypto";
import type { Files } from "#lib/storage/files/files.ts";
import { gate } from "./gates.ts";

type StoredFile = { content: Buffer; changedAt: number };

/** A store of files in memory, which outlives processes; paths are in `folder`. */
export function createDisk(folder: string) {
  let files = new Map<string, StoredFile>();
  const path = (key: string) => join(folder, "paths", key);
  const contentOf = (key: string) => {
    const file = files.get(key);
    if (!file) throw Object.assign(new Error(`ENOENT: ${key}`), { code: "ENOENT" });
    return file.content;
  };
  const store = (key: string, content: Buffer) => {
    files.set(key, { content, changedAt: Date.now() });
    return { bytes: content.length, sha256: hash("sha256", content, "hex") };
  };
  const below = (prefix: string) => [...files.keys()].filter((key) => key.startsWith(`${prefix}/`));
  const disk: Files = {
    async put(key, content) {
      const chunks: Buffer[] = [];
      for await (const chunk of content) chunks.push(Buffer.from(chunk as Uint8Array));
      await gate("file");
      return store(key, Buffer.concat(chunks));
    },
    async ensureSpace() {
      await gate("space");
    },
    async adopt(key, from) {
      await gate("file");
      store(key, readFileSync(from));
      rmSync(from);
    },
    exists: async (key) => files.has(key),
    size: async (key) => contentOf(key).length,
    stream: async (key, { start, end } = { start: 0, end: Infinity }) =>
      Readable.toWeb(Readable.from([contentOf(key).subarray(start, end + 1)])) as ReadableStream<Uint8Array>,
    async withLocalPaths(keys, work) {
      for (const key of keys) {
        mkdirSync(dirname(path(key)), { recursive: true });
        writeFileSync(path(key), contentOf(key));
      }
      try {
        return await work(keys.map(path));
      } finally {
        for (const key of keys) rmSync(path(key), { force: true });
      }
    },
    async workPath(name) {
      mkdirSync(join(folder, "work"), { recursive: true });
      return join(folder, "work", name);
    },
    clearWork: async () => {},
    async remove(key) {
      await gate("removal");
      files.delete(key);
    },
    async removeAll(prefix) {
      await gate("removal");
      for (const key of [prefix, ...below(prefix)]) files.delete(key);
    },
    async *keys() {
      yield* files.keys();
    },
    async *list(prefix) {
      yield* new Set(below(prefix).map((key) => key.slice(prefix.length + 1).split("/")[0]!));
    },
    changedAt: async (key) => {
      const times = [key, ...below(key)].flatMap((one) => files.get(one)?.changedAt ?? []);
      return times.length > 0 ? Math.max(...times) : Date.now();
    },
  };
  return {
    disk,
    copy: () => new Map(files),
    restore: (copied: Map<string, StoredFile>) => void (files = new Map(copied)),
  };
}

export type Disk = ReturnType<typeof createDisk>;
