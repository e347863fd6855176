import { createReadStream, createWriteStream } from "node:fs";
import { access, mkdir, open, opendir, readdir, rename, rm, stat } from "node:fs/promises";
import { dirname, join } from "node:path";
import { Readable } from "node:stream";
import { pipeline } from "node:stream/promises";
import { type Files, measureStream } from "./files.ts";

export function workFolder(directory: string): Pick<Files, "workPath" | "clearWork"> {
  const folder = join(directory, "work");
  return {
    async workPath(name) {
      await mkdir(folder, { recursive: true });
      return join(folder, name);
    },
    async clearWork(ageMs) {
      for (const name of await readdir(folder).catch(() => [])) {
        const path = join(folder, name);
        const { mtimeMs } = await stat(path).catch(() => ({ mtimeMs: Infinity }));
        if (mtimeMs <= Date.now() - ageMs) await rm(path, { recursive: true, force: true });
      }
    },
  };
}

/** Stores files in a local folder. Keys become paths unchecked: nothing from outside may be part of one. */
export function openFolder(directory: string): Omit<Files, "ensureSpace"> {
  const pathOf = (key: string) => join(directory, key);
  return {
    ...workFolder(directory),
    async put(key, content) {
      const path = pathOf(key);
      await mkdir(dirname(path), { recursive: true });
      const measured = measureStream();
      try {
        // An acknowledged file must survive a power cut.
        await pipeline(content, measured.pass, createWriteStream(path, { flush: true }));
      } catch (error) {
        await rm(path, { force: true });
        throw error;
      }
      return measured.result();
    },
    async adopt(key, path) {
      const file = await open(path, "r+");
      await file.sync().finally(() => file.close());
      await mkdir(dirname(pathOf(key)), { recursive: true });
      await rename(path, pathOf(key));
    },
    exists: (key) =>
      access(pathOf(key)).then(
        () => true,
        () => false,
      ),
    size: async (key) => (await stat(pathOf(key))).size,
    stream: async (key, range) => Readable.toWeb(createReadStream(pathOf(key), range)) as ReadableStream<Uint8Array>,
    withLocalPaths: (keys, work) => work(keys.map(pathOf)),
    remove: (key) => rm(pathOf(key), { force: true }),
    // Retried, as another process may add a file.
    removeAll: (prefix) => rm(pathOf(prefix), { recursive: true, force: true, maxRetries: 10 }),
    keys: () => keysBelow(directory, "", ["work"]),
    async *list(prefix) {
      for await (const { name } of entriesOf(pathOf(prefix))) yield name;
    },
    changedAt: (key) => stat(pathOf(key)).then(({ mtimeMs }) => mtimeMs, Date.now),
  };
}

async function* entriesOf(path: string) {
  yield* (await opendir(path).catch(() => undefined)) ?? [];
}

async function* keysBelow(directory: string, prefix: string, omitted: string[] = []): AsyncGenerator<string> {
  for await (const entry of entriesOf(join(directory, prefix))) {
    if (omitted.includes(entry.name)) continue;
    if (entry.isDirectory()) yield* keysBelow(directory, `${prefix}${entry.name}/`);
    else yield prefix + entry.name;
  }
}
