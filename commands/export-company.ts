import { type Kysely, sql, type Transaction } from "kysely";
import { config } from "#lib/config.ts";
import { appliedMigrations } from "#lib/storage/database/migrate.ts";
import { byColumn, inSnapshot, listTables, readRows } from "#lib/storage/database/rows.ts";
import type { ArchiveWriter } from "#lib/storage/files/archive.ts";
import type { Tables } from "#provider/db/tables.ts";
import { referencedFiles } from "#provider/files/referenced-files.ts";
import { publishedKeys, publishedRoots } from "#provider/seal/keys/public-keys.ts";
import { addFile, type FileList, withFileList } from "./backup-content.ts";
import { type Command, CommandFailed, interruptSignal, requireArguments, UsageError } from "./command.ts";
import { companyTables, isOwnedBy, leftWords } from "./company-tables.ts";
import { formatBytes, formatCount } from "./progress.ts";
import { type Stores, withStores } from "./stores.ts";
import { writeChecked } from "./write-checked.ts";

export const exportCompany: Command = {
  usage: "ID FILE",
  help: [
    "FILE is a tar file, readable by you alone: rows as JSON lines, files, and what proves seals without us:",
    "keys and status list for check-code, and the root certificate. import-company FILE takes it in elsewhere.",
    leftWords,
  ],
  async run(args) {
    const [id, file] = requireArguments(args, "ID", "FILE");
    const company = Number(id);
    if (!Number.isInteger(company)) throw new UsageError("ID is the number of a company");
    const signal = interruptSignal();
    await withStores({ alongside: true }, async (stores) => {
      const totals = await writeChecked(file, signal, (archive) =>
        withFileList(signal, (list) => writeCompany(archive, stores, { company, list, signal })),
      );
      console.error(
        `Exported ${totals.name}: ${formatCount(totals.rows)} rows and ${formatCount(totals.files)} files (${formatBytes(totals.bytes)}).`,
      );
    });
  },
};

const batchSize = 1000;

type Export = { company: number; list: FileList; signal: AbortSignal };

async function writeCompany(archive: ArchiveWriter, { database, files }: Stores, { company, list, signal }: Export) {
  const { name, rows } = await inSnapshot(database.tables<any>(), async (snapshot) => {
    const all = await listTables(snapshot);
    const companies = snapshot.selectFrom("companies").where("id", "=", company).select("name");
    // An empty database has not even the table.
    const row = all.some((table) => table.name === "companies") && (await companies.executeTakeFirst());
    if (!row) throw new CommandFailed(`There is no company ${company}.`);
    const steps = (
      await appliedMigrations(
        snapshot,
        all.map((table) => table.name),
      )
    ).provider;
    const roots = sql<boolean>`id in (select root_id from seal_keys where ${isOwnedBy(company, "seal_keys")})`;
    const manifest = { kind: "company", format: 1, name: row.name, public_url: config().PUBLIC_URL, steps };
    await archive.add("company.json", `${JSON.stringify(manifest)}\n`);
    let rows = 0;
    for (const name of ["seal_roots", ...Object.keys(companyTables)]) {
      const table = all.find((one) => one.name === name)!;
      const { instead } = companyTables[name] ?? { instead: { private_key: null } };
      let part = 0;
      for await (const batch of readRows(
        snapshot,
        table,
        batchSize,
        name === "seal_roots" ? roots : isOwnedBy(company, name),
      )) {
        signal.throwIfAborted();
        const lines = batch.map((row) => `${JSON.stringify({ ...byColumn(table, row), ...instead })}\n`);
        await archive.add(`rows/${name}/${++part}.ndjson`, lines.join(""));
        rows += batch.length;
      }
    }
    await addProof(archive, snapshot, company);
    await list.write([referencedFiles(snapshot as Kysely<any>, company)]);
    return { name: row.name as string, rows };
  });
  const totals = { files: 0, bytes: 0, gone: [] as string[], rows: {} };
  for await (const file of list.read()) await addFile(archive, files, file, totals);
  if (totals.gone.length > 0) throw new CommandFailed(`${totals.gone[0]} was replaced meanwhile: run it again.`);
  return { name, rows, files: totals.files, bytes: totals.bytes };
}

/** What a file check, `check-code` and PDF readers need to confirm seals without any installation. */
async function addProof(archive: ArchiveWriter, snapshot: Transaction<any>, company: number) {
  const db = snapshot as Transaction<Tables>;
  const own = await db
    .selectFrom("seal_keys")
    .innerJoin("seal_roots", "seal_roots.id", "seal_keys.root_id")
    .where("company_id", "=", company)
    .select(["thumbprint", "seal_roots.created_at"])
    .execute();
  const keys = (await publishedKeys({ db, publicUrl: config().PUBLIC_URL })).filter(({ kid }) =>
    own.some(({ thumbprint }) => thumbprint === kid),
  );
  const roots = (await publishedRoots(db)).filter(({ since }) => own.some(({ created_at }) => created_at === since));
  const list = await db.selectFrom("status_lists").where("company_id", "=", company).select("token").executeTakeFirst();
  await archive.add("proof/jwks.json", JSON.stringify({ keys }));
  await archive.add("proof/sealdesk-root.pem", roots.map(({ certificate }) => certificate).join(""));
  if (list) await archive.add("proof/status-list.jwt", list.token);
}
