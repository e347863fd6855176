import { createReadStream, readFileSync } from "node:fs";
import { stat } from "node:fs/promises";
import { Readable } from "node:stream";
import { config } from "#lib/config.ts";
import { DamagedArchive, type ArchiveEntry, readArchive } from "#lib/storage/files/archive.ts";
import { decryptedBy, IdentityNeeded } from "#lib/storage/copies/encryption.ts";
import { backupPlace, newestBackup } from "./backup-place.ts";
import { CommandFailed, UsageError } from "./command.ts";
import { formatBytes, startProgress } from "./progress.ts";

/** A backup, which can be opened several times unless it is standard input. */
export type BackupSource = {
  /** For messages. */
  title: string;
  bytes?: number;
  isPipe: boolean;
  identities: string[];
  open(): Promise<Readable>;
};

/** Of commands that read backups. */
export const identityOption = { identity: { type: "string" } } as const;
export const identityHelp = "An encrypted backup needs --identity FILE, with the private key (backup-key).";

/** The backup in a file; `-` is standard input, `newest` the newest in BACKUP_TO, and `to:NAME` that one in it. */
export async function backupSource(file: string, identityFile: string | undefined): Promise<BackupSource> {
  const identities = identityFile === undefined ? [] : readIdentities(identityFile);
  if (file === "-") return { title: "The backup", isPipe: true, identities, open: async () => process.stdin };
  if (file !== "newest" && !file.startsWith("to:")) {
    const { size } = await stat(file);
    return { title: file, bytes: size, isPipe: false, identities, open: async () => createReadStream(file) };
  }
  const place = await backupPlace(config());
  const name = file === "newest" ? await newestBackup(place) : file.slice("to:".length);
  if (!(await place.has(name))) throw new CommandFailed(`There is no backup ${name} in ${place.title}.`);
  const bytes = await place.size(name);
  return { title: name, bytes, isPipe: false, identities, open: () => place.read(name) };
}

function readIdentities(file: string): string[] {
  const lines = readFileSync(file, "utf8").split("\n");
  const identities = lines.map((line) => line.trim()).filter((line) => line.startsWith("AGE-SECRET-KEY-"));
  if (identities.length === 0) throw new UsageError(`${file} has no private key of age (AGE-SECRET-KEY-…)`);
  return identities;
}

/** The entries of a backup. Throws `CommandFailed` if it is damaged. */
export async function* readBackup(
  source: BackupSource,
  title: string,
  signal: AbortSignal,
): AsyncGenerator<ArchiveEntry> {
  const progress = source.bytes === undefined ? undefined : startProgress(title, source.bytes, formatBytes);
  const stored = await source.open();
  async function* counted() {
    for await (const chunk of stored as AsyncIterable<Buffer>) {
      progress?.add(chunk.length);
      yield chunk;
    }
  }
  try {
    const content = await decryptedBy(source.identities, Readable.from(counted(), { objectMode: false }));
    yield* readArchive(content, signal);
  } catch (error) {
    const isExplained = error instanceof DamagedArchive || error instanceof IdentityNeeded;
    throw isExplained ? new CommandFailed(`${source.title} ${error.message}.`) : error;
  } finally {
    stored.destroy();
    progress?.stop();
  }
}

/** Reads a backup to its end and throws `CommandFailed` if it is damaged. */
export async function checkBackup(source: BackupSource, title: string, signal: AbortSignal) {
  for await (const _ of readBackup(source, title, signal));
}
