import { createReadStream, createWriteStream } from "node:fs";
import { access, mkdir, open, readdir, rename, rm, stat } from "node:fs/promises";
import { dirname, join } from "node:path";
import type { Readable } from "node:stream";
import { pipeline } from "node:stream/promises";

/** A folder or a part of a bucket, for backups and copies of the database. */
export type Place = {
  title: string;
  /** The names of the files and folders directly below a folder, in the order of their code units. */
  names(folder: string): Promise<string[]>;
  has(name: string): Promise<boolean>;
  size(name: string): Promise<number>;
  read(name: string): Promise<Readable>;
  /** Stores a stream and returns once it is durable; until then there is no file of this name. */
  write(name: string, content: Readable, signal: AbortSignal): Promise<void>;
  remove(name: string): Promise<void>;
};

export function folderPlace(directory: string): Place {
  const pathOf = (name: string) => join(directory, name);
  return {
    title: directory,
    names: async (folder) =>
      (
        await readdir(pathOf(folder)).catch((error: NodeJS.ErrnoException) => {
          if (error.code === "ENOENT") return [];
          throw error;
        })
      ).toSorted(),
    has: (name) =>
      access(pathOf(name)).then(
        () => true,
        () => false,
      ),
    size: async (name) => (await stat(pathOf(name))).size,
    read: async (name) => createReadStream(pathOf(name)),
    async write(name, content, signal) {
      const [path, part] = [pathOf(name), pathOf(`${name}.part`)];
      await mkdir(dirname(path), { recursive: true, mode: 0o700 });
      try {
        await pipeline(content, createWriteStream(part, { mode: 0o600, flush: true }), { signal });
        await renameDurably(part, path);
      } catch (error) {
        await rm(part, { force: true });
        throw error;
      }
    },
    remove: (name) => rm(pathOf(name), { force: true }),
  };
}

/** Gives a written file its name, which then survives a power cut. */
export async function renameDurably(part: string, path: string) {
  await rename(part, path);
  const folder = await open(dirname(path));
  await folder.sync().finally(() => folder.close());
}
