import type { Services } from "../services.ts";

/** How many folders one query asks about. */
const atOnce = 500;

/**
 * Removes page files that no document has: of uploads that were cut off, or refused when the process ended. Only those
 * that are older than `age` milliseconds, as younger ones may be on their way to becoming documents.
 */
export async function removeOrphans({ db, files, log }: Services, age: number) {
  const folders = (await files.list("documents")).map((name) => `documents/${name}`);
  for (let first = 0; first < folders.length; first += atOnce) {
    const some = folders.slice(first, first + atOnce);
    const rows = await db.selectFrom("documents").where("folder", "in", some).select("folder").execute();
    const kept = new Set(rows.map(({ folder }) => folder));
    for (const folder of some) {
      if (kept.has(folder) || (await files.changedAt(folder)) > Date.now() - age) continue;
      await files.removeAll(folder);
      log.info({ folder }, "page files without a document were removed");
    }
  }
}
