import { join } from "node:path";
import { config } from "#config";
import { type Database, openDatabase } from "#storage/database.ts";
import { type Files, openFiles } from "#storage/files.ts";

/** Where rows and files are kept, as the configuration says. */
export type Place = { database: Database; files: Files };

/** Works on the place and closes it. `beside` says that the server may go on running meanwhile. */
export async function inPlace<T>({ beside }: { beside: boolean }, work: (place: Place) => Promise<T>): Promise<T> {
  const { DATA_DIR, DATABASE_URL } = config();
  const database = openDatabase({ url: DATABASE_URL, directory: DATA_DIR, beside });
  try {
    return await work({ database, files: openFiles(join(DATA_DIR, "files")) });
  } finally {
    await database.close();
  }
}
