import type { Kysely, Updateable } from "kysely";
import type { z } from "zod";
import type { Actor, Caller } from "../access.ts";
import { inCallerTransaction } from "../http/caller-transaction.ts";
import type { updateDocument } from "../contract/document-form.ts";
import { audit, staleConflict } from "../db/audit.ts";
import { dateIn } from "../calendar.ts";
import { auditedDocument, findDocument } from "../db/documents.ts";
import type { Tables } from "../db/tables.ts";
import { documentColumns, insertCustomFields, resolveOwnerAndGroup } from "./issue.ts";
import { type Action, auditActions, transitions } from "./lifecycle.ts";
import { queueDrawing, openToAll } from "./open-pages.ts";
import { markPastReminders } from "./remind.ts";
import { conflict, findReachable } from "../http/errors.ts";
import type { Services } from "../services.ts";

/** Changes to a document that has been issued. Each is one transaction with its entry in the audit trail. */

type Change = z.output<typeof updateDocument.body>;

/** Changes what is kept of a document. A change that builds on an older version than the newest is refused. */
export async function changeDocument(services: Services, caller: Caller, id: number, change: Change) {
  const { now } = services;
  await inCallerTransaction(services, caller, async (transaction, actor) => {
    const before = await findChangeable(transaction, actor, id);
    const parties = await resolveOwnerAndGroup(transaction, actor, change, "write", await ownerOf(transaction, id));
    if (before.status === "archived") throw conflict("This document is in the archive: restore it first");
    if (change.version !== undefined && change.version !== before.version) {
      throw await staleConflict(transaction, actor, "document", id);
    }
    const columns = documentColumns(change, parties);
    const toldBefore = await auditedDocument(transaction, id);
    // Prolonging measures by the period that somebody typed: until its dates are edited, the first one.
    const isSamePeriod = before.date === columns.date && before.expire_date === columns.expire_date;
    const first_expire_date = isSamePeriod ? before.first_expire_date : columns.expire_date;
    await update(transaction, id, { ...columns, first_expire_date });
    const isReminded = before.expire_date === columns.expire_date && before.prolongation === columns.prolongation;
    if (!isReminded) await markPastReminders(transaction, id, columns.expire_date, dateIn(actor.timezone, now()));
    if (columns.access_type === openToAll && before.access_type !== openToAll) await queueDrawing(transaction, before);
    await transaction.deleteFrom("custom_fields").where("document_id", "=", id).execute();
    await insertCustomFields(transaction, id, change.custom_fields);
    const subject = { entity: "document", id, name: change.name } as const;
    // Custom fields that were removed are told as well: they have nothing now.
    const nothing = Object.fromEntries(Object.keys(toldBefore).map((field) => [field, null]));
    const after = { ...nothing, ...(await auditedDocument(transaction, id)) };
    await audit(transaction, actor, "changed", subject, { at: now(), before: toldBefore, after });
  });
  if (change.access_type === openToAll) services.nudgeDrawing();
}

/** Archives, restores, withdraws, takes a withdrawal back or prolongs. */
export async function performAction(services: Services, caller: Caller, id: number, act: Action) {
  const { now } = services;
  await inCallerTransaction(services, caller, async (transaction, actor) => {
    const before = await findChangeable(transaction, actor, id);
    const change = transitions[act](before);
    if (!change) return;
    const toldBefore = await auditedDocument(transaction, id);
    const moved = act === "restore" && (await restoredBranch(transaction, before));
    await update(transaction, id, { ...change, ...moved, ...statusSince(before, change, now()) });
    const { expire_date } = { ...before, ...change };
    if (act === "prolong") await markPastReminders(transaction, id, expire_date, dateIn(actor.timezone, now()));
    const subject = { entity: "document", id, name: before.name } as const;
    const after = await auditedDocument(transaction, id);
    await audit(transaction, actor, auditActions[act], subject, { at: now(), before: toldBefore, after });
  });
}

/** A document is out of force from when it was first withdrawn or archived, until it is active again. */
function statusSince(
  { status_since }: Pick<Tables["documents"], "status_since">,
  { status }: { status?: string },
  now: Date,
) {
  if (!status) return {};
  return { status_since: status === "active" ? null : (status_since ?? now.toISOString()) };
}

const ownerOf = (db: Kysely<Tables>, id: number) =>
  db
    .selectFrom("documents")
    .innerJoin("users", "users.id", "documents.owner_id")
    .where("documents.id", "=", id)
    .select(["owner_id", "documents.branch_id", "users.email_key"])
    .executeTakeFirst();

/** What is restored after its branch was removed comes to its owner's, so that no branch is removed that has documents. */
async function restoredBranch(
  db: Kysely<Tables>,
  { branch_id, owner_id }: { branch_id: number | null; owner_id: number },
) {
  const living = (id: number | null) =>
    db.selectFrom("branches").where("id", "=", id).where("active", "=", 1).select("id").executeTakeFirst();
  if (branch_id === null || (await living(branch_id))) return {};
  const owner = await db.selectFrom("users").where("id", "=", owner_id).select("branch_id").executeTakeFirstOrThrow();
  return { branch_id: (await living(owner.branch_id))?.id ?? null };
}

/** A document that the actor may change: missing where they may not even see it. */
const findChangeable = (db: Kysely<Tables>, actor: Actor, id: number) =>
  findReachable((right) => findDocument(db, actor, id, right), "write");

const update = (db: Kysely<Tables>, id: number, change: Updateable<Tables["documents"]>) =>
  db
    .updateTable("documents")
    .set((eb) => ({ ...change, version: eb("version", "+", 1) }))
    .where("id", "=", id)
    .execute();
