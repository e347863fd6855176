import { readTable, TableRefused } from "#intake/table-file.ts";
import { createWorkQueue } from "#storage/work-queue.ts";
import { daysInMs } from "#units";
import { type Actor, type Caller, scopeOf } from "../access.ts";
import { type Import, type ImportKind, type ImportRow, type ImportRowState } from "../contract/imports.ts";
import type { Db } from "../db/tables.ts";
import { inCallerTransaction } from "../http/caller-transaction.ts";
import { forbidden, invalid, notFound, serviceUnavailable } from "../http/errors.ts";
import type { Services } from "../services.ts";
import { invitationLimits } from "../users/limits.ts";
import { ignoredColumns, requireColumns } from "./columns.ts";
import { type PreviewedRow, previewTable } from "./preview.ts";
import { isAmong } from "../db/lists.ts";

/** Imports as their users see them: made from a file, previewed, applied, and deleted after some days. */

const maxImportRows = 10_000;
/** A running one may wait for limits on invitations. */
export const keptMs = { ready: daysInMs(1), running: daysInMs(7) };
/** Of each user, beside those that run. */
const maxKept = 5;

/** Throws 403 where the actor may neither add nor change such records. */
export function requireImportRight(actor: Actor, kind: ImportKind) {
  if (!scopeOf(actor, kind, "write") && !scopeOf(actor, kind, "create")) throw forbidden();
}

type GivenFile = { path: string; name: string };

/** Returns a function that reads a file and stores its preview. It throws 403, 422 and 503. */
export function createImporter(services: Services) {
  const { db, now } = services;
  const queue = createWorkQueue({
    concurrency: 1,
    maxWaiting: 10,
    refuse: () => serviceUnavailable("Several files are being read just now. Try again in a moment.", 10),
  });

  return async function importFile(
    { actor, caller }: { actor: Actor; caller: Caller },
    kind: ImportKind,
    { path, name }: GivenFile,
  ): Promise<number> {
    const table = await queue.run(() => readTable(path, { maxRows: maxImportRows })).catch(rethrowRefused);
    requireColumns(kind, table.columns);
    const { rows, needsProof } = await previewTable(db, actor, kind, table);
    const at = now();
    return inCallerTransaction(services, caller, async (transaction, { id: user_id, company_id }) => {
      await deleteOldest(transaction, user_id);
      const { id } = await transaction
        .insertInto("imports")
        .values({
          company_id,
          user_id,
          kind,
          file: name,
          columns: JSON.stringify(table.columns),
          status: "ready",
          needs_proof: needsProof ? 1 : 0,
          created_at: at.toISOString(),
          expires_at: new Date(at.getTime() + keptMs.ready).toISOString(),
        })
        .returning("id")
        .executeTakeFirstOrThrow();
      for (let from = 0; from < rows.length; from += 500) {
        const batch = rows.slice(from, from + 500).map((row) => storedRow(id, row));
        await transaction.insertInto("import_rows").values(batch).execute();
      }
      return id;
    });
  };
}

function rethrowRefused(error: unknown): never {
  if (error instanceof TableRefused) throw invalid({ file: error.message });
  throw error;
}

const storedRow = (import_id: number, { changes, cells, given, ...row }: PreviewedRow) => ({
  ...row,
  import_id,
  changes: JSON.stringify(changes),
  cells: JSON.stringify(cells),
  given: given && JSON.stringify(given),
});

async function deleteOldest(db: Db, userId: number) {
  const kept = db.selectFrom("imports").where("user_id", "=", userId).where("status", "!=", "running");
  const ids = (await kept.select("id").orderBy("id", "desc").execute()).slice(maxKept - 1).map(({ id }) => id);
  if (ids.length > 0)
    await db
      .deleteFrom("imports")
      .where(isAmong(db, "id", ids))
      .execute();
}

/** The actor's own import. Throws 404, and 403 where they have lost the right. */
export async function findImport(db: Db, actor: Actor, id: number, now: Date) {
  const found = await db
    .selectFrom("imports")
    .where("id", "=", id)
    .where("user_id", "=", actor.id)
    .where("company_id", "=", actor.company_id)
    .where("expires_at", ">", now.toISOString())
    .selectAll()
    .executeTakeFirst();
  if (!found) throw notFound();
  requireImportRight(actor, found.kind);
  return found;
}

type StoredImport = Awaited<ReturnType<typeof findImport>>;

/** An import in the contract's form. */
export async function importReply(
  services: Pick<Services, "db" | "invitationsPerDay">,
  { company_id: _, user_id: __, ...row }: StoredImport,
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

/** Deletes imports that were neither applied nor looked at in time. */
export const deleteExpiredImports = ({ db, now }: Services) =>
  db.deleteFrom("imports").where("expires_at", "<=", now().toISOString()).execute();
