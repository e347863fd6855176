import { config } from "#lib/config.ts";
import { watch } from "#lib/metric-sources.ts";
import { mebibytesInBytes } from "#lib/units.ts";
import { OperatorKeyRefused } from "#lib/seal/operator-key.ts";
import { startRefusal } from "#lib/storage/start-refusal.ts";
import { createNudger, type Nudger } from "#lib/storage/jobs.ts";
import { freeBytes } from "#lib/storage/files/disk-reserve.ts";
import type { DraftTables } from "../drafts/tables.ts";
import { bytesOfDrafts } from "../drafts/unfinished.ts";
import { log, writeLine } from "./log.ts";
import { currentCause } from "../request/request-context.ts";
import { type Embedded, openEmbedded } from "../provider/embedded.ts";
import { stopTracing } from "./start-tracing.ts";
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
      if (refusal) log.fatal(refusal);
      else if (error instanceof OperatorKeyRefused) log.fatal(`Sealdesk can't start: ${error.message}`);
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
  watch("disk free", () => freeBytes(settings.DATA_DIR));
  watch("disk reserve", async () => mebibytesInBytes(settings.DISK_RESERVE_MB));
  watch("drafts", () => bytesOfDrafts(database.tables<DraftTables>()));
  // No other process can use an SQLite database, so nothing is being written.
  await files.clearWork(database.isShared ? maxUploadMs : 0);
  let worker: WorkerProcess | undefined;
  const nudger = createNudger(database, { log, cause: currentCause, run: () => worker?.runDue() });
  const embedded = settings.PROVIDER_URL
    ? undefined
    : await openEmbedded(settings, providerStores(stores, nudger.nudge));
  if (embedded?.firstStartLink) {
    const msg =
      "no company yet: this link, for 7 days, names it and sets your password; the newest start's alone works";
    writeLine({ msg, link: embedded.firstStartLink });
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
  await stopTracing();
}
