import type { Kysely, Selectable, Updateable } from "kysely";
import type { z } from "zod";
import type { Actor, Caller } from "../access.ts";
import { inCallerTransaction } from "../http/caller-transaction.ts";
import { openToAll } from "../contract/document-options.ts";
import type { updateDocument } from "../contract/document-form.ts";
import { audit, staleConflict } from "../audit/audit-queries.ts";
import { dateIn } from "../calendar/calendar.ts";
import { auditedDocument, findDocument } from "./document-queries.ts";
import type { Db, Tables } from "../db/tables.ts";
import { documentColumns, insertCustomFields, resolveOwnerAndGroup } from "./columns.ts";
import { type Action, auditActions, transitions } from "./lifecycle.ts";
import { queueDrawing } from "./open-pages.ts";
import { markPastReminders } from "./remind.ts";
import { withdrawalReasonsOf } from "../company/withdrawal-reasons.ts";
import { TRUE } from "../db/flags.ts";
import { conflict, findReachable, invalid } from "../http/errors.ts";
import type { Services } from "../services.ts";
import { noteChangedExpiry } from "../webhooks/expiries.ts";
import { enqueueEvent } from "../webhooks/enqueue.ts";

/** Changes of issued documents. Each is one transaction with its entry in the audit trail. */

type DocumentChange = z.output<typeof updateDocument.body>;

/** Changes a document's fields. Throws 409 for an outdated version. */
export async function changeDocument(services: Services, caller: Caller, id: number, change: DocumentChange) {
  const { now } = services;
  await inCallerTransaction(services, caller, async (transaction, actor) => {
    const before = await findChangeable(transaction, actor, id);
    const current = await currentOwner(transaction, id);
    const ownerAndGroup = await resolveOwnerAndGroup(transaction, actor, change, { right: "write", current });
    if (before.status === "archived") throw conflict("This document is in the archive: restore it first");
    if (change.version !== undefined && change.version !== before.version) {
      throw await staleConflict(transaction, actor, "document", id);
    }
    const columns = documentColumns(change, ownerAndGroup);
    const auditedBefore = await auditedDocument(transaction, id);
    // Prolonging adds the period between the dates that a user entered last.
    const isSamePeriod = before.date === columns.date && before.expire_date === columns.expire_date;
    const first_expire_date = isSamePeriod ? before.first_expire_date : columns.expire_date;
    await update(transaction, id, { ...columns, first_expire_date });
    const isReminded = before.expire_date === columns.expire_date && before.prolongation === columns.prolongation;
    if (!isReminded) await markPastReminders(transaction, id, columns.expire_date, dateIn(actor.timezone, now()));
    if (columns.access_type === openToAll && before.access_type !== openToAll) await queueDrawing(transaction, before);
    await transaction.deleteFrom("custom_fields").where("document_id", "=", id).execute();
    await insertCustomFields(transaction, id, change.custom_fields);
    const subject = { entity: "document", id, name: change.name } as const;
    // Removed custom fields are audited as emptied.
    const emptied = Object.fromEntries(Object.keys(auditedBefore).map((field) => [field, null]));
    const after = { ...emptied, ...(await auditedDocument(transaction, id)) };
    await audit(transaction, { actor, action: "changed", subject, at: now(), before: auditedBefore, after });
    await noteChangedExpiry(services, transaction, before, { before, after: { ...before, ...columns } });
  });
  if (change.access_type === openToAll) services.nudgeDrawing();
}

/** A withdrawal with the id of one of the company's reasons, if any, and a note for users. */
type Withdrawal = { action: "exit"; reason: number | "" | null; note: string };

/** The fields that a withdrawal sets in a document. */
export type EarlierWithdrawal = Pick<
  Selectable<Tables["documents"]>,
  "withdrawal_reason" | "withdrawal_text" | "withdrawal_note" | "replaced_by_id"
>;

type Act = Action | Withdrawal | { action: "exit"; as: EarlierWithdrawal } | { action: "prolong"; allows: true };

/** Archives, restores, withdraws, reactivates or prolongs a document; withdraws it again `as` it was; allows to prolong it. */
export async function performAction(services: Services, caller: Caller, id: number, act: Act) {
  const { now } = services;
  const action = typeof act === "string" ? act : act.action;
  await inCallerTransaction(services, caller, async (transaction, actor) => {
    const before = await findChangeable(transaction, actor, id);
    const allowed = typeof act === "object" && "allows" in act ? { prolongation: 1 } : {};
    const transition = transitions[action]({ ...before, ...allowed });
    if (!transition) return;
    const change = { ...transition, ...allowed, ...(await withdrawalColumns(transaction, actor, act)) };
    const auditedBefore = await auditedDocument(transaction, id);
    const moved = action === "restore" && (await restoredBranch(transaction, before));
    await update(transaction, id, { ...change, ...moved, ...statusSince(before, change, now()) });
    const { expire_date } = { ...before, ...change };
    if (action === "prolong") await markPastReminders(transaction, id, expire_date, dateIn(actor.timezone, now()));
    const subject = { entity: "document", id, name: before.name } as const;
    const after = await auditedDocument(transaction, id);
    await audit(transaction, { actor, action: auditActions[action], subject, at: now(), before: auditedBefore, after });
    await noteAction(services, transaction, before, action);
    if (action === "reactivate")
      await noteChangedExpiry(services, transaction, before, { before, after: { ...before, ...change } });
  });
}

const actionEvents = { exit: "document.withdrawn", archive: "document.archived" } as const;

async function noteAction(services: Services, db: Db, { id, company_id }: Changed, action: Action) {
  if (action !== "exit" && action !== "archive") return;
  const event = { type: actionEvents[action], data: { document_id: id }, company_id, at: services.now() };
  await enqueueEvent(services, db, event);
}

type Changed = { id: number; company_id: number };

type Earlier = { expire_date: string; prolongation?: number };

/** Undoes a prolongation: gives an active document its earlier expire date, and whether it could be prolonged. */
export async function shortenTo(services: Services, caller: Caller, id: number, earlier: Earlier) {
  const { now } = services;
  const { expire_date } = earlier;
  await inCallerTransaction(services, caller, async (transaction, actor) => {
    const document = await findChangeable(transaction, actor, id);
    const { name, status } = document;
    if (status !== "active") throw conflict("Only an active document’s prolongation can be undone");
    const before = await auditedDocument(transaction, id);
    await update(transaction, id, earlier);
    await markPastReminders(transaction, id, expire_date, dateIn(actor.timezone, now()));
    const after = await auditedDocument(transaction, id);
    await audit(transaction, {
      actor,
      action: "changed",
      subject: { entity: "document", id, name },
      at: now(),
      before,
      after,
    });
    await noteChangedExpiry(services, transaction, document, { before: document, after: { status, expire_date } });
  });
}

/** A withdrawal's reason as it is now, and its note; reactivating empties them and undoes a replacement. */
async function withdrawalColumns(db: Kysely<Tables>, actor: Actor, act: Act) {
  if (act === "reactivate") {
    return { withdrawal_reason: null, withdrawal_text: null, withdrawal_note: null, replaced_by_id: null };
  }
  if (typeof act === "string") return {};
  if ("as" in act) return act.as;
  if (act.action === "prolong") return {};
  const { reason: id, note } = act;
  const reason = id ? (await withdrawalReasonsOf(db, actor.company_id)).find((one) => one.id === id) : undefined;
  if (id && !reason) throw invalid({ reason: "This reason was removed meanwhile: choose another" });
  return {
    withdrawal_reason: reason?.name ?? null,
    withdrawal_text: reason?.public_text || null,
    withdrawal_note: note || null,
  };
}

/** Since when a document has not been active: withdrawing and archiving keep the earlier instant. */
function statusSince(
  { status_since }: Pick<Tables["documents"], "status_since">,
  { status }: { status?: string },
  now: Date,
) {
  if (!status) return {};
  return { status_since: status === "active" ? null : (status_since ?? now.toISOString()) };
}

const currentOwner = (db: Kysely<Tables>, id: number) =>
  db
    .selectFrom("documents")
    .innerJoin("users", "users.id", "documents.owner_id")
    .where("documents.id", "=", id)
    .select(["owner_id", "documents.branch_id", "users.email_key"])
    .executeTakeFirst();

/** A document whose branch was removed is restored to its owner's, as removed branches have no documents. */
async function restoredBranch(
  db: Kysely<Tables>,
  { branch_id, owner_id }: { branch_id: number | null; owner_id: number },
) {
  const living = (id: number | null) =>
    db.selectFrom("branches").where("id", "=", id).where("active", "=", TRUE).select("id").executeTakeFirst();
  if (branch_id === null || (await living(branch_id))) return {};
  const owner = await db.selectFrom("users").where("id", "=", owner_id).select("branch_id").executeTakeFirstOrThrow();
  return { branch_id: (await living(owner.branch_id))?.id ?? null };
}

/** A document that the actor may change. Throws 403 or 404. */
const findChangeable = (db: Kysely<Tables>, actor: Actor, id: number) =>
  findReachable((right) => findDocument(db, actor, id, right), "write");

const update = (db: Kysely<Tables>, id: number, change: Updateable<Tables["documents"]>) =>
  db
    .updateTable("documents")
    .set((eb) => ({ ...change, version: eb("version", "+", 1) }))
    .where("id", "=", id)
    .execute();
