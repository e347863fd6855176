import { config } from "#lib/config.ts";
import { writeArchive } from "#lib/storage/files/archive.ts";
import { writeContent } from "./backup-content.ts";
import { type Command, requireArguments, interruptSignal, UsageError } from "./command.ts";
import { withStores } from "./stores.ts";
import { formatBytes, formatCount } from "./progress.ts";
import { backUpToPlace } from "./backup-to-place.ts";
import { secretsForBackup } from "./backup-secrets.ts";
import { writeChecked } from "./write-checked.ts";

export const backup: Command = {
  usage: "[FILE] [--with-keys PASSPHRASE_FILE]",
  help: [
    "Without FILE it goes to BACKUP_TO, encrypted to BACKUP_RECIPIENTS, where the newest BACKUP_KEEP are kept.",
    "FILE is the backup, readable by you alone; a name that ends in .gz compresses it.",
    "With - for FILE it goes to standard output; check what arrived with: verify FILE",
    "Private keys and client secrets are left out, unless PASSPHRASE_FILE has a passphrase that encrypts them.",
  ],
  options: { "with-keys": { type: "string" } },
  async run(args) {
    const [file] = args.positionals.length > 0 ? requireArguments(args, "FILE") : [];
    const signal = interruptSignal();
    const changeSecret = secretsForBackup(args.values["with-keys"] as string | undefined);
    await withStores({ alongside: true }, async (opened) => {
      const stores = { ...opened, changeSecret };
      const totals =
        file === undefined
          ? await backUpToPlace(config(), stores, signal)
          : file === "-"
            ? await toStandardOutput(stores, signal)
            : await writeChecked(file, signal, (archive) => writeContent(archive, stores, signal));
      const rows = Object.values(totals.rows).reduce((sum, count) => sum + count, 0);
      console.error(
        `Backed up ${formatCount(rows)} rows and ${formatCount(totals.files)} files (${formatBytes(totals.bytes)}).`,
      );
    });
  },
};

type Source = Parameters<typeof writeContent>[1];

async function toStandardOutput(stores: Source, signal: AbortSignal) {
  if (process.stdout.isTTY) throw new UsageError("standard output is a terminal: redirect it to a file");
  return writeArchive(process.stdout, { gzip: false, signal }, (archive) => writeContent(archive, stores, signal));
}
