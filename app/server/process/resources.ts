import { join } from "node:path";
import { bucketOf, config, tokenOf } from "#lib/config.ts";
import { metrics, watchStored } from "#lib/metrics.ts";
import { openPageFiles, type PageFiles } from "#lib/page-files/page-files.ts";
import { type Database, DatabaseInUse } from "#lib/storage/database/database.ts";
import { OperatorKeyRefused } from "#lib/seal/operator-key.ts";
import { openDatabase } from "#lib/storage/database/open-database.ts";
import { daysInMs, mebibytesInBytes, secondsInMs } from "#lib/units.ts";
import type { Files } from "#lib/storage/files/files.ts";
import { createRunner, type Runner } from "#lib/storage/jobs.ts";
import { openFiles } from "#lib/storage/files/open-files.ts";
import { freeBytes } from "#lib/storage/files/disk-reserve.ts";
import { draftJobs } from "../drafts/sweep.ts";
import { draftMigrations, type DraftTables } from "../drafts/tables.ts";
import { bytesOfDrafts, hasDrafts, removeDrafts } from "../drafts/unfinished.ts";
import { log } from "./log.ts";
import { type Embedded, openEmbedded } from "../provider/embedded.ts";

export type Resources = {
  database: Database;
  files: Files;
  pageFiles: PageFiles;
  jobs: Runner;
  embedded: Embedded | undefined;
};

// Outside the module, which the development server reloads after each edit.
const shared = globalThis as typeof globalThis & { sealdesk?: { opening?: Promise<void>; resources?: Resources } };
const state = (shared.sealdesk ??= {});

export function openResources(): Promise<void> {
  return (state.opening ??= open().then(
    (resources) => void (state.resources = resources),
    (error: unknown) => {
      if (error instanceof DatabaseInUse) console.error(error.message);
      else if (error instanceof OperatorKeyRefused) console.error(`Sealdesk can't start:\n${error.message}`);
      else log.fatal({ err: error }, "start failed");
      process.exit(1);
    },
  ));
}

export function resources(): Resources {
  if (!state.resources) throw new Error("The resources are not open yet");
  return state.resources;
}

/** Longer than any upload takes. */
const maxUploadMs = daysInMs(1);

async function open(): Promise<Resources> {
  const settings = config();
  const database = await openDatabase({ url: settings.DATABASE_URL, directory: settings.DATA_DIR, movesBeside: true });
  await database.migrate("web", draftMigrations);
  const reserve = mebibytesInBytes(settings.DISK_RESERVE_MB);
  watchStored("disk free", () => freeBytes(settings.DATA_DIR));
  watchStored("disk reserve", async () => reserve);
  watchStored("drafts", () => bytesOfDrafts(database.tables<DraftTables>()));
  const files = await openFiles({
    directory: join(settings.DATA_DIR, "files"),
    bucket: bucketOf(settings),
    reserve,
  });
  // No other process can use an SQLite database, so nothing is being written.
  await files.clearWork(database.isShared ? maxUploadMs : 0);
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
    : await openEmbedded(settings, {
        database,
        files,
        pageFiles,
        log,
        token: tokenOf(settings),
        nudge: jobs.nudge,
        hasDrafts,
        removeDrafts,
      });
  if (embedded?.firstStartLink) {
    console.log(
      "\nNo company yet. Open this link within 7 days to name it and set your password. Each start shows a new one,\n" +
        `and only the newest works:\n\n${embedded.firstStartLink}\n`,
    );
  }
  const startedAt = Date.now();
  // A lone process has abandoned whatever is older than itself.
  const abandonedMs = () => (database.isShared ? maxUploadMs : Math.min(maxUploadMs, Date.now() - startedAt));
  await jobs.start([...draftJobs({ database, files }, abandonedMs), ...(embedded?.jobs(abandonedMs) ?? [])]);
  return { database, files, pageFiles, jobs, embedded };
}

/** Shutdown waits this long for a running job, such as the delivery of a message. */
const jobTimeoutMs = secondsInMs(5);

export async function closeResources() {
  await openResources();
  const { database, pageFiles, jobs, embedded } = resources();
  await jobs.stop(jobTimeoutMs);
  await pageFiles.close();
  await embedded?.access.flush();
  await database.close();
}
