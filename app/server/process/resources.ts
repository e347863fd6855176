import { config } from "#lib/config.ts";
import { watchStored } from "#lib/metrics.ts";
import { mebibytesInBytes } from "#lib/units.ts";
import { OperatorKeyRefused } from "#lib/seal/operator-key.ts";
import { startRefusal } from "#lib/storage/start-refusal.ts";
import { createNudger, type Nudger } from "#lib/storage/jobs.ts";
import { freeBytes } from "#lib/storage/files/disk-reserve.ts";
import type { DraftTables } from "../drafts/tables.ts";
import { bytesOfDrafts } from "../drafts/unfinished.ts";
import { log } from "./log.ts";
import { type Embedded, openEmbedded } from "../provider/embedded.ts";
import { maxUploadMs, openStores, providerStores, type Stores } from "./stores.ts";
import { startWorker, type WorkerProcess } from "../worker/start.ts";

export type Resources = Stores & {
  nudger: Nudger;
  /** What runs the jobs; undefined with WORKER=off. */
  worker: WorkerProcess | undefined;
  embedded: Embedded | undefined;
};

// Outside the module, which the development server reloads after each edit.
const shared = globalThis as typeof globalThis & { sealdesk?: { opening?: Promise<void>; resources?: Resources } };
const state = (shared.sealdesk ??= {});

export function openResources(): Promise<void> {
  return (state.opening ??= open().then(
    (resources) => void (state.resources = resources),
    (error: unknown) => {
      const refusal = startRefusal(error, config());
      if (refusal) console.error(refusal);
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

async function open(): Promise<Resources> {
  const settings = config();
  const stores = await openStores("server");
  const { database, files } = stores;
  watchStored("disk free", () => freeBytes(settings.DATA_DIR));
  watchStored("disk reserve", async () => mebibytesInBytes(settings.DISK_RESERVE_MB));
  watchStored("drafts", () => bytesOfDrafts(database.tables<DraftTables>()));
  // No other process can use an SQLite database, so nothing is being written.
  await files.clearWork(database.isShared ? maxUploadMs : 0);
  let worker: WorkerProcess | undefined;
  const nudger = createNudger(database, { log, run: () => worker?.runDue() });
  const embedded = settings.PROVIDER_URL
    ? undefined
    : await openEmbedded(settings, providerStores(stores, nudger.nudge));
  if (embedded?.firstStartLink) {
    console.log(
      "\nNo company yet. Open this link within 7 days to name it and set your password. Each start shows a new one,\n" +
        `and only the newest works:\n\n${embedded.firstStartLink}\n`,
    );
  }
  if (settings.WORKER === "on") worker = startWorker(log);
  return { ...stores, nudger, worker, embedded };
}

export async function closeResources() {
  await openResources();
  const { database, pageFiles, nudger, worker, embedded } = resources();
  nudger.stop();
  await worker?.stop();
  await pageFiles.close();
  await embedded?.access.flush();
  await database.close();
}
