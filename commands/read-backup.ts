import { createReadStream, statSync } from "node:fs";
import { DamagedArchive, type ArchiveEntry, readArchive } from "#lib/storage/files/archive.ts";
import { CommandFailed } from "./command.ts";
import { formatBytes, startProgress } from "./progress.ts";

/** The entries of a backup; `-` is standard input. Throws `CommandFailed` if it is damaged. */
export async function* readBackup(file: string, title: string, signal: AbortSignal): AsyncGenerator<ArchiveEntry> {
  const isPipe = file === "-";
  const progress = isPipe ? undefined : startProgress(title, statSync(file).size, formatBytes);
  const from = isPipe ? process.stdin : createReadStream(file);
  let seen = 0;
  try {
    for await (const entry of readArchive(from, signal)) {
      progress?.add(from.bytesRead - seen);
      seen = from.bytesRead;
      yield entry;
    }
    progress?.add(from.bytesRead - seen);
  } catch (error) {
    throw error instanceof DamagedArchive
      ? new CommandFailed(`${isPipe ? "The backup" : file} ${error.message}.`)
      : error;
  } finally {
    progress?.stop();
  }
}

/** Reads a backup to its end and throws `CommandFailed` if it is damaged. */
export async function checkBackup(file: string, title: string, signal: AbortSignal) {
  for await (const _ of readBackup(file, title, signal));
}
