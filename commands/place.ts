import { join } from "node:path";
import { bucketOf, config } from "#config";
import { type Database, DatabaseInUse } from "#storage/database.ts";
import { openDatabase } from "#storage/open-database.ts";
import type { Files } from "#storage/files.ts";
import { openFiles } from "#storage/open-files.ts";
import { Failed } from "./command.ts";

/** Where rows and files are kept, as the configuration says. */
export type Place = { database: Database; files: Files };

/** Works on the place and closes it. `beside` says that the server may go on running meanwhile. */
export async function inPlace<T>(
  { alongside }: { alongside: boolean },
  work: (place: Place) => Promise<T>,
): Promise<T> {
  const settings = config();
  const { DATA_DIR, DATABASE_URL } = settings;
  const database = open({ url: DATABASE_URL, directory: DATA_DIR, alongside });
  try {
    const files = await openFiles({ directory: join(DATA_DIR, "files"), bucket: bucketOf(settings) });
    return await work({ database, files });
  } finally {
    await database.close();
  }
}

function open(where: Parameters<typeof openDatabase>[0]) {
  try {
    return openDatabase(where);
  } catch (error) {
    throw error instanceof DatabaseInUse ? new Failed(error.message) : error;
  }
}
