import { isUniqueViolation } from "#lib/storage/database/dialect.ts";
import { fold } from "#lib/text.ts";
import { type Actor, type Caller, mayCall, scopeOf } from "../access.ts";
import { enforceQuotaOfTemplates } from "../company/storage.ts";
import { createTemplate, listTemplates, maxTemplates } from "../contract/templates.ts";
import { audit, deactivated, staleConflict } from "../audit/audit-queries.ts";
import type { Db } from "../db/tables.ts";
import { templateRows } from "./template-queries.ts";
import { inCallerTransaction } from "../http/caller-transaction.ts";
import { conflict, forbidden, invalid, notFound } from "../http/errors.ts";
import type { Services } from "../services.ts";
import type { StoredTemplate } from "./receive.ts";

/** Adding, changing and removing templates. Each is one transaction with its audit entry. */

/** A template of the actor's company. Throws 404. */
export async function findTemplate(db: Db, { company_id }: Pick<Actor, "company_id">, id: number) {
  const template = await templateRows(db, company_id).where("id", "=", id).executeTakeFirst();
  if (!template) throw notFound();
  return template;
}

/** Throws 403 for users who may not write and create documents of the whole company. */
export function requireManager(actor: Actor) {
  const isManager = scopeOf(actor, "docs", createTemplate.access.right) === "company";
  if (!isManager || !mayCall(listTemplates.access, actor)) throw forbidden();
}

type Added = { name: string; qr_placing?: string | undefined; stored: StoredTemplate };

/** Adds a template whose file is stored, and returns its id. */
export async function addTemplate(services: Services, caller: Caller, { name, qr_placing, stored }: Added) {
  const { now } = services;
  return inCallerTransaction(services, caller, async (transaction, actor) => {
    requireManager(actor);
    const { company_id } = actor;
    const { count } = await transaction
      .selectFrom("templates")
      .where("company_id", "=", company_id)
      .select(({ fn }) => fn.countAll<number>().as("count"))
      .executeTakeFirstOrThrow();
    if (Number(count) >= maxTemplates) throw conflict(`A company can have ${maxTemplates} templates: remove one first`);
    const at = now();
    const times = { created_at: at.toISOString(), changed_at: at.toISOString() };
    const row = { ...nameColumns(name), qr_placing: qr_placing ?? "", ...fileColumns(stored), ...times, company_id };
    const { id } = await transaction.insertInto("templates").values(row).returning("id").executeTakeFirstOrThrow();
    await enforceQuotaOfTemplates(services, transaction, company_id);
    const after = { name, pages: stored.pages, file: newFile, ...(qr_placing && { qr_placing }) };
    await audit(transaction, { actor, action: "added", subject: subject(id), at, after });
    return id;
  }).catch(rethrowNameTaken);
}

type Change = {
  name: string;
  qr_placing?: string | undefined;
  version?: number | undefined;
  stored: StoredTemplate | undefined;
};

/** Renames a template, and replaces its placing and file. Returns the key of a replaced file, which nothing refers to then. */
export async function changeTemplate(services: Services, caller: Caller, id: number, change: Change) {
  const { now } = services;
  const { name, version, stored } = change;
  return inCallerTransaction(services, caller, async (transaction, actor) => {
    requireManager(actor);
    const before = await findTemplate(transaction, actor, id);
    if (version !== undefined && version !== before.version) {
      throw await staleConflict(transaction, actor, "template", id);
    }
    const at = now();
    const { qr_placing = before.qr_placing } = change;
    const file = stored && { ...fileColumns(stored), version: before.version + 1 };
    const row = { ...nameColumns(name), qr_placing, ...file, changed_at: at.toISOString() };
    await transaction.updateTable("templates").set(row).where("id", "=", id).execute();
    if (stored) await enforceQuotaOfTemplates(services, transaction, actor.company_id);
    const after = { name, qr_placing, ...(stored && { pages: stored.pages, file: newFile }) };
    const shownBefore = { name: before.name, qr_placing: before.qr_placing, pages: before.pages };
    await audit(transaction, { actor, action: "changed", subject: subject(id), at, before: shownBefore, after });
    return stored ? before.file_key : undefined;
  }).catch(rethrowNameTaken);
}

/** Removes a template. Returns the key of its file, which nothing refers to then. */
export async function removeTemplate(services: Services, caller: Caller, id: number): Promise<string> {
  const { now } = services;
  return inCallerTransaction(services, caller, async (transaction, actor) => {
    requireManager(actor);
    const { file_key } = await findTemplate(transaction, actor, id);
    await transaction.deleteFrom("templates").where("id", "=", id).execute();
    await audit(transaction, { actor, action: "removed", subject: subject(id), at: now(), ...deactivated });
    return file_key;
  });
}

const newFile = "a new file";

const nameColumns = (name: string) => ({ name, name_key: fold(name) });

/** Named one by one, as in the table. */
const fileColumns = ({ key, bytes, pages, width, height, columns, notes }: StoredTemplate) => ({
  file_key: key,
  bytes,
  pages,
  width,
  height,
  columns: JSON.stringify(columns),
  notes: JSON.stringify(notes),
});

/** Without the template's name, which may name a person: erasing one leaves the names of records. */
const subject = (id: number) => ({ entity: "template", id, name: `Template ${id}` }) as const;

function rethrowNameTaken(error: unknown): never {
  if (isUniqueViolation(error)) throw invalid({ name: "There is already a template of this name: enter another" });
  throw error;
}
