import { createWriteStream } from "node:fs";
import { mkdtemp, open, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { pipeline } from "node:stream/promises";
import type { Transaction } from "kysely";
import type { ArchiveWriter } from "#lib/storage/files/archive.ts";
import { isInternalTable, appliedMigrations } from "#lib/storage/database/migrate.ts";
import { type Files, startingWith } from "#lib/storage/files/files.ts";
import { inSnapshot, countRows, listTables, readCounters, readRows } from "#lib/storage/database/rows.ts";
import { version } from "../package.json";
import type { ReferencedFile } from "#provider/files/referenced-files.ts";
import { type Manifest, manifestName, type Totals, totalsName } from "./backup-format.ts";
import { CommandFailed } from "./command.ts";
import { type ChangeSecret, withSecrets } from "./backup-secrets.ts";
import type { Stores } from "./stores.ts";
import { formatBytes, formatCount, startProgress } from "./progress.ts";
import { participantsOf } from "./participants.ts";

/**
 * Adds all rows of one snapshot to an archive, then the files that they reference. The list of files is stored on the
 * disk, so that the snapshot ends before they are copied.
 */
export async function writeContent(
  archive: ArchiveWriter,
  { database, files, changeSecret }: Stores & { changeSecret: ChangeSecret },
  signal: AbortSignal,
): Promise<Totals> {
  return withFileList(signal, async (list) => {
    const rows = await inSnapshot(database.tables<any>(), (snapshot) =>
      addRows(archive, snapshot, { list, changeSecret, signal }),
    );
    const totals: Totals = { rows, files: 0, bytes: 0, gone: [] };
    for await (const file of list.read()) await addFile(archive, files, file, totals);
    await archive.add(totalsName, `${JSON.stringify(totals)}\n`);
    return totals;
  });
}

const batchSize = 1000;

type Adding = { list: FileList; changeSecret: ChangeSecret; signal: AbortSignal };

async function addRows(archive: ArchiveWriter, snapshot: Transaction<any>, { list, changeSecret, signal }: Adding) {
  const all = await listTables(snapshot);
  const names = all.map(({ name }) => name);
  const steps = await appliedMigrations(snapshot, names);
  const participants = participantsOf(steps, "The database");
  if (participants.length === 0) throw new CommandFailed("There is nothing to back up: the database is empty");
  const excludedTables = participants.flatMap((participant) => participant.excludedTables ?? []);
  const tables = all.filter(({ name }) => !isInternalTable(name) && !excludedTables.includes(name));
  const manifest: Manifest = {
    format: 1,
    version,
    made_at: new Date().toISOString(),
    steps,
    tables: tables.map(({ name, columns }) => ({ name, columns })),
    counters: await readCounters(snapshot),
  };
  await archive.add(manifestName, `${JSON.stringify(manifest)}\n`);
  const counts: Record<string, number> = {};
  const progress = startProgress("Rows", await countRows(snapshot, tables), formatCount);
  try {
    for (const table of tables) {
      let part = 0;
      counts[table.name] = 0;
      for await (const rows of readRows(snapshot, table, batchSize)) {
        signal.throwIfAborted();
        const lines = withSecrets(table, rows, changeSecret).map((row) => `${JSON.stringify(row)}\n`);
        await archive.add(`rows/${table.name}/${++part}.ndjson`, lines.join(""));
        counts[table.name]! += rows.length;
        progress.add(rows.length);
      }
    }
  } finally {
    progress.stop();
  }
  const needed = participants.flatMap((participant) => participant.neededFiles?.(snapshot) ?? []);
  await list.write(needed);
  return counts;
}

export type FileList = {
  write(needed: AsyncIterable<ReferencedFile>[]): Promise<void>;
  /** Its files again, with a progress bar. */
  read(): AsyncGenerator<ReferencedFile>;
};

/** A list of files on the disk, which may be longer than memory should hold. */
export async function withFileList<T>(signal: AbortSignal, work: (list: FileList) => Promise<T>): Promise<T> {
  const folder = await mkdtemp(join(tmpdir(), "sealdesk-backup-"));
  const list = join(folder, "files.ndjson");
  let expected = 0;
  try {
    return await work({
      write: async (needed) => void (expected = await writeList(needed, list, signal)),
      read: () => filesOf(list, expected, signal),
    });
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
}

/** Writes a list of files, one a line; returns their bytes, as far as records know. */
async function writeList(needed: AsyncIterable<ReferencedFile>[], list: string, signal: AbortSignal) {
  let bytes = 0;
  async function* lines() {
    for (const files of needed) {
      for await (const file of files) {
        bytes += file.bytes ?? 0;
        yield `${JSON.stringify(file)}\n`;
      }
    }
  }
  await pipeline(lines, createWriteStream(list), { signal });
  return bytes;
}

/** Reads the list again, with a progress bar of `expected` bytes. */
async function* filesOf(list: string, expected: number, signal: AbortSignal): AsyncGenerator<ReferencedFile> {
  const progress = startProgress("Files", expected, formatBytes);
  const lines = await open(list);
  try {
    for await (const line of lines.readLines()) {
      signal.throwIfAborted();
      const file = JSON.parse(line) as ReferencedFile;
      yield file;
      progress.add(file.bytes ?? 0);
    }
  } finally {
    progress.stop();
    await lines.close();
  }
}

/** Adds files that records reference. */
export async function addFile(archive: ArchiveWriter, files: Files, needed: ReferencedFile, totals: Totals) {
  const opened = await openFile(files, needed);
  if (!opened) {
    totals.gone.push(needed.key);
    return;
  }
  const sha256 = await archive.addStream(`files/${needed.key}`, opened.bytes, opened.content);
  if (needed.sha256 && sha256 !== needed.sha256) throw changed(needed);
  totals.files++;
  totals.bytes += opened.bytes;
}

/** Opens a file and reads its first chunk, after which it may be deleted; undefined if a deletable one is gone. */
async function openFile(files: Files, needed: ReferencedFile) {
  const { key, isOptional } = needed;
  try {
    const bytes = await files.size(key);
    if (!isOptional && bytes !== needed.bytes) throw changed(needed);
    const chunks = (await files.stream(key))[Symbol.asyncIterator]();
    const first = await chunks.next();
    return { bytes, content: startingWith(first.done ? [] : [first.value], chunks) };
  } catch (error) {
    if (error instanceof CommandFailed || (await files.exists(key))) throw error;
    if (isOptional) return undefined;
    throw new CommandFailed(`${needed.of} is missing: ${key}. List all faults with: verify`);
  }
}

const changed = ({ of, key }: ReferencedFile) =>
  new CommandFailed(`${of} was changed since it was stored: ${key}. List all faults with: verify`);
