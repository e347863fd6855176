import { createWriteStream } from "node:fs";
import { rm } from "node:fs/promises";
import { pipeline } from "node:stream/promises";
import { type Files, measureStream } from "./files.ts";

/** The store of files that are read once and removed: on this machine, also if the store is a bucket. */
export type PassingFiles = Pick<Files, "put" | "removeAll"> & { pathOf(key: string): Promise<string> };

/** A folder has one file, `folder/1`, at most. A crash's leftovers are removed with other unfinished work. */
export function passingFiles({ workPath }: Pick<Files, "workPath">): PassingFiles {
  const pathOf = (key: string) => workPath(key.replaceAll("/", "-"));
  return {
    pathOf,
    async put(key, content) {
      const measured = measureStream();
      await pipeline(content, measured.pass, createWriteStream(await pathOf(key)));
      return measured.result();
    },
    removeAll: async (folder) => rm(await pathOf(`${folder}/1`), { force: true }),
  };
}
