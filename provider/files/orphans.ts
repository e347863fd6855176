import type { Services } from "../services.ts";

/** Removes what a refused call brought, unless a document uses it; where the database can't say, the next sweep does. */
export async function removeUnusedFolder({ db, files, log }: Services, folder: string) {
  try {
    const user = await db.selectFrom("documents").where("folder", "=", folder).select("id").executeTakeFirst();
    if (!user) await files.removeAll(folder);
  } catch (err) {
    log.error({ err, folder }, "page files could not be removed");
  }
}

/** How many keys one query asks about. */
const batchSize = 500;

/**
 * Removes files that no record has: page files of uploads that were cut off or refused when the process ended, and
 * pictures that were replaced. Only those older than `ageMs`, as younger ones may be on their way to
 * becoming records.
 */
export async function removeOrphans(services: Services, ageMs: number) {
  for (const [prefix, keptOf] of Object.entries(referencedKeys)) await sweep(services, prefix, ageMs, keptOf);
}

type Db = Services["db"];

/** Goes through what is directly below `prefix/`; `keptOf` tells which of some keys records have. */
async function sweep(
  { db, files, log }: Services,
  prefix: string,
  ageMs: number,
  keptOf: (db: Db, keys: string[]) => Promise<(string | null)[]>,
) {
  const keys = (await files.list(prefix)).map((name) => `${prefix}/${name}`);
  for (let first = 0; first < keys.length; first += batchSize) {
    const some = keys.slice(first, first + batchSize);
    const kept = new Set(await keptOf(db, some));
    for (const key of some) {
      if (kept.has(key) || (await files.changedAt(key)) > Date.now() - ageMs) continue;
      await files.removeAll(key);
      log.info({ key }, "files without a record were removed");
    }
  }
}

/** For what lies directly below each of these prefixes: which of some keys records have. */
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
