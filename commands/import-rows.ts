import { sql, type Transaction } from "kysely";
import { insertRows } from "#lib/storage/database/bulk-load.ts";
import { isPostgres, isUniqueViolation } from "#lib/storage/database/dialect.ts";
import type { Table } from "#lib/storage/database/rows.ts";
import { TRUE } from "#provider/db/flags.ts";
import { fingerprintOf } from "#provider/seal/keys/stored-keys.ts";
import { CommandFailed } from "./command.ts";
import { auditedTables, companyTables } from "./company-tables.ts";
import type { ImportIndex } from "./import-index.ts";

/** The rows of an exported company, with ids of this installation. */

type Value = string | number | null;
type Row = Record<string, Value>;

export type Imported = {
  name: string;
  id: number | undefined;
  rows: number;
  files: number;
  bytes: number;
  /** What the operator should know, a line each. */
  notes: string[];
  index: ImportIndex;
};

/** Inserts rows of a table with new ids. */
export async function addRows(
  transaction: Transaction<any>,
  table: Table | undefined,
  lines: string,
  imported: Imported,
) {
  const rows = lines
    .split("\n")
    .filter(Boolean)
    .map((line) => JSON.parse(line) as Row);
  const columns = table?.columns.toSorted().join();
  if (!table || rows.some((row) => Object.keys(row).toSorted().join() !== columns)) {
    throw new CommandFailed(`The export has a table with other columns than here: ${table?.name ?? "unknown"}.`);
  }
  imported.rows += rows.length;
  if (table.name === "seal_roots") return addRoots(transaction, rows, imported);
  const changed = await withNewIds(transaction, table.name, rows, imported);
  if (table.name === "users") await withdrawProofs(transaction, changed, imported);
  await insertRows(transaction, table.name, changed).catch((error: unknown) => {
    if (!isUniqueViolation(error)) throw error;
    throw new CommandFailed(
      `Rows of ${table.name} are here already, with the same codes, keys or files: was ${imported.name} imported before?`,
    );
  });
}

async function withNewIds(
  transaction: Transaction<any>,
  table: string,
  rows: Row[],
  imported: Imported,
): Promise<Row[]> {
  const { owner, hasId, ids = {}, later = {}, instead = {} } = companyTables[table] ?? {};
  if (!owner) throw new CommandFailed(`The export has rows of ${table}, which are no company's.`);
  const fresh = hasId ? await newIds(transaction, table, rows.length) : [];
  for (const [n, id] of fresh.entries()) imported.index.addId(table, Number(rows[n]!.id), id);
  if (table === "companies") {
    if (imported.id !== undefined || fresh.length > 1) throw new CommandFailed("The export has two companies.");
    imported.id = fresh[0];
  }
  const references = Object.entries({ [owner[0]]: owner[1], ...ids });
  return rows.map((row, n) => {
    const change: Row = { ...row, ...instead };
    for (const [column, other] of references) change[column] = newId(imported, table, other, row[column]!);
    if (hasId) change.id = fresh[n]!;
    for (const [column, other] of Object.entries(later)) {
      if (row[column] !== null)
        imported.index.addLater({ table, id: fresh[n]!, column, other, oldId: Number(row[column]) });
      change[column] = null;
    }
    // Without its private part it signs no more.
    if (table === "seal_keys") change.retired_at ??= new Date().toISOString();
    if (table === "audit")
      change.entity_id = newId(imported, table, auditedTables[String(row.entity)] ?? "", row.entity_id!);
    return change;
  });
}

/** References to rows that came later. */
export async function addLaterIds(transaction: Transaction<any>, imported: Imported) {
  for (const { table, id, column, other, newId } of imported.index.laterIds()) {
    if (newId === null) throw missingRow(table, other);
    await transaction
      .updateTable(table)
      .set({ [column]: newId })
      .where("id", "=", id)
      .execute();
  }
}

/** Refuses a row that points outside the export. An audit entry may: what it is about may be gone, or not taken along. */
function newId({ index }: Imported, table: string, other: string, oldId: Value): Value {
  if (oldId === null) return null;
  const id = index.newId(other, Number(oldId));
  if (id === undefined && table !== "audit") throw missingRow(table, other);
  return id ?? 0;
}

const missingRow = (table: string, other: string) => new CommandFailed(`The export lacks ${other} that ${table} name.`);

/** Ids that no other row has or will get. */
async function newIds(transaction: Transaction<any>, table: string, count: number): Promise<number[]> {
  if (isPostgres(transaction)) {
    const { rows } = await sql<{ id: number }>`
      select nextval(pg_get_serial_sequence(${table}, 'id')) as id from generate_series(1, ${count}::integer)`.execute(
      transaction,
    );
    return rows.map(({ id }) => Number(id));
  }
  const { rows } = await sql<{
    last: number | null;
  }>`select seq as last from sqlite_sequence where name = ${table}`.execute(transaction);
  return Array.from({ length: count }, (_, n) => (rows[0]?.last ?? 0) + 1 + n);
}

/** The root certificates above its keys: published from now on, and signing nothing here. */
async function addRoots(transaction: Transaction<any>, rows: Row[], imported: Imported) {
  for (const row of rows) {
    const certificate = String(row.certificate);
    const existing = transaction.selectFrom("seal_roots").where("certificate", "=", certificate).select("id");
    let root = await existing.executeTakeFirst();
    if (!root) {
      const [id] = await newIds(transaction, "seal_roots", 1);
      const retired_at = row.retired_at ?? new Date().toISOString();
      await insertRows(transaction, "seal_roots", [{ ...row, id, private_key: null, retired_at }]);
      imported.notes.push(`its root certificate is published here too, SHA-256 ${fingerprintOf(certificate)}`);
      root = { id };
    }
    imported.index.addId("seal_roots", Number(row.id), root.id as number);
  }
}

/** An address is proved by one user of an installation: here that is who has it already. */
async function withdrawProofs(transaction: Transaction<any>, users: Row[], imported: Imported) {
  const proved = await transaction
    .selectFrom("users")
    .where("active", "=", TRUE)
    .where("email_proved", "=", TRUE)
    .where(
      "email_key",
      "in",
      users.map(({ email_key }) => email_key),
    )
    .select("email_key")
    .execute();
  for (const user of users) {
    if (user.email_proved !== 1 || !proved.some(({ email_key }) => email_key === user.email_key)) continue;
    user.email_proved = 0;
    imported.notes.push(`${String(user.email)} is a user of another company here, and has to prove the address again`);
  }
}
