import { readFile, stat } from "node:fs/promises";
import { config } from "#lib/config.ts";
import { mebibytesInBytes } from "#lib/units.ts";
import { migrations } from "#provider/db/migrations.ts";
import type { Tables } from "#provider/db/tables.ts";
import { witnessesOf } from "#provider/open-services.ts";
import { verifyLog } from "#provider/log/verify-log.ts";
import { type Command, CommandFailed, interruptSignal, requireArguments } from "./command.ts";
import { formatCount, printFirst } from "./progress.ts";
import { migrationLog, withStores } from "./stores.ts";

export const verifyLogs: Command = {
  usage: "[--checkpoint FILE]",
  help: [
    "Recomputes each entry from its record, compares documents with their newest entries, and the tree with all checkpoints.",
    "--checkpoint FILE compares it with one kept elsewhere, or with a proof of an entry: who owns the database can change",
    "database and tiles, but not a checkpoint that a witness or a visitor has. Exit code 1 if anything differs, 2 if entries",
    "that were published are gone with a restored backup.",
  ],
  options: { checkpoint: { type: "string" } },
  async run(args) {
    requireArguments(args);
    if (config().PROVIDER_URL) throw new CommandFailed("PROVIDER_URL is set: the log is that provider's.");
    const kept = typeof args.values.checkpoint === "string" ? await readNote(args.values.checkpoint) : undefined;
    const signal = interruptSignal();
    return withStores({ alongside: true }, async ({ database, files }) => {
      await database.migrate("provider", migrations, migrationLog);
      let faults = 0;
      const [printFault, printNote] = [printFirst("Faults"), printFirst("Notes")];
      const report = {
        fault(text: string) {
          faults++;
          printFault(`fault: ${text}`);
        },
        note: (text: string) => printNote(`note: ${text}`),
      };
      const witnesses = witnessesOf(config()).map(({ key }) => key);
      const db = database.tables<Tables>();
      const given = { db, files, auditDays: config().AUDIT_DAYS, now: new Date(), witnesses };
      const { size, root, origins, gone } = await verifyLog(given, kept, report, signal);
      for (const { name, public_key, ended_at } of origins) {
        console.log(`${ended_at === null ? "log" : "ended log"}: ${name}, key ${public_key}`);
      }
      console.log(`${formatCount(size)} entries, root ${root.toString("base64")}`);
      console.log(
        faults === 0
          ? gone > 0
            ? `No fault, but ${formatCount(gone)} published entries are gone.`
            : "No fault."
          : `Faults: ${formatCount(faults)}.`,
      );
      if (faults > 0) return 1;
      return gone > 0 ? 2 : 0;
    });
  },
};

const maxBytes = mebibytesInBytes(1);

async function readNote(path: string): Promise<string> {
  if ((await stat(path)).size > maxBytes) throw new CommandFailed(`${path} is larger than 1 MB.`);
  return readFile(path, "utf8");
}
