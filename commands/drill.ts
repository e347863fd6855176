import { tmpdir } from "node:os";
import { config } from "#lib/config.ts";
import { recordRun, unended } from "#lib/storage/copies/backup-runs.ts";
import { countRows, listTables } from "#lib/storage/database/rows.ts";
import { hoursInMs, minutesInMs, secondsInMs } from "#lib/units.ts";
import type { Tables } from "#provider/db/tables.ts";
import { type Command, CommandFailed, interruptSignal, requireArguments } from "./command.ts";
import { formatBytes, formatCount } from "./progress.ts";
import { type BackupSource, backupSource, identityHelp, identityOption } from "./read-backup.ts";
import { restoreBackup } from "./restore.ts";
import { type Stores, withStores, withTemporaryStores } from "./stores.ts";
import { verifyStores } from "./verify.ts";

export const drill: Command = {
  usage: "[BACKUP] [--identity FILE] [--in FOLDER]",
  help: [
    "BACKUP is a file, or to:NAME in BACKUP_TO; without it the newest there.",
    "It is restored into a temporary folder of FOLDER, by default the system's, on SQLite, and removed afterwards.",
    "It must have all that it says, no fault, and all documents that were issued before. The exit code is then 0, else 1.",
    identityHelp,
  ],
  options: { ...identityOption, in: { type: "string" } },
  async run(args) {
    const [file] = args.positionals.length > 0 ? requireArguments(args, "BACKUP") : ["newest"];
    const { identity, in: folder } = args.values as Record<string, string | undefined>;
    const source = await backupSource(file, identity);
    const signal = interruptSignal();
    const startedAt = new Date();
    return withStores({ alongside: true }, async ({ database }) => {
      const record = (failure?: unknown) =>
        recordRun(database, {
          kind: "drill",
          started_at: startedAt.toISOString(),
          name: source.title,
          bytes: source.bytes ?? 0,
          failure,
        });
      await record(unended);
      try {
        const drilled = await withTemporaryStores(folder ?? tmpdir(), (stores) =>
          restoreAndCompare(stores, source, signal),
        );
        const faults = [...drilled.faults, ...(await compareWithLive(drilled, database))];
        const seconds = (Date.now() - startedAt.getTime()) / secondsInMs(1);
        for (const fault of faults) console.log(`fault: ${fault}`);
        console.log(
          `${faults.length === 0 ? "The drill passed" : "The drill failed"}: ${source.title} of ${drilled.madeAt}, ${formatBytes(source.bytes ?? 0)}, restored and verified in ${seconds.toFixed(0)} s.`,
        );
        await record(faults.length > 0 ? new Error(faults.join("; ")) : undefined);
        return faults.length === 0 ? 0 : 1;
      } catch (error) {
        await record(error).catch(() => {});
        throw error;
      }
    });
  },
};

type Drilled = { madeAt: string; documents: number; faults: string[] };

/** Restores a backup, verifies it, and compares it with its own totals. */
async function restoreAndCompare(stores: Stores, source: BackupSource, signal: AbortSignal): Promise<Drilled> {
  const { rows, files, manifest, totals } = await restoreBackup(
    { ...stores, changeSecret: () => null },
    source,
    signal,
  );
  if (!manifest || !totals) throw new CommandFailed(`${source.title} does not say what it has.`);
  const faults: string[] = [];
  const compare = (what: string, restored: number, expected: number) => {
    if (restored !== expected) faults.push(`${what}: ${formatCount(restored)} restored of ${formatCount(expected)}`);
  };
  compare(
    "rows",
    rows,
    Object.values(totals.rows).reduce((sum, count) => sum + count, 0),
  );
  compare("files", files, totals.files);
  const tables = new Map((await listTables(stores.database.tables<any>())).map((table) => [table.name, table]));
  for (const name of ["companies", "users", "documents", "document_copies", "page_files", "sealed_files", "audit"]) {
    const table = tables.get(name);
    if (!table || totals.rows[name] === undefined) continue;
    const restored = await countRows(stores.database.tables<any>(), [table]);
    console.log(`${name}: ${formatCount(restored)}`);
    compare(name, restored, totals.rows[name]);
  }
  if ((await verifyStores(stores, signal)) !== 0) faults.push("verify found faults, which are listed above");
  const { BACKUP_TO, BACKUP_MAX_HOURS } = config();
  if (BACKUP_TO && Date.now() - Date.parse(manifest.made_at) > hoursInMs(BACKUP_MAX_HOURS))
    faults.push(`it is older than ${BACKUP_MAX_HOURS} hours (BACKUP_MAX_HOURS)`);
  return { madeAt: manifest.made_at, documents: totals.rows.documents ?? 0, faults };
}

/** Longer than it takes to issue a document, whose row is then in a backup that was made later. */
const issuingMs = minutesInMs(2);

/** Documents stay for ever: a backup has all that were issued before it was made. */
async function compareWithLive({ madeAt, documents }: Drilled, database: Stores["database"]): Promise<string[]> {
  const db = database.tables<Pick<Tables, "companies" | "documents">>();
  if (!(await listTables(db)).some(({ name }) => name === "documents")) return [];
  const before = new Date(Date.parse(madeAt) - issuingMs).toISOString();
  const { count } = await db
    .selectFrom("documents")
    .innerJoin("companies", "companies.id", "documents.company_id")
    .where("documents.created_at", "<", before)
    // Later than its documents if it was imported.
    .where("companies.created_at", "<", before)
    .select(({ fn }) => fn.countAll<number>().as("count"))
    .executeTakeFirstOrThrow();
  console.log(
    `documents issued before, in the database: ${formatCount(count)}; in the backup: ${formatCount(documents)}`,
  );
  return documents < count ? [`it lacks ${formatCount(count - documents)} documents that were issued before`] : [];
}
