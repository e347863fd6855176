import { readdir, stat } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { text } from "node:stream/consumers";
import { type Kysely, sql } from "kysely";
import { migrateWithin } from "#lib/storage/database/migrate.ts";
import { inTransaction, type RowValues, type Table } from "#lib/storage/database/rows.ts";
import type { Manifest } from "./backup-format.ts";
import { CommandFailed } from "./command.ts";
import { addFile, addRows, damageOf, prepareTables, readManifest, readRows } from "./load-backup.ts";
import { type BackupSource, readBackup } from "./read-backup.ts";
import { type Stores, withTemporaryStores } from "./stores.ts";

/** Some documents of a backup, in a temporary SQLite database: their rows, and the files that are needed of them. */

type Wanted = {
  /** Codes and SHA-256: documents whose rows have one of them are loaded. */
  texts: string[];
  /** The files that are loaded, of documents in the database. */
  keysOf(db: Kysely<any>): Promise<string[]>;
  signal: AbortSignal;
};

/** Calls `work` with documents of a backup. Throws `CommandFailed` if the backup is damaged, before `work` starts. */
export async function withDocumentsOf<T>(
  backup: BackupSource,
  wanted: Wanted,
  work: (stores: Stores) => Promise<T>,
): Promise<T> {
  const ids = await findIds(backup, wanted);
  return withTemporaryStores(tmpdir(), async (stores) => {
    await load(backup, { ...wanted, ids }, stores);
    return work(stores);
  });
}

/** The column of each table that is loaded that has the id of its document; companies are all loaded. */
const idColumns: Record<string, string | undefined> = {
  companies: undefined,
  documents: "id",
  document_copies: "document_id",
  page_files: "document_id",
  sealed_files: "document_id",
};

/** Reads a backup to its end, so that it is known to be undamaged, and returns the ids of documents that have a text. */
async function findIds(backup: BackupSource, { texts, signal }: Wanted): Promise<Set<number>> {
  const ids = new Set<number>();
  const entries = readBackup(backup, "Searching", signal);
  const quoted = texts.map((one) => JSON.stringify(one));
  try {
    const tables = tablesOf(await readManifest(entries));
    for await (const { name, content } of entries) {
      const table = tableOf(tables, name);
      if (!table || !idColumns[table.name]) continue;
      for (const line of (await text(content)).split("\n")) {
        if (!quoted.some((one) => line.includes(one))) continue;
        ids.add(idOf(table, JSON.parse(line) as RowValues) as number);
      }
    }
  } catch (error) {
    throw damageOf(error);
  } finally {
    await entries.return(undefined);
  }
  return ids;
}

type Columns = Pick<Table, "name" | "columns">;

const tablesOf = ({ tables }: Manifest) => new Map<string, Columns>(tables.map((table) => [table.name, table]));

/** The table whose rows an entry has, if it is loaded. */
function tableOf<T extends Columns>(tables: Map<string, T>, entry: string): T | undefined {
  const [kind, name] = entry.split("/");
  return kind === "rows" && Object.hasOwn(idColumns, name!) ? tables.get(name!) : undefined;
}

const idOf = ({ name, columns }: Columns, row: RowValues) => row[columns.indexOf(idColumns[name]!)];

type Ids = { ids: Set<number> };

async function load(backup: BackupSource, { ids, keysOf, signal }: Wanted & Ids, { database, files }: Stores) {
  const db = database.tables<any>();
  // Rows that the loaded ones refer to are left out.
  await sql`pragma foreign_keys = off`.execute(db);
  const entries = readBackup(backup, "Reading", signal);
  try {
    await inTransaction(db, async (transaction) => {
      const manifest = await readManifest(entries);
      const { tables, participants } = await prepareTables(transaction, manifest);
      let keys: Set<string> | undefined;
      for await (const { name, content } of entries) {
        const table = tableOf(tables, name);
        if (table) {
          const { rows } = readRows(table, await text(content), () => null);
          const isLoaded = (row: RowValues) => !idColumns[table.name] || ids.has(idOf(table, row) as number);
          await addRows(transaction, { table, rows: rows.filter(isLoaded) });
        }
        if (name.startsWith("rows/")) continue;
        if (!keys) {
          for (const one of participants) await migrateWithin(transaction, one.name, one.migrations);
          keys = new Set(await keysOf(transaction));
        }
        const key = name.slice("files/".length);
        if (keys.delete(key)) await addFile(files, key.split("/"), content);
        if (keys.size === 0) return;
      }
      throw new CommandFailed("The backup is damaged: a sealed PDF is missing.");
    });
  } catch (error) {
    throw damageOf(error);
  } finally {
    await entries.return(undefined);
  }
}

/** The path of a backup, or of the newest one in a folder, which is named on standard error. */
export async function backupAt(path: string): Promise<string> {
  const isFolder = await stat(path).then(
    (stats) => stats.isDirectory(),
    (error: NodeJS.ErrnoException) => {
      throw error.code === "ENOENT" ? new CommandFailed(`There is no backup at ${path}.`) : error;
    },
  );
  if (!isFolder) return path;
  const paths = (await readdir(path))
    .filter((name) => /\.tar(\.gz)?(\.age)?$/.test(name))
    .map((name) => join(path, name));
  const dated = await Promise.all(paths.map(async (one) => ({ one, at: (await stat(one)).mtimeMs })));
  const [newest] = dated.toSorted((a, b) => b.at - a.at);
  if (!newest)
    throw new CommandFailed(`There is no backup in ${path}: none of its files ends in .tar, .tar.gz or .age.`);
  console.error(`The newest backup: ${newest.one}`);
  return newest.one;
}
