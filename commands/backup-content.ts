import { createWriteStream } from "node:fs";
import { mkdtemp, open, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { pipeline } from "node:stream/promises";
import type { Transaction } from "kysely";
import type { ArchiveWriter } from "#storage/archive.ts";
import { isInternalTable, appliedMigrations } from "#storage/migrate.ts";
import type { Files } from "#storage/files.ts";
import { inSnapshot, countRows, listTables, readCounters, readRows } from "#storage/rows.ts";
import { version } from "../package.json";
import type { ReferencedFile } from "#provider/files/referenced-files.ts";
import { type Manifest, manifestName, type Totals, totalsName } from "./backup-format.ts";
import { Failed } from "./command.ts";
import type { Place } from "./place.ts";
import { inBytes, inCount, startProgress } from "./progress.ts";
import { knownRooms } from "./rooms.ts";

/**
 * Fills an archive with all rows as they are at one moment, and then with the files that those rows need. The list of
 * files is kept on the disk meanwhile, so that the moment need not be held on to while they are copied: of a million
 * documents neither is quick.
 */
export async function addEverything(
  archive: ArchiveWriter,
  { database, files }: Place,
  signal: AbortSignal,
): Promise<Totals> {
  const folder = await mkdtemp(join(tmpdir(), "sealdesk-backup-"));
  try {
    const list = join(folder, "files.ndjson");
    const { rows, expected } = await inSnapshot(database.tables<any>(), (moment) =>
      addRows(archive, moment, list, signal),
    );
    const totals: Totals = { rows, files: 0, bytes: 0, gone: [] };
    await addFiles(archive, files, { list, expected }, totals, signal);
    await archive.add(totalsName, `${JSON.stringify(totals)}\n`);
    return totals;
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
}

const rowsTogether = 1000;

async function addRows(archive: ArchiveWriter, moment: Transaction<any>, list: string, signal: AbortSignal) {
  const all = await listTables(moment);
  const names = all.map(({ name }) => name);
  const steps = await appliedMigrations(moment, names);
  const rooms = knownRooms(steps, "The database");
  if (rooms.length === 0) throw new Failed("There is nothing to back up: the database is empty");
  const leftOut = rooms.flatMap((room) => room.leftOut ?? []);
  const tables = all.filter(({ name }) => !isInternalTable(name) && !leftOut.includes(name));
  const manifest: Manifest = {
    format: 1,
    version,
    made_at: new Date().toISOString(),
    steps,
    tables: tables.map(({ name, columns }) => ({ name, columns })),
    counters: await readCounters(moment),
  };
  await archive.add(manifestName, `${JSON.stringify(manifest)}\n`);
  const counts: Record<string, number> = {};
  const progress = startProgress("Rows", await countRows(moment, tables), inCount);
  try {
    for (const table of tables) {
      let part = 0;
      counts[table.name] = 0;
      for await (const rows of readRows(moment, table, rowsTogether)) {
        signal.throwIfAborted();
        const lines = rows.map((row) => `${JSON.stringify(row)}\n`);
        await archive.add(`rows/${table.name}/${++part}.ndjson`, lines.join(""));
        counts[table.name]! += rows.length;
        progress.add(rows.length);
      }
    }
  } finally {
    progress.stop();
  }
  const needed = rooms.map((room) => room.neededFiles?.(moment)).filter((files) => files !== undefined);
  return { rows: counts, expected: await writeList(needed, list, signal) };
}

/** Writes a list of files, one a line, and returns how many bytes they have as far as their records know. */
async function writeList(needed: AsyncIterable<ReferencedFile>[], list: string, signal: AbortSignal) {
  let bytes = 0;
  async function* lines() {
    for (const some of needed) {
      for await (const file of some) {
        bytes += file.bytes ?? 0;
        yield `${JSON.stringify(file)}\n`;
      }
    }
  }
  await pipeline(lines, createWriteStream(list), { signal });
  return bytes;
}

async function addFiles(
  archive: ArchiveWriter,
  files: Files,
  { list, expected }: { list: string; expected: number },
  totals: Totals,
  signal: AbortSignal,
) {
  const progress = startProgress("Files", expected, inBytes);
  const lines = await open(list);
  try {
    for await (const line of lines.readLines()) {
      signal.throwIfAborted();
      const needed = JSON.parse(line) as ReferencedFile;
      const opened = await openFile(files, needed);
      if (!opened) {
        totals.gone.push(needed.key);
        continue;
      }
      const sha256 = await archive.addStream(`files/${needed.key}`, opened.bytes, opened.content);
      if (needed.sha256 && sha256 !== needed.sha256) throw changed(needed);
      totals.files++;
      totals.bytes += opened.bytes;
      progress.add(needed.bytes ?? 0);
    }
  } finally {
    progress.stop();
    await lines.close();
  }
}

/** A file that has begun to be read, which goes on even if it is removed meanwhile; undefined where it has gone before. */
async function openFile(files: Files, needed: ReferencedFile) {
  const { key, isOptional } = needed;
  try {
    const bytes = await files.size(key);
    if (!isOptional && bytes !== needed.bytes) throw changed(needed);
    const chunks = (await files.stream(key))[Symbol.asyncIterator]();
    const first = await chunks.next();
    return { bytes, content: begunWith(first, chunks) };
  } catch (error) {
    if (error instanceof Failed || (await files.exists(key))) throw error;
    if (isOptional) return undefined;
    throw new Failed(`${needed.of} is missing: there is no ${key}. See what else with: verify`);
  }
}

const changed = ({ of, key }: ReferencedFile) =>
  new Failed(`${of} is not what was uploaded: ${key} was changed. See what else with: verify`);

async function* begunWith<T>(first: IteratorResult<T>, rest: AsyncIterator<T>) {
  for (let next = first; !next.done; next = await rest.next()) yield next.value;
}
