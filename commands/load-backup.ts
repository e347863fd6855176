import { Readable } from "node:stream";
import { text } from "node:stream/consumers";
import type { Transaction } from "kysely";
import { ZodError } from "zod";
import { DamagedArchive, type ArchiveEntry } from "#lib/storage/files/archive.ts";
import { insertRows } from "#lib/storage/database/bulk-load.ts";
import { migrateWithin } from "#lib/storage/database/migrate.ts";
import type { Files } from "#lib/storage/files/files.ts";
import { byColumn, deferReferences, listTables, type RowValues, type Table } from "#lib/storage/database/rows.ts";
import { Manifest, manifestName } from "./backup-format.ts";
import { CommandFailed } from "./command.ts";
import { participantsOf } from "./participants.ts";
import { type ChangeSecret, withSecrets } from "./backup-secrets.ts";

/** Loads the entries of a backup into a database without tables, and a store. */

/** The first entry of a backup. Throws `CommandFailed` if it is none, or of a newer version. */
export async function readManifest(entries: AsyncIterator<ArchiveEntry>): Promise<Manifest> {
  const first = await entries.next();
  if (first.done || first.value.name !== manifestName) throw new CommandFailed("This is not a Sealdesk backup.");
  const written = JSON.parse(await text(first.value.content)) as { format?: unknown };
  if (written.format !== 1)
    throw new CommandFailed("The backup was made by a newer Sealdesk than this one. Use that version.");
  return Manifest.parse(written);
}

type Prepared = { tables: Map<string, Table>; participants: ReturnType<typeof participantsOf> };

/** Creates empty tables as of the backup, whose rows can be added in its order. */
export async function prepareTables(transaction: Transaction<any>, { steps, tables }: Manifest): Promise<Prepared> {
  const participants = participantsOf(steps, "The backup");
  for (const { name, migrations } of participants)
    await migrateWithin(transaction, name, migrations, steps[name]!.at(-1));
  const ownTables = new Map((await listTables(transaction)).map((table) => [table.name, table]));
  for (const { name, columns } of tables) {
    const missing = columns.find((column) => !ownTables.get(name)?.columns.includes(column));
    if (missing) throw new CommandFailed(`The backup has an unknown table or column: ${name}.${missing}.`);
  }
  await deferReferences(transaction);
  // The backup has the rows that migrations insert.
  for (const { name } of tables.toReversed()) await transaction.deleteFrom(name).execute();
  return { tables: new Map(tables.map((table) => [table.name, { ...table, references: [] }])), participants };
}

/** The rows of one entry, with their private keys changed. */
export function readRows(table: Table | undefined, lines: string, changeSecret: ChangeSecret) {
  if (!table) throw new CommandFailed("The backup has rows of a table that its manifest does not list.");
  try {
    const rows = lines
      .split("\n")
      .filter(Boolean)
      .map((line) => JSON.parse(line) as RowValues);
    return { table, rows: withSecrets(table, rows, changeSecret) };
  } catch (error) {
    if (!(error instanceof SyntaxError)) throw error;
    throw new CommandFailed(`The backup is damaged: rows of ${table.name} can’t be read.`);
  }
}

/** Inserts rows and returns how many. */
export async function addRows(
  transaction: Transaction<any>,
  { table, rows }: ReturnType<typeof readRows>,
): Promise<number> {
  await insertRows(
    transaction,
    table.name,
    rows.map((row) => byColumn(table, row)),
  );
  return rows.length;
}

/** Stores a file of a backup, which may be forged to write outside the store. */
export async function addFile(files: Files, parts: string[], content: ArchiveEntry["content"]): Promise<number> {
  if (parts.length < 2 || !parts.every((part) => /^[\w-][\w.-]*$/.test(part))) {
    throw new CommandFailed("The backup has a file with an invalid name.");
  }
  return (await files.put(parts.join("/"), Readable.from(content))).bytes;
}

/** In place of what reading a backup threw: if the backup is the cause, a `CommandFailed` that says so. */
export function damageOf(error: unknown): unknown {
  if (error instanceof DamagedArchive) return new CommandFailed(`The backup ${error.message}.`);
  const isDamaged = error instanceof SyntaxError || error instanceof ZodError;
  return isDamaged ? new CommandFailed("The backup is damaged.") : error;
}
