import { randomUUID } from "node:crypto";
import type { Actor, Caller } from "../access.ts";
import { inCompanyTransaction } from "../company/company-queries.ts";
import { bulkLimits } from "../contract/bulk-options.ts";
import type { Db } from "../db/tables.ts";
import { type Reading, tableFacts, withTable } from "../files/read-table.ts";
import { inCallerTransaction } from "../http/caller-transaction.ts";
import { conflict, invalid } from "../http/errors.ts";
import type { Services } from "../services.ts";
import { findChangeable } from "./bulk-issue-queries.ts";
import { change, mapAgain } from "./change-bulk-issue.ts";
import { removeRows } from "./clean-up.ts";
import { storedColumns } from "./columns.ts";
import { openArchive } from "./content/archive.ts";

/** The table and the ZIP of a bulk issue. */

type UploadedFile = { path: string; name: string };

type ToRead = { reading: Reading; file?: UploadedFile | undefined };
type Setting = { actor: Actor; caller: Caller; request: Request };

/**
 * Reads the table's file, or the one before again, and stores its rows in place of those before. Throws 422 for one that is refused,
 * and if there is none.
 */
export async function setTable(services: Services, by: Setting, id: number, { reading, file }: ToRead) {
  const { files } = services;
  const { folder, table_key: before, table_name } = await findFolder(services, by.caller, id);
  if (file) {
    const key = `${folder}/${randomUUID()}`;
    await readInto(services, by, id, { ...file, reading, key, isNew: true });
  } else {
    if (!before || !(await files.exists(before))) throw invalid({ table: "Choose the table first" });
    await files.withLocalPaths([before], ([path]) =>
      readInto(services, by, id, { path: path!, name: table_name, reading, key: before, isNew: false }),
    );
  }
}

type TableFile = UploadedFile & { reading: Reading; key: string; isNew: boolean };

const tableLimits = { maxRows: bulkLimits.rows, maxColumns: bulkLimits.columns, maxCellCharacters: bulkLimits.cell };

const readInto = (services: Services, by: Setting, id: number, { path, name, reading, key, isNew }: TableFile) =>
  withTable(services, by, { path, limits: tableLimits, reading, field: "table" }, async (table, rows) => {
    if (table.rows === 0) throw invalid({ table: "The table has no row below the names of its columns" });
    const { db, files } = services;
    const names = JSON.stringify(storedColumns(table.columns));
    if (isNew) await files.adopt(key, path);
    const { version, company_id } = await inPlaceOf(services, isNew ? key : null, () =>
      inCallerTransaction(services, by.caller, async (transaction, actor) => {
        const issue = await findChangeable(transaction, actor, id);
        if (!isNew && issue.table_key !== key) throw changedMeanwhile();
        // Without rows there is nothing to check.
        await change(transaction, services, issue, { rows: 0, table_key: key, table_name: name });
        const replaced = isNew ? issue.table_key : null;
        return { version: issue.version + 1, company_id: issue.company_id, replaced };
      }),
    );
    /** Two tables that are added at once touch each other's rows nowhere: the first one is refused. */
    const write = <T>(work: (transaction: Db) => Promise<T>) =>
      inCompanyTransaction(db, company_id, async (transaction) => {
        await requireVersion(transaction, id, version);
        return work(transaction);
      });
    await removeRows(write, id);
    for await (const some of rows) {
      const values = some.map(({ line, cells }) => ({ bulk_issue_id: id, line, cells }));
      await write((transaction) => transaction.insertInto("bulk_issue_rows").values(values).execute());
    }
    await inCallerTransaction(services, by.caller, async (transaction, actor) => {
      const issue = await findChangeable(transaction, actor, id);
      await requireVersion(transaction, id, version);
      const table_facts = JSON.stringify(tableFacts(table));
      await change(transaction, services, issue, { columns: names, rows: table.rows, table_facts });
      const isSame = names === issue.columns && issue.mapping !== "[]";
      if (!isSame) await mapAgain(transaction, services, { ...issue, columns: names });
    });
  });

/** Throws 409 if the bulk issue was changed since. */
async function requireVersion(db: Db, id: number, version: number) {
  const issue = db.selectFrom("bulk_issues").where("id", "=", id).where("version", "=", version).select("id");
  if (!(await issue.executeTakeFirst())) throw changedMeanwhile();
}

const changedMeanwhile = () => conflict("This bulk issue was changed meanwhile: add the table again");

/** Stores the ZIP in place of the one before. Throws 422 for one that is refused. */
export async function setArchive(
  services: Services,
  caller: Caller,
  id: number,
  file: UploadedFile & { bytes: number; sha256: string },
) {
  const archive = await openArchive(file.path);
  archive.close();
  const { folder } = await findFolder(services, caller, id);
  const key = `${folder}/${randomUUID()}`;
  await services.files.adopt(key, file.path);
  await inPlaceOf(services, key, () =>
    inCallerTransaction(services, caller, async (transaction, actor) => {
      const issue = await findChangeable(transaction, actor, id);
      const { name, bytes, sha256 } = file;
      const stored = { archive_key: key, archive_name: name, archive_files: archive.files };
      await change(transaction, services, issue, { ...stored, archive_bytes: bytes, archive_sha256: sha256 });
      return { replaced: issue.archive_key };
    }),
  );
}

/** Records a new file, and removes the one that it replaces, of two at once too; or the new one if it is refused. */
async function inPlaceOf<T extends { replaced: string | null }>(
  { files }: Pick<Services, "files">,
  added: string | null,
  store: () => Promise<T>,
): Promise<T> {
  let unused = added;
  try {
    const stored = await store();
    unused = stored.replaced;
    return stored;
  } finally {
    if (unused) await files.remove(unused);
  }
}

const findFolder = (services: Services, caller: Caller, id: number) =>
  inCallerTransaction(services, caller, (transaction, actor) => findChangeable(transaction, actor, id));
