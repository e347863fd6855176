import { mkdtemp, rm } from "node:fs/promises";
import { join } from "node:path";
import { bucketOf, config } from "#lib/config.ts";
import { type Database, DatabaseInUse } from "#lib/storage/database/database.ts";
import { openDatabase } from "#lib/storage/database/open-database.ts";
import type { Files } from "#lib/storage/files/files.ts";
import { openFiles } from "#lib/storage/files/open-files.ts";
import { CommandFailed } from "./command.ts";

/** The database and the file store of the configuration. */
export type Stores = { database: Database; files: Files };

/** Opens the stores for some work and closes them; `alongside` lets the server keep running. */
export async function withStores<T>(
  { alongside }: { alongside: boolean },
  work: (stores: Stores) => Promise<T>,
): Promise<T> {
  const settings = config();
  const { DATA_DIR, DATABASE_URL, COPY_TO } = settings;
  const role = alongside ? "command" : "server";
  const database = await open({ url: DATABASE_URL, directory: DATA_DIR, role, isCopied: Boolean(COPY_TO) });
  try {
    const files = await openFiles({ directory: join(DATA_DIR, "files"), bucket: bucketOf(settings) });
    return await work({ database, files });
  } finally {
    await database.close();
  }
}

/** Opens an empty SQLite database and file store in a folder below `parent`, and removes them after the work. */
export async function withTemporaryStores<T>(parent: string, work: (stores: Stores) => Promise<T>): Promise<T> {
  const directory = await mkdtemp(join(parent, "sealdesk-temporary-"));
  try {
    const database = await openDatabase({ directory, role: "command" });
    try {
      return await work({ database, files: await openFiles({ directory: join(directory, "files") }) });
    } finally {
      await database.close();
    }
  } finally {
    await rm(directory, { recursive: true, force: true });
  }
}

const print = (event: object, message: string) => console.error(`${message}: ${JSON.stringify(event)}`);

/** Prints what was migrated, and for which sessions a migration waits. */
export const migrationLog = { info: print, warn: print };

async function open(location: Parameters<typeof openDatabase>[0]) {
  try {
    return await openDatabase(location);
  } catch (error) {
    throw error instanceof DatabaseInUse ? new CommandFailed(error.message) : error;
  }
}
