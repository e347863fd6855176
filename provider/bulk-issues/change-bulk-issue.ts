import { randomUUID } from "node:crypto";
import type { z } from "zod";
import type { Actor, Caller } from "../access.ts";
import { dateIn } from "../calendar/calendar.ts";
import type { createBulkIssue, updateBulkIssue } from "../contract/bulk-issues.ts";
import { bulkLimits } from "../contract/bulk-options.ts";
import { staleConflict } from "../audit/audit-queries.ts";
import type { Db, Tables } from "../db/tables.ts";
import { inCallerTransaction } from "../http/caller-transaction.ts";
import { conflict, invalid } from "../http/errors.ts";
import type { Services } from "../services.ts";
import { mappedByName, rememberedMapping, rememberMapping, requireMapping } from "./columns.ts";
import { findChangeable, type StoredBulkIssue } from "./bulk-issue-queries.ts";
import { choicesOf } from "./bulk-issue-replies.ts";
import { templateOf } from "./content/templates.ts";

/** Changing a bulk issue before it runs. Each change makes it a draft again, whose rows are all checked anew. */

type What = z.output<typeof createBulkIssue.body>;

/** Returns the id of a new bulk issue. Throws 409 if the user or the company has too many unfinished ones. */
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

/** The chosen template. Throws 422 for one that the company does not have. */
async function requireTemplate(db: Db, { company_id }: Actor, { content, template }: What) {
  if (content !== "template" || typeof template !== "number") return undefined;
  const chosen = await templateOf(db, { company_id, template_id: template });
  if (!chosen) throw invalid({ template: "Choose a template" });
  return chosen;
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
    const template = await requireTemplate(transaction, actor, what);
    const isChosen = template !== undefined && template.id !== issue.template_id;
    const placing = isChosen && template.qr_placing ? { qr_placing: template.qr_placing } : {};
    const columns = columnsOf({ ...what, ...placing }, actor, services.now());
    const isSameContent = columns.content === issue.content && columns.template_id === issue.template_id;
    const changed = { ...issue, ...columns };
    await change(transaction, services, issue, columns);
    // Other fields can be filled.
    if (!isSameContent) await mapAgain(transaction, services, changed);
  });
}

type Change = Partial<Pick<Tables["bulk_issues"], "content" | "template_id" | "common">> & Record<string, unknown>;

/** Stores a change, after which every row is to be checked again. */
export async function change(db: Db, { now }: Pick<Services, "now">, { id }: StoredBulkIssue, columns: Change) {
  await db
    .updateTable("bulk_issues")
    .set((eb) => ({
      ...columns,
      state: "draft" as const,
      reason: "",
      checked: 0,
      wrong: 0,
      noted: 0,
      table_notes: "[]",
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

export async function mapAgain(db: Db, services: Services, issue: StoredBulkIssue) {
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
