import { randomUUID } from "node:crypto";
import { rm } from "node:fs/promises";
import type { Files } from "#storage/files.ts";
import type { DrawnSize, Kind } from "./kinds.ts";
import type { PageFiles } from "./page-files.ts";

/** Files that are made from page files when they are first asked for, and kept beside them in the store. */

/** What is being made just now: a second asker waits for the first one's. */
const making = new Map<string, Promise<void>>();

/** The key itself, once there is a file under it; `make` writes it to a path if there is none yet. */
export async function kept(files: Files, key: string, make: (to: string) => Promise<void>): Promise<string> {
  if (await files.exists(key)) return key;
  let work = making.get(key);
  if (!work) {
    work = makeAndKeep(files, key, make).finally(() => making.delete(key));
    making.set(key, work);
  }
  await work;
  return key;
}

async function makeAndKeep(files: Files, key: string, make: (to: string) => Promise<void>) {
  const path = await files.workPath(randomUUID());
  try {
    await make(path);
    await files.adopt(key, path);
  } finally {
    await rm(path, { force: true });
  }
}

/** Below which all drawings of the page file under `key` are kept. */
const drawnBelow = (key: string) => `${key}.drawn`;
const drawingKey = (key: string, page: number, size: DrawnSize) => `${drawnBelow(key)}/${page}.${size}.webp`;

/** Removes a page file with its drawings. */
export async function removePageFile(files: Files, key: string) {
  await files.remove(key);
  await files.removeAll(drawnBelow(key));
}

/** The drawing of a page of a page file, as WebP. */
export const keptDrawing = (
  { files, pageFiles }: { files: Files; pageFiles: PageFiles },
  { key, type }: { key: string; type: Kind },
  page: number,
  size: DrawnSize,
) =>
  kept(files, drawingKey(key, page, size), (to) =>
    files.atHand([key], ([path]) => pageFiles.draw({ path: path!, type, page, size, to })),
  );

/** Inspects a file that is in the store and keeps the drawing of its first page if it can be a page file. */
export async function inspectStored({ files, pageFiles }: { files: Files; pageFiles: PageFiles }, key: string) {
  const drawn = await files.workPath(randomUUID());
  try {
    const result = await files.atHand([key], ([path]) => pageFiles.inspect({ path: path!, drawn }));
    if (!("refused" in result)) await files.adopt(drawingKey(key, 1, "small"), drawn);
    return result;
  } finally {
    await rm(drawn, { force: true });
  }
}
