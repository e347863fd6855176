import { randomUUID } from "node:crypto";
import type { z } from "zod";
import { readTable, TableRefused } from "#intake/table-file.ts";
import type { Actor, Caller } from "../access.ts";
import { dateIn } from "../calendar.ts";
import type { createBulkIssue, updateBulkIssue } from "../contract/bulk-issues.ts";
import { bulkLimits } from "../contract/bulk-options.ts";
import { staleConflict } from "../db/audit.ts";
import type { Db, Tables } from "../db/tables.ts";
import { inCallerTransaction } from "../http/caller-transaction.ts";
import { conflict, invalid } from "../http/errors.ts";
import type { Services } from "../services.ts";
import { openArchive } from "./archive.ts";
import { mappedByName, rememberedMapping, rememberMapping, requireMapping, storedColumns } from "./columns.ts";
import { findChangeable, type StoredBulkIssue } from "./find.ts";
import { choicesOf } from "./read.ts";
import { templateOf } from "./templates.ts";

/** Changing a bulk issue before it runs. Each change makes it a draft again, of which every row is to be checked. */

type What = z.output<typeof createBulkIssue.body>;

/** Returns the id of a new bulk issue. Throws 409 where the user or the company has too many unfinished ones. */
export function create(services: Services, caller: Caller, what: What): Promise<number> {
  return inCallerTransaction(services, caller, async (transaction, actor) => {
    await requireRoom(transaction, actor);
    await requireTemplate(transaction, actor, what);
    const at = services.now().toISOString();
    const folder = `bulk-issues/${randomUUID()}`;
    const { id } = await transaction
      .insertInto("bulk_issues")
      .values({
        ...columnsOf(what, actor, services.now()),
        company_id: actor.company_id,
        user_id: actor.id,
        state: "draft",
        folder,
        created_at: at,
        changed_at: at,
      })
      .returning("id")
      .executeTakeFirstOrThrow();
    return id;
  });
}

/** Throws 422 for a template that the company does not have. */
async function requireTemplate(db: Db, { company_id }: Actor, { content, template }: What) {
  if (content !== "template" || typeof template !== "number") return;
  if (!(await templateOf(db, { company_id, template_id: template }))) throw invalid({ template: "Choose a template" });
}

async function requireRoom(db: Db, actor: Actor) {
  const unfinished = db
    .selectFrom("bulk_issues")
    .where("company_id", "=", actor.company_id)
    .where("state", "not in", ["done", "cancelled"])
    .select("user_id");
  const rows = await unfinished.execute();
  const own = rows.filter(({ user_id }) => user_id === actor.id).length;
  const { user, company } = bulkLimits.unfinished;
  if (own >= user) throw conflict(`You have ${user} unfinished bulk issues: finish or cancel one of them first`);
  if (rows.length >= company) throw conflict(`Your company has ${company} unfinished bulk issues: finish one first`);
}

function columnsOf({ content, template, ...common }: What, actor: Actor, now: Date) {
  const date = common.date || dateIn(actor.timezone, now);
  const template_id = content === "template" && typeof template === "number" ? template : null;
  return { content, template_id, common: JSON.stringify({ ...common, date, email: common.email || actor.email }) };
}

type Update = z.output<typeof updateBulkIssue.body>;

export async function update(services: Services, caller: Caller, id: number, { version, ...what }: Update) {
  await inCallerTransaction(services, caller, async (transaction, actor) => {
    const issue = await findChangeable(transaction, actor, id);
    if (version !== undefined && version !== issue.version) {
      throw await staleConflict(transaction, actor, "company", actor.company_id);
    }
    await requireTemplate(transaction, actor, what);
    const columns = columnsOf(what, actor, services.now());
    const isSameContent = columns.content === issue.content && columns.template_id === issue.template_id;
    const changed = { ...issue, ...columns };
    await change(transaction, services, issue, columns);
    // Other fields can be filled.
    if (!isSameContent) await mapAgain(transaction, services, changed);
  });
}

type Change = Partial<Pick<Tables["bulk_issues"], "content" | "template_id" | "common">> & Record<string, unknown>;

/** Stores a change, after which every row is to be checked again. */
async function change(db: Db, { now }: Pick<Services, "now">, { id }: StoredBulkIssue, columns: Change) {
  await db
    .updateTable("bulk_issues")
    .set((eb) => ({
      ...columns,
      state: "draft" as const,
      reason: "",
      checked: 0,
      wrong: 0,
      noted: 0,
      pages: 0,
      changed_at: now().toISOString(),
      version: eb("version", "+", 1),
    }))
    .where("id", "=", id)
    .execute();
  await db
    .updateTable("bulk_issue_rows")
    .set({ checked: 0, wrong: 0, pages: 0, problems: "[]", notes: "[]" })
    .where("bulk_issue_id", "=", id)
    .where("checked", "=", 1)
    .execute();
}

async function mapAgain(db: Db, services: Services, issue: StoredBulkIssue) {
  const columns = JSON.parse(issue.columns) as string[];
  const choices = await choicesOf({ ...services, db }, issue);
  const table = { columns, content: issue.content, template: issue.template_id };
  const mapping = (await rememberedMapping(db, issue.user_id, table, choices)) ?? mappedByName(columns, choices);
  await db
    .updateTable("bulk_issues")
    .set({ mapping: JSON.stringify(mapping) })
    .where("id", "=", issue.id)
    .execute();
}

type GivenFile = { path: string; name: string };

const rowsPerInsert = 200;

/** Reads the table's file, and stores its rows in place of those before. Throws 422 for one that is refused. */
export async function setTable(services: Services, caller: Caller, id: number, file: GivenFile) {
  const { columns, rows } = await readGiven(file.path);
  await inCallerTransaction(services, caller, async (transaction, actor) => {
    const issue = await findChangeable(transaction, actor, id);
    await transaction.deleteFrom("bulk_issue_rows").where("bulk_issue_id", "=", id).execute();
    for (let start = 0; start < rows.length; start += rowsPerInsert) {
      const some = rows.slice(start, start + rowsPerInsert);
      const values = some.map(({ line, cells }) => ({ bulk_issue_id: id, line, cells: JSON.stringify(cells) }));
      await transaction.insertInto("bulk_issue_rows").values(values).execute();
    }
    const names = JSON.stringify(columns);
    await change(transaction, services, issue, { table_name: file.name, columns: names, rows: rows.length });
    const isSame = names === issue.columns && issue.mapping !== "[]";
    if (!isSame) await mapAgain(transaction, services, { ...issue, columns: names });
  });
}

async function readGiven(path: string) {
  const limits = { maxRows: bulkLimits.rows, maxColumns: bulkLimits.columns };
  const { columns, rows } = await readTable(path, limits).catch((error: unknown) => {
    if (error instanceof TableRefused) throw invalid({ table: error.message });
    throw error;
  });
  if (rows.length === 0) throw invalid({ table: "The table has no row below the names of its columns" });
  const names = storedColumns(columns);
  for (const { line, cells } of rows) {
    const long = cells.findIndex((cell) => cell.length > bulkLimits.cell);
    if (long < 0) continue;
    const where = `Line ${line}, column “${names[long] ?? long + 1}”`;
    throw invalid({ table: `${where}: shorten the text to ${bulkLimits.cell.toLocaleString("en-GB")} characters` });
  }
  return { columns: names, rows: rows.map(({ line, cells }) => ({ line, cells: cells.slice(0, names.length) })) };
}

/** Stores the ZIP in place of the one before. Throws 422 for one that is refused. */
export async function setArchive(
  services: Services,
  caller: Caller,
  id: number,
  file: GivenFile & { bytes: number; sha256: string },
) {
  const archive = await openArchive(file.path);
  archive.close();
  const { files } = services;
  const before = await findFolder(services, caller, id);
  const key = `${before.folder}/${randomUUID()}`;
  await files.adopt(key, file.path);
  try {
    await inCallerTransaction(services, caller, async (transaction, actor) => {
      const issue = await findChangeable(transaction, actor, id);
      const { name, bytes, sha256 } = file;
      const stored = { archive_key: key, archive_name: name, archive_files: archive.files };
      await change(transaction, services, issue, { ...stored, archive_bytes: bytes, archive_sha256: sha256 });
    });
  } catch (error) {
    await files.remove(key);
    throw error;
  }
  if (before.archive_key) await files.remove(before.archive_key);
}

const findFolder = (services: Services, caller: Caller, id: number) =>
  inCallerTransaction(services, caller, (transaction, actor) => findChangeable(transaction, actor, id));

/** Says what each column is, and remembers it. */
export async function setMapping(services: Services, caller: Caller, id: number, mapping: string[]) {
  await inCallerTransaction(services, caller, async (transaction, actor) => {
    const issue = await findChangeable(transaction, actor, id);
    const columns = JSON.parse(issue.columns) as string[];
    if (columns.length === 0) throw conflict("Add the table first");
    requireMapping(mapping, columns, await choicesOf({ ...services, db: transaction }, issue));
    await change(transaction, services, issue, { mapping: JSON.stringify(mapping) });
    const table = { columns, content: issue.content, template: issue.template_id };
    await rememberMapping(transaction, actor.id, { ...table, mapping, at: services.now() });
  });
}
