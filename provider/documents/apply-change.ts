import type { Kysely, Selectable, Updateable } from "kysely";
import type { z } from "zod";
import type { Actor } from "../access.ts";
import { openToAll } from "../contract/document-options.ts";
import type { updateDocument } from "../contract/document-form.ts";
import { audit, type Values } from "../audit/audit-queries.ts";
import { dateIn } from "../calendar/calendar.ts";
import { auditedDocument, type findDocument } from "./document-queries.ts";
import type { Db, Tables } from "../db/tables.ts";
import { documentColumns, insertCustomFields, type OwnerAndGroup } from "./columns.ts";
import { type Action, auditActions, transitions } from "./lifecycle.ts";
import { queueDrawing } from "./open-pages.ts";
import { markPastReminders } from "./remind.ts";
import { withdrawalReasonsOf } from "../company/withdrawal-reasons.ts";
import { TRUE } from "../db/flags.ts";
import { invalid } from "../http/errors.ts";
import { tellRecipients } from "../recipients/recipients.ts";
import type { Services } from "../services.ts";
import { noteChangedExpiry } from "../webhooks/expiries.ts";
import { enqueueEvent } from "../webhooks/enqueue.ts";

/** Changes of issued documents that are allowed, and that no rule holds back. Each has its entry in the audit trail. */

export type DocumentChange = z.output<typeof updateDocument.body>;

/** A document that is changed, in a transaction; of a release with who drafted it and who released it. */
export type Changing = {
  services: Services;
  db: Db;
  actor: Actor;
  before: NonNullable<Awaited<ReturnType<typeof findDocument>>>;
  persons?: Values;
};

/** Changes a document's fields. */
export async function applyChange(changing: Changing, change: DocumentChange, ownerAndGroup: OwnerAndGroup) {
  const { services, db, actor, before, persons } = changing;
  const { now } = services;
  const { id } = before;
  const columns = documentColumns(change, ownerAndGroup);
  const auditedBefore = await auditedDocument(db, id);
  // Prolonging adds the period between the dates that a user entered last.
  const isSamePeriod = before.date === columns.date && before.expire_date === columns.expire_date;
  const first_expire_date = isSamePeriod ? before.first_expire_date : columns.expire_date;
  await updateVersion(db, id, { ...columns, first_expire_date });
  const isReminded = before.expire_date === columns.expire_date && before.prolongation === columns.prolongation;
  if (!isReminded) await markPastReminders(db, id, columns.expire_date, dateIn(actor.timezone, now()));
  if (columns.access_type === openToAll && before.access_type !== openToAll) await queueDrawing(db, before);
  await db.deleteFrom("custom_fields").where("document_id", "=", id).execute();
  await insertCustomFields(db, id, change.custom_fields);
  const subject = { entity: "document", id, name: change.name } as const;
  // Removed custom fields are audited as emptied.
  const emptied = Object.fromEntries(Object.keys(auditedBefore).map((field) => [field, null]));
  const after = { ...emptied, ...(await auditedDocument(db, id)), ...persons };
  await audit(db, { actor, action: "changed", subject, at: now(), before: auditedBefore, after });
  await noteChangedExpiry(services, db, before, { before, after: { ...before, ...columns } });
}

/** A withdrawal with the id of one of the company's reasons, if any, and a note for users. */
type Withdrawal = { action: "exit"; reason: number | "" | null; note: string };

/** The fields that a withdrawal sets in a document. */
export type EarlierWithdrawal = Pick<
  Selectable<Tables["documents"]>,
  "withdrawal_reason" | "withdrawal_text" | "withdrawal_note" | "replaced_by_id"
>;

export type Act = Action | Withdrawal | { action: "exit"; as: EarlierWithdrawal } | { action: "prolong"; allows: true };

export const actionOf = (act: Act): Action => (typeof act === "string" ? act : act.action);

/** The columns that an act changes; undefined if the document is in that state. Throws 409 if it can't be. */
export async function changeOf({ db, actor, before }: Changing, act: Act) {
  const allowed = typeof act === "object" && "allows" in act ? { prolongation: 1 } : {};
  const transition = transitions[actionOf(act)]({ ...before, ...allowed });
  return transition ? { ...transition, ...allowed, ...(await withdrawalColumns(db, actor, act)) } : undefined;
}

type ActColumns = NonNullable<Awaited<ReturnType<typeof changeOf>>>;

/** Makes the change of an act (`changeOf`). */
export async function applyAct({ services, db, actor, before, persons }: Changing, act: Act, change: ActColumns) {
  const { now } = services;
  const [{ id }, action] = [before, actionOf(act)];
  const auditedBefore = await auditedDocument(db, id);
  const moved = action === "restore" && (await restoredBranch(db, before));
  await updateVersion(db, id, { ...change, ...moved, ...statusSince(before, change, now()) });
  const { expire_date } = { ...before, ...change };
  if (action === "prolong") await markPastReminders(db, id, expire_date, dateIn(actor.timezone, now()));
  const subject = { entity: "document", id, name: before.name } as const;
  const after = { ...(await auditedDocument(db, id)), ...persons };
  await audit(db, { actor, action: auditActions[action], subject, at: now(), before: auditedBefore, after });
  await noteAction(services, db, before, action);
  if (action === "exit") await tellRecipients(services, db, before);
  if (action === "reactivate")
    await noteChangedExpiry(services, db, before, { before, after: { ...before, ...change } });
}

const actionEvents = { exit: "document.withdrawn", archive: "document.archived" } as const;

async function noteAction(services: Services, db: Db, { id, company_id }: Changing["before"], action: Action) {
  if (action !== "exit" && action !== "archive") return;
  const event = { type: actionEvents[action], data: { document_id: id }, company_id, at: services.now() };
  await enqueueEvent(services, db, event);
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

export const updateVersion = (db: Kysely<Tables>, id: number, change: Updateable<Tables["documents"]>) =>
  db
    .updateTable("documents")
    .set((eb) => ({ ...change, version: eb("version", "+", 1) }))
    .where("id", "=", id)
    .execute();
