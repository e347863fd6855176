import { join } from "node:path";
import { bucketOf, config } from "#config";
import { metrics, watchStored } from "#metrics";
import { openPageFiles, type PageFiles } from "#page-files/page-files.ts";
import { type Database, DatabaseInUse } from "#storage/database.ts";
import { openDatabase } from "#storage/open-database.ts";
import type { Files } from "#storage/files.ts";
import { createRunner, type Runner } from "#storage/jobs.ts";
import { openFiles } from "#storage/open-files.ts";
import { freeBytes } from "#storage/disk-reserve.ts";
import { draftJobs } from "../drafts/sweep.ts";
import { draftMigrations, type DraftTables } from "../drafts/tables.ts";
import { bytesOfDrafts, hasDrafts, removeDrafts } from "../drafts/unfinished.ts";
import { log } from "./log.ts";
import { type Embedded, openEmbedded } from "../provider/embedded.ts";
import { secondsInMs, daysInMs, megabytesInBytes } from "#units";

/** What this process holds open while it runs. */
export type Resources = {
  database: Database;
  files: Files;
  pageFiles: PageFiles;
  jobs: Runner;
  /** Absent in front of an external provider. */
  embedded: Embedded | undefined;
};

// Kept outside the module, which the development server loads again at each change.
const kept = globalThis as typeof globalThis & { sealdesk?: Promise<Resources> };

/** Opens everything at the first call; a reason not to start ends the process with one line. */
export function resources(): Promise<Resources> {
  return (kept.sealdesk ??= open().catch((error: unknown) => {
    if (error instanceof DatabaseInUse) console.error(error.message);
    else log.fatal({ err: error }, "Sealdesk can't start");
    process.exit(1);
  }));
}

/** Time enough for any upload. */
const uploadMs = daysInMs(1);

async function open(): Promise<Resources> {
  const settings = config();
  const database = openDatabase({ url: settings.DATABASE_URL, directory: settings.DATA_DIR });
  await database.migrate("web", draftMigrations);
  const reserve = megabytesInBytes(settings.DISK_RESERVE_MB);
  watchStored("disk free", () => freeBytes(settings.DATA_DIR));
  watchStored("disk reserve", async () => reserve);
  watchStored("drafts", () => bytesOfDrafts(database.tables<DraftTables>()));
  const files = await openFiles({
    directory: join(settings.DATA_DIR, "files"),
    bucket: bucketOf(settings),
    reserve,
  });
  // On SQLite no other process can be at work here.
  await files.clearWork(database.isShared ? uploadMs : 0);
  const pageFiles = openPageFiles({ log });
  const jobs = createRunner(database, {
    log,
    onDone({ name: job, seconds, outcome }) {
      metrics.jobs.inc({ job, outcome });
      metrics.jobSeconds.observe({ job }, seconds);
    },
  });
  const embedded = settings.PROVIDER_URL
    ? undefined
    : await openEmbedded(settings, { database, files, pageFiles, log, nudge: jobs.nudge, hasDrafts, removeDrafts });
  if (embedded?.firstStartLink) {
    console.log(
      "\nNo company yet. Open this link within 7 days to name it and set your password. Each start shows a new one,\n" +
        `and only the newest works:\n\n${embedded.firstStartLink}\n`,
    );
  }
  const started = Date.now();
  // Where no other process can be at work, what is older than this one was left by one that is gone.
  const abandonedMs = () => (database.isShared ? uploadMs : Math.min(uploadMs, Date.now() - started));
  await jobs.start([...draftJobs({ database, files }, abandonedMs), ...(embedded?.jobs(abandonedMs) ?? [])]);
  return { database, files, pageFiles, jobs, embedded };
}

/** How long an end waits for a job that is at work: for a mail server to take a message, for one. */
const lastJobMs = secondsInMs(5);

/** Closes what `resources` opened, once no request needs it any more. */
export async function close() {
  const { database, pageFiles, jobs, embedded } = await resources();
  await jobs.stop(lastJobMs);
  await pageFiles.close();
  await embedded?.access.flush();
  await database.close();
}
