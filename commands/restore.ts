import { Readable } from "node:stream";
import { text } from "node:stream/consumers";
import type { Transaction } from "kysely";
import { ZodError } from "zod";
import { DamagedArchive, type Entry } from "#storage/archive.ts";
import { insertRows } from "#storage/bulk-load.ts";
import { migrateWithin } from "#storage/migrate.ts";
import type { Files } from "#storage/files.ts";
import { inTransaction, listTables, type Row, setCounters, type Table } from "#storage/rows.ts";
import { Manifest, manifestName, Totals, totalsName } from "./backup-format.ts";
import { type Command, exactly, Failed, untilInterrupted } from "./command.ts";
import { inPlace, type Place } from "./place.ts";
import { inBytes, inCount } from "./progress.ts";
import { checkBackup, readBackup } from "./read-backup.ts";
import { knownRooms } from "./rooms.ts";
import { verifyPlace } from "./verify.ts";

export const restore: Command = {
  takes: "FILE",
  explains: [
    "FILE is the backup; with - for FILE it comes from standard input. The server must not run.",
    "Everybody signs in again afterwards. What goes wrong leaves no rows and no files behind.",
  ],
  async run(given) {
    const [file] = exactly(given, "FILE");
    const signal = untilInterrupted();
    return inPlace({ alongside: false }, async (place) => {
      await mustBeEmpty(place);
      // One that comes by a pipe can be read only once: what is wrong with it is found while it is loaded.
      if (file !== "-") await checkBackup(file, "Checking", signal);
      const restored = await load(place, readBackup(file, "Restoring", signal));
      const { rows, files, bytes } = restored;
      console.error(`Restored ${inCount(rows)} rows and ${inCount(files)} files (${inBytes(bytes)}).`);
      return verifyPlace(place, signal);
    });
  },
};

async function mustBeEmpty({ database, files }: Place) {
  const tables = await listTables(database.tables<any>());
  if (tables.length > 0) throw new Failed("The database is not empty: a backup is restored into an empty place only.");
  for await (const key of files.keys()) {
    throw new Failed(`There are files in the store (${key}): a backup is restored into an empty place only.`);
  }
}

type Loaded = { rows: number; files: number; bytes: number };

/** Loads a backup as one change of the database, which is kept once all files are stored and all sums were right. */
async function load({ database, files }: Place, entries: AsyncGenerator<Entry>): Promise<Loaded> {
  const loaded = { rows: 0, files: 0, bytes: 0 };
  const folders = new Set<string>();
  try {
    await inTransaction(database.tables<any>(), async (change) => {
      const manifest = await readManifest(entries);
      const { tables, lodgers } = await prepare(change, manifest);
      for await (const { name, content } of entries) {
        const [kind, ...rest] = name.split("/");
        if (kind === "rows") loaded.rows += await addRows(change, tables.get(rest[0]!), await text(content));
        else if (kind === "files") {
          folders.add(rest[0]!);
          loaded.bytes += await addFile(files, rest, content);
          loaded.files++;
        } else if (name === totalsName) {
          const { gone } = Totals.parse(JSON.parse(await text(content)));
          for (const key of gone) for (const room of lodgers) await room.letGo?.(change, key);
        }
      }
      await setCounters(change, manifest.counters);
      for (const { name, migrations, forget } of lodgers) {
        await migrateWithin(change, name, migrations);
        await forget?.(change);
      }
    });
  } catch (error) {
    // The store was empty before, so that all of it is ours.
    for (const folder of folders) await files.removeAll(folder);
    if (error instanceof DamagedArchive) throw new Failed(`The backup ${error.message}.`);
    if (error instanceof SyntaxError || error instanceof ZodError) throw new Failed("The backup is damaged.");
    throw error;
  } finally {
    await entries.return(undefined);
  }
  return loaded;
}

async function readManifest(entries: AsyncIterator<Entry>): Promise<Manifest> {
  const first = await entries.next();
  if (first.done || first.value.name !== manifestName) throw new Failed("This is no backup of Sealdesk.");
  const written = JSON.parse(await text(first.value.content)) as { format?: unknown };
  if (written.format !== 1)
    throw new Failed("The backup was made by a newer Sealdesk than this one. Use that version.");
  return Manifest.parse(written);
}

type Prepared = { tables: Map<string, Table>; lodgers: ReturnType<typeof knownRooms> };

/** Makes the tables as they were when the backup was made, with nothing in them. */
async function prepare(change: Transaction<any>, { steps, tables }: Manifest): Promise<Prepared> {
  const lodgers = knownRooms(steps, "The backup");
  for (const { name, migrations } of lodgers) await migrateWithin(change, name, migrations, steps[name]!.at(-1));
  const made = new Map((await listTables(change)).map((table) => [table.name, table]));
  for (const { name, columns } of tables) {
    const missing = columns.find((column) => !made.get(name)?.columns.includes(column));
    if (missing) throw new Failed(`The backup has rows that are not known here: ${name} with ${missing}.`);
  }
  // What the migrations have written by themselves comes with the backup.
  for (const { name } of tables.toReversed()) await change.deleteFrom(name).execute();
  return { tables: new Map(tables.map((table) => [table.name, { ...table, references: [] }])), lodgers };
}

async function addRows(change: Transaction<any>, table: Table | undefined, lines: string): Promise<number> {
  if (!table) throw new Failed("The backup has rows of a table that it does not announce.");
  const rows = lines
    .split("\n")
    .filter(Boolean)
    .map((line) => JSON.parse(line) as Row)
    .map((row) => Object.fromEntries(table.columns.map((column, n) => [column, row[n]])));
  await insertRows(change, table.name, rows);
  return rows.length;
}

/** Whoever makes a backup up is not to write outside of the store. */
async function addFile(files: Files, parts: string[], content: Entry["content"]): Promise<number> {
  if (parts.length < 2 || !parts.every((part) => /^[\w-][\w.-]*$/.test(part))) {
    throw new Failed("The backup has a file with a name that can’t be.");
  }
  return (await files.put(parts.join("/"), Readable.from(content))).bytes;
}
