import type { Services } from "../services.ts";

/**
 * Removes page files that no document has: of uploads that were cut off, or refused when the process ended. Only those
 * that are older than `age` milliseconds, as younger ones may be on their way to becoming documents.
 */
export async function removeOrphans({ db, files, log }: Services, age: number) {
  for (const { name, changedAt } of await files.list("documents")) {
    if (changedAt > Date.now() - age) continue;
    const folder = `documents/${name}`;
    const owner = await db.selectFrom("documents").where("folder", "=", folder).select("id").executeTakeFirst();
    if (owner) continue;
    await files.removeAll(folder);
    log.info({ folder }, "page files without a document were removed");
  }
}
