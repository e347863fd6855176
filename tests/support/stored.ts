import { createHash } from "node:crypto";
import { readdirSync } from "node:fs";
import { join } from "node:path";
import Sqlite from "better-sqlite3";
import type { TestServer } from "./server.ts";

/** What a server with SQLite has stored, read beside it. */

/** Runs `work` on a server's SQLite database. */
export function inDatabase<T>({ data }: Pick<TestServer, "data">, work: (database: Sqlite.Database) => T): T {
  const database = new Sqlite(join(data, "sealdesk.db"), { timeout: 10_000 });
  try {
    return work(database);
  } finally {
    database.close();
  }
}

/** Returns a digest of the rows of each table, and the names of all complete files. */
export const everythingStored = (server: TestServer) => ({
  tables: inDatabase(server, (database) => {
    const tables = database.prepare<[], { name: string }>("select name from sqlite_master where type = 'table'").all();
    // Jobs record their runs at any time, and ids are never reused.
    const named = tables.map(({ name }) => name).filter((name) => !["jobs", "sqlite_sequence"].includes(name));
    return Object.fromEntries(
      named.map((name) => {
        const hash = createHash("sha256");
        for (const row of database.prepare(`select * from "${name}"`).iterate()) hash.update(JSON.stringify(row));
        return [name, hash.digest("hex")];
      }),
    );
  }),
  files: storedFiles(server),
});

/** The keys of a server's files, without the log's, which a job writes. */
export const storedFiles = ({ data }: Pick<TestServer, "data">) =>
  readdirSync(join(data, "files"), { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile() && !/\/(work$|log\/)/.test(entry.parentPath))
    .map((entry) => join(entry.parentPath, entry.name))
    .toSorted();
