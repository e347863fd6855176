import { join } from "node:path";
import { setTimeout as wait } from "node:timers/promises";
import { bucketOf, config } from "#config";
import { openPageFiles, type PageFiles } from "#page-files/page-files.ts";
import { type Database, DatabaseInUse, openDatabase } from "#storage/database.ts";
import type { Files } from "#storage/files.ts";
import { openFiles } from "#storage/open-files.ts";
import { sweepDrafts } from "./drafts/sweep.ts";
import { draftMigrations } from "./drafts/tables.ts";
import { log } from "./log.ts";
import { type Embedded, openEmbedded } from "./provider/embedded.ts";

/** What this process holds open while it runs. */
export type Open = {
  database: Database;
  files: Files;
  pageFiles: PageFiles;
  /** Absent in front of an external provider. */
  embedded: Embedded | undefined;
};

// Kept outside the module, which the development server loads again at each change.
const kept = globalThis as typeof globalThis & { sealdesk?: Promise<Open> };

/** Opens everything at the first call; a reason not to start ends the process with one line. */
export function opened(): Promise<Open> {
  return (kept.sealdesk ??= open().catch((error: unknown) => {
    if (error instanceof DatabaseInUse) console.error(error.message);
    else log.fatal({ err: error }, "Sealdesk can't start");
    process.exit(1);
  }));
}

const minute = 60 * 1000;
const day = 24 * 60 * minute;

async function open(): Promise<Open> {
  const settings = config();
  const database = openDatabase({ url: settings.DATABASE_URL, directory: settings.DATA_DIR });
  await database.migrate("web", draftMigrations);
  const files = await openFiles({ directory: join(settings.DATA_DIR, "files"), bucket: bucketOf(settings) });
  // On SQLite no other process can be at work here; elsewhere a day is time enough for any upload.
  const oldest = settings.DATABASE_URL ? day : 0;
  await files.clearWork(oldest);
  const pageFiles = openPageFiles();
  const embedded = settings.PROVIDER_URL
    ? undefined
    : await openEmbedded(settings, { database, files, pageFiles, log });
  if (embedded?.firstStartLink) {
    console.log(
      `\nNo company yet. Open this link within 7 days to name it and set your password:\n\n${embedded.firstStartLink}\n`,
    );
  }
  const sweep = async (age: number) => {
    try {
      await sweepDrafts({ database, files }, age);
      await embedded?.sweep(age);
    } catch (err) {
      log.error({ err }, "what was cut off could not be swept");
    }
  };
  void sweep(oldest);
  setInterval(() => void sweep(day), day).unref();
  if (embedded) tellEveryMinute(embedded);
  return { database, files, pageFiles, embedded };
}

/** How long an end waits for a message to be taken by the mail server. */
const lastMessage = 5000;
let telling = Promise.resolve();

/** Beginning anew only when the time before is through: a mail server may be slow. */
function tellEveryMinute({ tellOfAlerts }: Embedded) {
  const tell = () => {
    telling = tellOfAlerts()
      .catch((err: unknown) => log.error({ err }, "nobody could be told of alerts"))
      .finally(() => setTimeout(tell, minute).unref());
  };
  setTimeout(tell, minute).unref();
}

/** Closes what `opened` opened, once no request needs it any more. */
export async function close() {
  const { database, pageFiles } = await opened();
  // A message that is on its way is noted as sent already.
  await Promise.race([telling, wait(lastMessage, undefined, { ref: false })]);
  await pageFiles.close();
  await database.close();
}
