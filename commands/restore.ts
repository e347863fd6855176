import { text } from "node:stream/consumers";
import type { ArchiveEntry } from "#lib/storage/files/archive.ts";
import { migrateWithin } from "#lib/storage/database/migrate.ts";
import { inTransaction, listTables, setCounters } from "#lib/storage/database/rows.ts";
import { type Manifest, Totals, totalsName } from "./backup-format.ts";
import { type Command, requireArguments, CommandFailed, interruptSignal } from "./command.ts";
import { withStores, type Stores } from "./stores.ts";
import { formatBytes, formatCount } from "./progress.ts";
import {
  type BackupSource,
  backupSource,
  checkBackup,
  identityHelp,
  identityOption,
  readBackup,
} from "./read-backup.ts";
import { addFile, addRows, damageOf, prepareTables, readManifest, readRows } from "./load-backup.ts";
import { type ChangeSecret, secretsForRestore } from "./backup-secrets.ts";
import { verifyStores } from "./verify.ts";

export const restore: Command = {
  usage: "FILE [--identity FILE] [--with-keys PASSPHRASE_FILE | --without-keys]",
  help: [
    "FILE is the backup; with - for FILE it comes from standard input. The server must not run.",
    "newest is the newest in BACKUP_TO, to:NAME the one of this name there.",
    identityHelp,
    "All users must sign in again afterwards. A failed restore leaves no rows and no files.",
    "Private keys and client secrets in it need the passphrase that encrypted them, or are left out by --without-keys.",
  ],
  options: { "with-keys": { type: "string" }, "without-keys": { type: "boolean" }, ...identityOption },
  async run(args) {
    const [file] = requireArguments(args, "FILE");
    const signal = interruptSignal();
    const changeSecret = secretsForRestore(args.values);
    const source = await backupSource(file, args.values.identity as string | undefined);
    return withStores({ alongside: false }, async (stores) => {
      await mustBeEmpty(stores);
      // A pipe can be read only once, so that it is checked while it is loaded.
      if (!source.isPipe) await checkBackup(source, "Checking", signal);
      const { notes } = await restoreBackup({ ...stores, changeSecret }, source, signal);
      for (const note of notes) console.error(note);
      return verifyStores(stores, signal);
    });
  },
};

/** Loads a backup into empty stores. */
export async function restoreBackup(target: Target, source: BackupSource, signal: AbortSignal): Promise<Loaded> {
  const loaded = await load(target, readBackup(source, "Restoring", signal));
  const [rows, files] = [loaded.rows, loaded.files].map(formatCount);
  console.error(`Restored ${rows} rows and ${files} files (${formatBytes(loaded.bytes)}).`);
  return loaded;
}

async function mustBeEmpty({ database, files }: Stores) {
  const tables = await listTables(database.tables<any>());
  if (tables.length > 0) throw new CommandFailed("The database is not empty: restore needs an empty database.");
  for await (const key of files.keys()) {
    throw new CommandFailed(`There are files in the store (${key}): restore needs an empty store.`);
  }
}

type Loaded = {
  rows: number;
  files: number;
  bytes: number;
  notes: string[];
  manifest?: Manifest;
  /** What the backup says that it has. */
  totals?: Totals;
};
type Target = Stores & { changeSecret: ChangeSecret };

/** Loads a backup in one transaction, which is committed once all files are stored and all checksums match. */
async function load({ database, files, changeSecret }: Target, entries: AsyncGenerator<ArchiveEntry>): Promise<Loaded> {
  const loaded: Loaded = { rows: 0, files: 0, bytes: 0, notes: [] };
  const folders = new Set<string>();
  try {
    await inTransaction(database.tables<any>(), async (transaction) => {
      const manifest = await readManifest(entries);
      loaded.manifest = manifest;
      const { tables, participants } = await prepareTables(transaction, manifest);
      for await (const { name, content } of entries) {
        const [kind, ...rest] = name.split("/");
        if (kind === "rows") {
          const rows = readRows(tables.get(rest[0]!), await text(content), changeSecret);
          loaded.rows += await addRows(transaction, rows);
        } else if (kind === "files") {
          folders.add(rest[0]!);
          loaded.bytes += await addFile(files, rest, content);
          loaded.files++;
        } else if (name === totalsName) {
          loaded.totals = Totals.parse(JSON.parse(await text(content)));
          for (const key of loaded.totals.gone)
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
    throw damageOf(error);
  } finally {
    await entries.return(undefined);
  }
  return loaded;
}
