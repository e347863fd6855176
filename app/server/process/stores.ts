import { join } from "node:path";
import { setTimeout as wait } from "node:timers/promises";
import { bucketOf, config, tokenOf } from "#lib/config.ts";
import { openPageFiles, type PageFiles } from "#lib/page-files/page-files.ts";
import type { Database, Role } from "#lib/storage/database/database.ts";
import type { Files } from "#lib/storage/files/files.ts";
import { watchBackups } from "#lib/storage/copies/backup-state.ts";
import { jobMigrations } from "#lib/storage/job-table.ts";
import { storageFailureOf } from "#lib/storage/database/failures.ts";
import { openDatabase } from "#lib/storage/database/open-database.ts";
import { NewerSchema } from "#lib/storage/database/schema-guard.ts";
import { openFiles } from "#lib/storage/files/open-files.ts";
import { daysInMs, mebibytesInBytes, minutesInMs, secondsInMs } from "#lib/units.ts";
import { draftMigrations } from "../drafts/tables.ts";
import { hasDrafts, removeDrafts } from "../drafts/unfinished.ts";
import { log } from "./log.ts";

export type Stores = { database: Database; files: Files; pageFiles: PageFiles };

/** Longer than any upload takes. */
export const maxUploadMs = daysInMs(1);

const databaseTimeoutMs = minutesInMs(1);

async function whenReachable(work: () => Promise<void>) {
  const until = performance.now() + databaseTimeoutMs;
  for (let isFirst = true; ; isFirst = false) {
    try {
      return await work();
    } catch (error) {
      const { message, code } = error as { message: string; code?: string };
      // Another container may be about to create it.
      const isMissing = code === "3D000";
      const isAway = isMissing || (!(error instanceof NewerSchema) && storageFailureOf(error) === "unreachable");
      if (!isAway || performance.now() > until) throw error;
      if (isFirst) {
        if (isMissing) log.warn({ reason: message }, "database missing, trying again for a minute");
        else log.warn({ reason: message || code }, "database unreachable, trying again for a minute");
      }
    }
    await wait(secondsInMs(1));
  }
}

/** Opens what the web process and the worker each have for themselves. Throws `DatabaseInUse` and `NewerSchema`. */
export async function openStores(role: Role): Promise<Stores> {
  const settings = config();
  const { DATABASE_URL: url, DATA_DIR: directory } = settings;
  const database = await openDatabase({ ...(url && { url }), directory, role, isCopied: Boolean(settings.COPY_TO) });
  await whenReachable(() => database.migrate("web", draftMigrations, log));
  await database.migrate("jobs", jobMigrations, log);
  watchBackups(database, settings);
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
