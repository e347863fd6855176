import { text } from "node:stream/consumers";
import type { Transaction } from "kysely";
import { z } from "zod";
import { config } from "#lib/config.ts";
import { appliedMigrations } from "#lib/storage/database/migrate.ts";
import { inTransaction, listTables } from "#lib/storage/database/rows.ts";
import type { ArchiveEntry } from "#lib/storage/files/archive.ts";
import { writeReference } from "#provider/db/reference.ts";
import type { Tables } from "#provider/db/tables.ts";
import { referencedFiles } from "#provider/files/referenced-files.ts";
import { type Command, CommandFailed, interruptSignal, requireArguments } from "./command.ts";
import { leftWords } from "./company-tables.ts";
import { type ImportIndex, withImportIndex } from "./import-index.ts";
import { addLaterIds, addRows, type Imported } from "./import-rows.ts";
import { addFile, damageOf } from "./load-backup.ts";
import { formatBytes, formatCount } from "./progress.ts";
import { backupSource, checkBackup, readBackup } from "./read-backup.ts";
import { type Stores, withStores } from "./stores.ts";

export const importCompany: Command = {
  usage: "FILE",
  help: [
    "FILE is from export-company of the same version. On SQLite the server must not run. All rows get new ids.",
    "Seals stay valid: their certificates are published here as retired, and new documents get a new key.",
    "FORMER_URLS must have the other installation's PUBLIC_URL, and its host lead here, as printed codes carry it.",
    leftWords,
  ],
  async run(args) {
    const [file] = requireArguments(args, "FILE");
    const signal = interruptSignal();
    const source = await backupSource(file, undefined);
    await checkBackup(source, "Checking", signal);
    return withStores({ alongside: Boolean(config().DATABASE_URL) }, async (stores) => {
      const imported = await withImportIndex(stores.files, (index) =>
        load(stores, readBackup(source, "Importing", signal), index),
      );
      const [rows, files] = [imported.rows, imported.files].map(formatCount);
      console.error(
        `Imported ${imported.name} as company ${imported.id}: ${rows} rows and ${files} files (${formatBytes(imported.bytes)}).`,
      );
      for (const note of imported.notes) console.log(`note: ${note}`);
    });
  },
};

const Manifest = z.object({
  kind: z.literal("company"),
  format: z.literal(1),
  name: z.string(),
  public_url: z.string(),
  steps: z.array(z.string()),
});

/** Adds a company in one transaction, which is committed once all files are stored. */
async function load(
  { database, files }: Stores,
  entries: AsyncGenerator<ArchiveEntry>,
  index: ImportIndex,
): Promise<Imported> {
  const imported: Imported = { name: "", id: undefined, rows: 0, files: 0, bytes: 0, notes: [], index };
  try {
    await inTransaction(database.tables<any>(), async (transaction) => {
      const tables = new Map((await listTables(transaction)).map((table) => [table.name, table]));
      await readStart(entries, transaction, [...tables.keys()], imported);
      // Nothing may have started here yet but the migration.
      await writeReference(transaction as Transaction<Tables>);
      for await (const { name, content } of entries) {
        const [kind, ...rest] = name.split("/");
        if (kind === "rows") await addRows(transaction, tables.get(rest[0]!), await text(content), imported);
        if (kind !== "files") continue;
        const key = rest.join("/");
        if (await files.exists(key)) throw new CommandFailed(`There is a file ${key} already.`);
        index.addFile(key);
        imported.files++;
        imported.bytes += await addFile(files, rest, content);
      }
      await addLaterIds(transaction, imported);
      await requireFiles(transaction, imported);
      await markAsImported(transaction, imported.id!);
    });
  } catch (error) {
    for (const key of index.files()) await files.remove(key);
    throw damageOf(error);
  } finally {
    await entries.return(undefined);
  }
  return imported;
}

async function readStart(
  entries: AsyncGenerator<ArchiveEntry>,
  transaction: Transaction<any>,
  tables: string[],
  imported: Imported,
) {
  const first = await entries.next();
  if (first.done || first.value.name !== "company.json") throw new CommandFailed("This is no export of a company.");
  const manifest = Manifest.parse(JSON.parse(await text(first.value.content)));
  const steps = (await appliedMigrations(transaction, tables)).provider ?? [];
  if (steps.join() !== manifest.steps.join()) {
    throw new CommandFailed("The export is of another version than the tables here. Use the same version for both.");
  }
  imported.name = manifest.name;
  const same = transaction.selectFrom("companies").where("name", "=", manifest.name).select("id");
  for (const { id } of await same.execute()) imported.notes.push(`company ${id} has the same name: ${manifest.name}`);
  const { PUBLIC_URL, FORMER_URLS } = config();
  if (![PUBLIC_URL, ...FORMER_URLS].includes(manifest.public_url))
    imported.notes.push(`add ${manifest.public_url} to FORMER_URLS: printed codes carry it`);
}

/** Its audit trail happened elsewhere and is not shipped; and an earlier backup lacks nothing of it. */
async function markAsImported(transaction: Transaction<Tables>, id: number) {
  const entries = transaction.selectFrom("audit").where("company_id", "=", id).select("id");
  await transaction.deleteFrom("audit_queue").where("audit_id", "in", entries).execute();
  await transaction
    .updateTable("companies")
    .set({ created_at: new Date().toISOString() })
    .where("id", "=", id)
    .execute();
}

/** Refuses an export whose records refer to files that it does not have, which could be another company's. */
async function requireFiles(transaction: Transaction<Tables>, { id, index }: Imported) {
  if (id === undefined) throw new CommandFailed("The export has no company.");
  for await (const { key, of } of referencedFiles(transaction, id)) {
    if (!index.hasFile(key)) throw new CommandFailed(`The export lacks a file of ${of}: ${key}`);
  }
}
