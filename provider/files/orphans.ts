import { removeUnreferenced } from "#lib/storage/files/unreferenced.ts";
import type { Db } from "../db/tables.ts";
import { logFile } from "../log/tree.ts";
import type { Services } from "../services.ts";
import { templateFolder, templateKey } from "../templates/keys.ts";

/** Removes a failed call's upload, unless a document or what awaits release refers to it. On errors the next sweep does. */
export async function removeUnusedFolder({ db, files, log }: Services, folder: string) {
  try {
    if ((await referencedFolders(db, [folder])).length === 0) await files.removeAll(folder);
  } catch (err) {
    log.error({ err, folder }, "page files could not be removed");
  }
}

/** Removes files that no record has and that are older than `ageMs`: of refused uploads, and replaced pictures. */
export async function removeOrphans({ db, files, log }: Services, ageMs: number) {
  const before = Date.now() - ageMs;
  const onRemoved = (key: string) => log.info({ key }, "files without a record were removed");
  for (const [prefix, keysOf] of Object.entries(referencedKeys)) {
    await removeUnreferenced(files, prefix, { before, referenced: (keys) => keysOf(db, keys), onRemoved });
  }
}

/** For what lies directly below each of these prefixes: which of some keys records have. */
export const referencedKeys = {
  documents: referencedFolders,
  images: referencedImages,
  templates: referencedTemplates,
  "bulk-issues": referencedBulkIssues,
  imports: referencedImports,
  log: referencedLogs,
};

async function referencedLogs(db: Db) {
  const origins = await db.selectFrom("log_origins").select("name").execute();
  return origins.map((origin) => logFile(origin));
}

async function referencedImports(db: Db, keys: string[]) {
  const rows = await db.selectFrom("imports").where("table_key", "in", keys).select("table_key").execute();
  return rows.map(({ table_key }) => table_key);
}

async function referencedBulkIssues(db: Db, folders: string[]) {
  const rows = await db.selectFrom("bulk_issues").where("folder", "in", folders).select("folder").execute();
  return rows.map(({ folder }) => folder);
}

async function referencedFolders(db: Db, folders: string[]) {
  const rows = [
    ...(await db.selectFrom("documents").where("folder", "in", folders).select("folder").execute()),
    ...(await db.selectFrom("releases").where("folder", "in", folders).select("folder").execute()),
  ];
  return rows.map(({ folder }) => folder);
}

async function referencedTemplates(db: Db, keys: string[]) {
  const files = keys.map(templateKey);
  const rows = await db.selectFrom("templates").where("file_key", "in", files).select("file_key").execute();
  return rows.map(({ file_key }) => templateFolder(file_key));
}

async function referencedImages(db: Db, keys: string[]) {
  const tables = ["users", "branches", "companies"] as const;
  const rows = await Promise.all(
    tables.map((table) => db.selectFrom(table).where("image_key", "in", keys).select("image_key").execute()),
  );
  return rows.flat().map(({ image_key }) => image_key);
}
