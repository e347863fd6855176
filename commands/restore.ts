import { Readable } from "node:stream";
import { text } from "node:stream/consumers";
import type { Transaction } from "kysely";
import { ZodError } from "zod";
import { DamagedArchive, type ArchiveEntry } from "#storage/archive.ts";
import { insertRows } from "#storage/bulk-load.ts";
import { migrateWithin } from "#storage/migrate.ts";
import type { Files } from "#storage/files.ts";
import { inTransaction, listTables, type RowValues, setCounters, type Table } from "#storage/rows.ts";
import { Manifest, manifestName, Totals, totalsName } from "./backup-format.ts";
import { type Command, requireArguments, CommandFailed, interruptSignal } from "./command.ts";
import { withStores, type Stores } from "./stores.ts";
import { formatBytes, formatCount } from "./progress.ts";
import { checkBackup, readBackup } from "./read-backup.ts";
import { participantsOf } from "./participants.ts";
import { type ChangeKey, keysForRestore, withKeys } from "./private-keys.ts";
import { verifyStores } from "./verify.ts";

export const restore: Command = {
  usage: "FILE [--with-keys PASSPHRASE_FILE | --without-keys]",
  help: [
    "FILE is the backup; with - for FILE it comes from standard input. The server must not run.",
    "All users must sign in again afterwards. A failed restore leaves no rows and no files.",
    "Private seal keys in a backup need the passphrase that encrypted them, or are left out by --without-keys.",
  ],
  options: { "with-keys": { type: "string" }, "without-keys": { type: "boolean" } },
  async run(given) {
    const [file] = requireArguments(given, "FILE");
    const signal = interruptSignal();
    const changeKey = keysForRestore(given.values);
    return withStores({ alongside: false }, async (stores) => {
      await mustBeEmpty(stores);
      // A pipe can be read only once, so that it is checked while it is loaded.
      if (file !== "-") await checkBackup(file, "Checking", signal);
      const restored = await load({ ...stores, changeKey }, readBackup(file, "Restoring", signal));
      const { rows, files, bytes, notes } = restored;
      console.error(`Restored ${formatCount(rows)} rows and ${formatCount(files)} files (${formatBytes(bytes)}).`);
      for (const note of notes) console.error(note);
      return verifyStores(stores, signal);
    });
  },
};

async function mustBeEmpty({ database, files }: Stores) {
  const tables = await listTables(database.tables<any>());
  if (tables.length > 0) throw new CommandFailed("The database is not empty: restore needs an empty database.");
  for await (const key of files.keys()) {
    throw new CommandFailed(`There are files in the store (${key}): restore needs an empty store.`);
  }
}

type Loaded = { rows: number; files: number; bytes: number; notes: string[] };
type Target = Stores & { changeKey: ChangeKey };

/** Loads a backup in one transaction, which is committed once all files are stored and all checksums match. */
async function load({ database, files, changeKey }: Target, entries: AsyncGenerator<ArchiveEntry>): Promise<Loaded> {
  const loaded: Loaded = { rows: 0, files: 0, bytes: 0, notes: [] };
  const folders = new Set<string>();
  try {
    await inTransaction(database.tables<any>(), async (transaction) => {
      const manifest = await readManifest(entries);
      const { tables, participants } = await prepare(transaction, manifest);
      for await (const { name, content } of entries) {
        const [kind, ...rest] = name.split("/");
        if (kind === "rows") {
          const rows = readRows(tables.get(rest[0]!), await text(content), changeKey);
          loaded.rows += await addRows(transaction, rows);
        } else if (kind === "files") {
          folders.add(rest[0]!);
          loaded.bytes += await addFile(files, rest, content);
          loaded.files++;
        } else if (name === totalsName) {
          const { gone } = Totals.parse(JSON.parse(await text(content)));
          for (const key of gone)
            for (const participant of participants) await participant.clearReference?.(transaction, key);
        }
      }
      await setCounters(transaction, manifest.counters);
      for (const { name, migrations, afterRestore } of participants) {
        await migrateWithin(transaction, name, migrations);
        loaded.notes.push(...((await afterRestore?.(transaction)) ?? []));
      }
    });
  } catch (error) {
    // The store was empty before.
    for (const folder of folders) await files.removeAll(folder);
    if (error instanceof DamagedArchive) throw new CommandFailed(`The backup ${error.message}.`);
    if (error instanceof SyntaxError || error instanceof ZodError) throw new CommandFailed("The backup is damaged.");
    throw error;
  } finally {
    await entries.return(undefined);
  }
  return loaded;
}

async function readManifest(entries: AsyncIterator<ArchiveEntry>): Promise<Manifest> {
  const first = await entries.next();
  if (first.done || first.value.name !== manifestName) throw new CommandFailed("This is not a Sealdesk backup.");
  const written = JSON.parse(await text(first.value.content)) as { format?: unknown };
  if (written.format !== 1)
    throw new CommandFailed("The backup was made by a newer Sealdesk than this one. Use that version.");
  return Manifest.parse(written);
}

type Prepared = { tables: Map<string, Table>; participants: ReturnType<typeof participantsOf> };

/** Creates empty tables as of the backup. */
async function prepare(transaction: Transaction<any>, { steps, tables }: Manifest): Promise<Prepared> {
  const participants = participantsOf(steps, "The backup");
  for (const { name, migrations } of participants)
    await migrateWithin(transaction, name, migrations, steps[name]!.at(-1));
  const made = new Map((await listTables(transaction)).map((table) => [table.name, table]));
  for (const { name, columns } of tables) {
    const missing = columns.find((column) => !made.get(name)?.columns.includes(column));
    if (missing) throw new CommandFailed(`The backup has an unknown table or column: ${name}.${missing}.`);
  }
  // The backup has the rows that migrations insert.
  for (const { name } of tables.toReversed()) await transaction.deleteFrom(name).execute();
  return { tables: new Map(tables.map((table) => [table.name, { ...table, references: [] }])), participants };
}

function readRows(table: Table | undefined, lines: string, changeKey: ChangeKey) {
  if (!table) throw new CommandFailed("The backup has rows of a table that its manifest does not list.");
  const rows = lines
    .split("\n")
    .filter(Boolean)
    .map((line) => JSON.parse(line) as RowValues);
  return { table, rows: withKeys(table, rows, changeKey) };
}

async function addRows(transaction: Transaction<any>, { table, rows }: ReturnType<typeof readRows>): Promise<number> {
  const named = rows.map((row) => Object.fromEntries(table.columns.map((column, n) => [column, row[n]])));
  await insertRows(transaction, table.name, named);
  return rows.length;
}

/** Stores a file of a backup, which may be forged to write outside the store. */
async function addFile(files: Files, parts: string[], content: ArchiveEntry["content"]): Promise<number> {
  if (parts.length < 2 || !parts.every((part) => /^[\w-][\w.-]*$/.test(part))) {
    throw new CommandFailed("The backup has a file with an invalid name.");
  }
  return (await files.put(parts.join("/"), Readable.from(content))).bytes;
}
