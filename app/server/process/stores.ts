import { join } from "node:path";
import { bucketOf, config, tokenOf } from "#lib/config.ts";
import { openPageFiles, type PageFiles } from "#lib/page-files/page-files.ts";
import type { Database, Role } from "#lib/storage/database/database.ts";
import type { Files } from "#lib/storage/files/files.ts";
import { jobMigrations } from "#lib/storage/job-table.ts";
import { openDatabase } from "#lib/storage/database/open-database.ts";
import { openFiles } from "#lib/storage/files/open-files.ts";
import { daysInMs, mebibytesInBytes } from "#lib/units.ts";
import { draftMigrations } from "../drafts/tables.ts";
import { hasDrafts, removeDrafts } from "../drafts/unfinished.ts";
import { log } from "./log.ts";

export type Stores = { database: Database; files: Files; pageFiles: PageFiles };

/** Longer than any upload takes. */
export const maxUploadMs = daysInMs(1);

/** Opens what the web process and the worker each have for themselves. Throws `DatabaseInUse`. */
export async function openStores(role: Role): Promise<Stores> {
  const settings = config();
  const { DATABASE_URL: url, DATA_DIR: directory } = settings;
  const database = await openDatabase({ ...(url && { url }), directory, role });
  await database.migrate("web", draftMigrations);
  await database.migrate("jobs", jobMigrations);
  const files = await openFiles({
    directory: join(directory, "files"),
    bucket: bucketOf(settings),
    reserve: mebibytesInBytes(settings.DISK_RESERVE_MB),
  });
  return { database, files, pageFiles: openPageFiles({ log }) };
}

/** What the embedded provider is given, to answer calls as to run jobs. `nudge` makes a job due soon. */
export const providerStores = (stores: Stores, nudge: (job: string) => void) => ({
  ...stores,
  log,
  token: tokenOf(config()),
  nudge,
  hasDrafts,
  removeDrafts,
});
