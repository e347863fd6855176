import { createWriteStream, existsSync } from "node:fs";
import { rm } from "node:fs/promises";
import { renameDurably } from "#lib/storage/copies/place.ts";
import { type ArchiveWriter, writeArchive } from "#lib/storage/files/archive.ts";
import { CommandFailed } from "./command.ts";
import { backupSource, checkBackup } from "./read-backup.ts";

/** Writes an archive, readable by its owner alone, which has another name until it is on the disk and has been checked. */
export async function writeChecked<T>(
  file: string,
  signal: AbortSignal,
  fill: (archive: ArchiveWriter) => Promise<T>,
): Promise<T> {
  if (existsSync(file)) throw new CommandFailed(`${file} already exists: choose another name`);
  const part = `${file}.part`;
  await rm(part, { force: true });
  try {
    const to = createWriteStream(part, { mode: 0o600, flush: true });
    const result = await writeArchive(to, { gzip: file.endsWith(".gz"), signal }, fill);
    await checkBackup(await backupSource(part, undefined), "Checking", signal);
    await renameDurably(part, file);
    return result;
  } catch (error) {
    await rm(part, { force: true });
    throw error;
  }
}
