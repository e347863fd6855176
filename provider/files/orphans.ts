import type { Services } from "../services.ts";

/** Removes a failed call's upload, unless a document refers to it. On errors the next sweep does. */
export async function removeUnusedFolder({ db, files, log }: Services, folder: string) {
  try {
    const document = await db.selectFrom("documents").where("folder", "=", folder).select("id").executeTakeFirst();
    if (!document) await files.removeAll(folder);
  } catch (err) {
    log.error({ err, folder }, "page files could not be removed");
  }
}

const batchSize = 500;

/**
 * Removes files without a record: uploads that were cut off, and replaced pictures. Only those older than `ageMs`, as the
 * records of younger ones may not be written yet.
 */
export async function removeOrphans(services: Services, ageMs: number) {
  for (const [prefix, referencedOf] of Object.entries(referencedKeys))
    await sweep(services, prefix, ageMs, referencedOf);
}

type Db = Services["db"];

/** Sweeps the entries directly below `prefix/`. */
async function sweep(
  { db, files, log }: Services,
  prefix: string,
  ageMs: number,
  referencedOf: (db: Db, keys: string[]) => Promise<(string | null)[]>,
) {
  const keys = (await files.list(prefix)).map((name) => `${prefix}/${name}`);
  for (let first = 0; first < keys.length; first += batchSize) {
    const batch = keys.slice(first, first + batchSize);
    const referenced = new Set(await referencedOf(db, batch));
    for (const key of batch) {
      if (referenced.has(key) || (await files.changedAt(key)) > Date.now() - ageMs) continue;
      await files.removeAll(key);
      log.info({ key }, "files without a record were removed");
    }
  }
}

/** For each prefix in the store: which of some keys below it records refer to. */
export const referencedKeys = { documents: referencedFolders, images: referencedImages };

async function referencedFolders(db: Db, folders: string[]) {
  const rows = await db.selectFrom("documents").where("folder", "in", folders).select("folder").execute();
  return rows.map(({ folder }) => folder);
}

async function referencedImages(db: Db, keys: string[]) {
  const tables = ["users", "branches", "companies"] as const;
  const rows = await Promise.all(
    tables.map((table) => db.selectFrom(table).where("image_key", "in", keys).select("image_key").execute()),
  );
  return rows.flat().map(({ image_key }) => image_key);
}
