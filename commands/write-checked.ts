import { createWriteStream, existsSync } from "node:fs";
import { open, rename, rm } from "node:fs/promises";
import { dirname } from "node:path";
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
    await rename(part, file);
    const folder = await open(dirname(file));
    await folder.sync().finally(() => folder.close());
    return result;
  } catch (error) {
    await rm(part, { force: true });
    throw error;
  }
}
