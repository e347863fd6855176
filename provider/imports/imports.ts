import { randomUUID } from "node:crypto";
import type { ReadTable } from "#lib/page-files/reports/table.ts";
import { daysInMs } from "#lib/units.ts";
import { type Actor, type Caller, scopeOf } from "../access.ts";
import { type Import, type ImportKind, type ImportRow, type ImportRowState } from "../contract/imports.ts";
import type { Db } from "../db/tables.ts";
import { inCallerTransaction } from "../http/caller-transaction.ts";
import { type Reading, storedFacts, tableFacts, withTable } from "../files/read-table.ts";
import { conflict, forbidden, notFound } from "../http/errors.ts";
import type { Services } from "../services.ts";
import { invitationLimits } from "../users/limits.ts";
import { ignoredColumns, requireColumns } from "./columns.ts";
import { createPreview, type PreviewedRow } from "./preview.ts";
import { isAmong } from "../db/lists.ts";

/** Imports as their users see them: made from a file, previewed, applied, and deleted after some days. */

const maxImportRows = 10_000;
/** A running one may wait for limits on invitations. */
export const keptMs = { ready: daysInMs(1), running: daysInMs(7) };
/** Of each user, beside running ones. */
const maxKept = 5;

/** Throws 403 if the actor may neither add nor change such records. */
export function requireImportRight(actor: Actor, kind: ImportKind) {
  if (!scopeOf(actor, kind, "write") && !scopeOf(actor, kind, "create")) throw forbidden();
}

export type ImportFile = { name: string; path: string; again?: undefined } | { again: number };

type Importing = { actor: Actor; caller: Caller; request: Request };
type ToImport = { kind: ImportKind; reading: Reading };

/** Reads a file, or that of another import again, and stores its preview. Returns its id. Throws 403, 404, 409, 422 and 503. */
export async function importFile(services: Services, by: Importing, what: ToImport, file: ImportFile): Promise<number> {
  const { db, files, now } = services;
  if (file.again === undefined) {
    const key = `imports/${randomUUID()}`;
    return previewFile(services, by, what, { ...file, key, keep: () => files.adopt(key, file.path) });
  }
  const before = await findImport(db, by.actor, file.again, now());
  const key = before.table_key;
  if (before.status !== "ready" || before.kind !== what.kind || !key || !(await files.exists(key))) throw fileGone();
  return files.withLocalPaths([key], ([path]) =>
    previewFile(services, by, what, { name: before.file, path: path!, key, replaces: before.id, keep: async () => {} }),
  );
}

const fileGone = () => conflict("The file of this import is not stored any more: choose it again");

type Preview = { name: string; path: string; key: string; replaces?: number; keep(): Promise<void> };

function previewFile(services: Services, by: Importing, { kind, reading }: ToImport, { keep, ...file }: Preview) {
  const { db } = services;
  const source = { path: file.path, limits: { maxRows: maxImportRows }, reading, field: "file" };
  return withTable(services, by, source, async (table, rows) => {
    requireColumns(kind, table.columns);
    const id = await storeImport(services, by.caller, kind, { ...file, table });
    try {
      const preview = createPreview(db, by.actor, kind, table.columns);
      for await (const some of rows) {
        const previewed = await preview.add(
          some.map(({ line, cells }) => ({ line, cells: JSON.parse(cells) as string[] })),
        );
        await db
          .insertInto("import_rows")
          .values(previewed.map((row) => storedRow(id, row)))
          .execute();
      }
      await keep();
      const unused = await inCallerTransaction(services, by.caller, async (transaction, { id: user_id }) => {
        const ready = { status: "ready", needs_proof: preview.needsProof() ? 1 : 0 } as const;
        await transaction.updateTable("imports").set(ready).where("id", "=", id).execute();
        if (file.replaces) await deleteReplaced(transaction, file.replaces);
        return deleteOldest(transaction, user_id);
      });
      for (const key of unused) await services.files.remove(key);
      return id;
    } catch (error) {
      await db.deleteFrom("imports").where("id", "=", id).execute();
      throw error;
    }
  });
}

type ToStore = { name: string; key: string; table: ReadTable };

/** Stores an import without rows, which can't be applied yet. */
const storeImport = (services: Services, caller: Caller, kind: ImportKind, { name, key, table }: ToStore) =>
  inCallerTransaction(services, caller, async (transaction, { id: user_id, company_id }) => {
    const at = services.now();
    const { id } = await transaction
      .insertInto("imports")
      .values({
        company_id,
        user_id,
        kind,
        file: name,
        table_key: key,
        table_facts: JSON.stringify(tableFacts(table)),
        columns: JSON.stringify(table.columns),
        status: "done",
        needs_proof: 0,
        created_at: at.toISOString(),
        expires_at: new Date(at.getTime() + keptMs.ready).toISOString(),
      })
      .returning("id")
      .executeTakeFirstOrThrow();
    return id;
  });

const storedRow = (import_id: number, { changes, cells, given, ...row }: PreviewedRow) => ({
  ...row,
  import_id,
  changes: JSON.stringify(changes),
  cells: JSON.stringify(cells),
  given: given && JSON.stringify(given),
});

/** Throws 409 for an import that is being applied. */
async function deleteReplaced(db: Db, id: number) {
  const replaced = db.deleteFrom("imports").where("id", "=", id).where("status", "=", "ready");
  if ((await replaced.executeTakeFirst()).numDeletedRows === 0n) throw fileGone();
}

/** Returns the keys of files that no import needs any more. */
async function deleteOldest(db: Db, userId: number): Promise<string[]> {
  const stored = db.selectFrom("imports").where("user_id", "=", userId).where("status", "!=", "running");
  const ids = (await stored.select("id").orderBy("id", "desc").execute()).slice(maxKept).map(({ id }) => id);
  if (ids.length === 0) return [];
  const oldest = db
    .deleteFrom("imports")
    .where(isAmong(db, "id", ids))
    .returning("table_key");
  const keys = (await oldest.execute()).flatMap(({ table_key }) => table_key ?? []);
  const shared = await db
    .selectFrom("imports")
    .where("table_key", "in", [...keys, ""])
    .select("table_key")
    .execute();
  return keys.filter((key) => !shared.some(({ table_key }) => table_key === key));
}

/** The actor's own import. Throws 404, and 403 if they have lost the right. */
export async function findImport(db: Db, actor: Actor, id: number, now: Date) {
  const row = await db
    .selectFrom("imports")
    .where("id", "=", id)
    .where("user_id", "=", actor.id)
    .where("company_id", "=", actor.company_id)
    .where("expires_at", ">", now.toISOString())
    .selectAll()
    .executeTakeFirst();
  if (!row) throw notFound();
  requireImportRight(actor, row.kind);
  return row;
}

type StoredImport = Awaited<ReturnType<typeof findImport>>;

/** An import in the contract's form. */
export async function importReply(
  services: Pick<Services, "db" | "invitationsPerDay">,
  { company_id: _, user_id: __, table_key: ___, table_facts, ...row }: StoredImport,
): Promise<Import> {
  const { db } = services;
  const { anHour, aDay } = invitationLimits(services);
  const counted = await db
    .selectFrom("import_rows")
    .where("import_id", "=", row.id)
    .groupBy("state")
    .select(({ fn }) => ["state", fn.countAll<number>().as("rows")])
    .execute();
  const none: Record<ImportRowState, number> = { new: 0, changed: 0, unchanged: 0, refused: 0, added: 0, saved: 0 };
  const columns = JSON.parse(row.columns) as string[];
  return {
    ...row,
    columns,
    table: storedFacts(table_facts),
    ignored: ignoredColumns(row.kind, columns),
    needs_proof: row.needs_proof === 1,
    invitations: { an_hour: anHour, a_day: aDay },
    counts: Object.assign(none, Object.fromEntries(counted.map(({ state, rows }) => [state, Number(rows)]))),
  };
}

/** The rows of an import. */
export const importRows = (db: Db, importId: number) =>
  db
    .selectFrom("import_rows")
    .where("import_id", "=", importId)
    .select(["id", "line", "record_id", "name", "state", "why", "changes", "cells"]);

type StoredRow = Awaited<ReturnType<ReturnType<typeof importRows>["execute"]>>[number];

export const asImportRow = ({ changes, cells, ...row }: StoredRow): ImportRow => ({
  ...row,
  changes: JSON.parse(changes) as ImportRow["changes"],
  cells: JSON.parse(cells) as string[],
});

/** Deletes imports that were neither applied nor opened in time. */
export const deleteExpiredImports = ({ db, now }: Services) =>
  db.deleteFrom("imports").where("expires_at", "<=", now().toISOString()).execute();
