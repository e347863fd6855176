import { fold } from "#lib/text.ts";
import type { Actor, Caller } from "../access.ts";
import type { AuditAction } from "../contract/audit.ts";
import { maxWithdrawalReasons } from "../contract/withdrawal-reasons.ts";
import { audit } from "../audit/audit-queries.ts";
import { companySubject } from "./company-queries.ts";
import type { Db } from "../db/tables.ts";
import { inCallerTransaction } from "../http/caller-transaction.ts";
import { conflict, invalid, notFound } from "../http/errors.ts";
import type { Services } from "../services.ts";

/** A company's reasons for withdrawing documents. Withdrawals keep what a reason was, so that it can go. */

type Reason = { id: number; name: string; public_text: string };
type ReasonInput = Omit<Reason, "id">;

/** Those of a new company. */
const firstReasons: ReasonInput[] = [
  { name: "Issued by mistake", public_text: "It was issued by mistake." },
  { name: "Wrong contents", public_text: "Its contents were not correct." },
  { name: "Ended early", public_text: "What it is about ended before its time." },
  { name: "Lost or stolen", public_text: "It was lost or stolen." },
  { name: "Another reason", public_text: "" },
];

/** Inserts the reasons of a new company. */
export const insertFirstReasons = (db: Db, company_id: number) =>
  db
    .insertInto("withdrawal_reasons")
    .values(firstReasons.map((reason, index) => ({ ...reason, company_id, n: index + 1 })))
    .execute();

/** A company's reasons in its order. */
export const withdrawalReasonsOf = (db: Db, companyId: number): Promise<Reason[]> =>
  db
    .selectFrom("withdrawal_reasons")
    .where("company_id", "=", companyId)
    .orderBy("n")
    .orderBy("id")
    .select(["id", "name", "public_text"])
    .execute();

/** Adds a reason as the last one. Throws 409 if there are too many, 422 for a name that another one has. */
export const addReason = (services: Services, caller: Caller, input: ReasonInput): Promise<Reason> =>
  inCallerTransaction(services, caller, async (db, actor) => {
    const reasons = await withdrawalReasonsOf(db, actor.company_id);
    if (reasons.length >= maxWithdrawalReasons) {
      throw conflict(`There can be ${maxWithdrawalReasons} withdrawal reasons: remove one first`);
    }
    requireFreeName(reasons, input.name);
    const row = { ...input, company_id: actor.company_id, n: reasons.length + 1 };
    const { id } = await db.insertInto("withdrawal_reasons").values(row).returning("id").executeTakeFirstOrThrow();
    await setOrder(db, [...reasons.map((reason) => reason.id), id]);
    await auditReason(db, services, actor, { action: "withdrawal reason added", after: input });
    return { id, ...input };
  });

/** Changes a reason's name and text. Throws 404, and 422 for a name that another one has. */
export const changeReason = (services: Services, caller: Caller, id: number, input: ReasonInput): Promise<Reason> =>
  inCallerTransaction(services, caller, async (db, actor) => {
    const { reasons, reason } = await findReason(db, actor, id);
    requireFreeName(
      reasons.filter((one) => one !== reason),
      input.name,
    );
    const { name, public_text } = reason;
    if (name === input.name && public_text === input.public_text) return reason;
    await db.updateTable("withdrawal_reasons").set(input).where("id", "=", id).execute();
    await auditReason(db, services, actor, { action: "withdrawal reason changed", before: reason, after: input });
    return { id, ...input };
  });

/** Moves a reason to a place, from 1; beyond the end it becomes the last. Throws 404. */
export const moveReason = (services: Services, caller: Caller, id: number, place: number): Promise<Reason[]> =>
  inCallerTransaction(services, caller, async (db, actor) => {
    const { reasons, reason } = await findReason(db, actor, id);
    const moved = reasons.filter((one) => one !== reason).toSpliced(place - 1, 0, reason);
    if (moved.every((one, index) => one === reasons[index])) return reasons;
    await setOrder(
      db,
      moved.map((one) => one.id),
    );
    const placeIn = (list: Reason[]) => list.indexOf(reason) + 1;
    const subject = await companySubject(db, actor.company_id);
    await audit(db, {
      actor,
      action: "withdrawal reason moved",
      subject,
      at: services.now(),
      before: { withdrawal_place: placeIn(reasons) },
      after: { withdrawal_reason: reason.name, withdrawal_place: placeIn(moved) },
    });
    return moved;
  });

/** Removes a reason; withdrawals keep it. Throws 404. */
export const removeReason = (services: Services, caller: Caller, id: number): Promise<void> =>
  inCallerTransaction(services, caller, async (db, actor) => {
    const { reason } = await findReason(db, actor, id);
    await db.deleteFrom("withdrawal_reasons").where("id", "=", id).execute();
    await auditReason(db, services, actor, { action: "withdrawal reason removed", before: reason });
  });

function requireFreeName(others: Reason[], name: string) {
  if (others.some((other) => fold(other.name) === fold(name))) {
    throw invalid({ name: "There is already a reason with this name: enter another" });
  }
}

async function findReason(db: Db, actor: Actor, id: number) {
  const reasons = await withdrawalReasonsOf(db, actor.company_id);
  const reason = reasons.find((one) => one.id === id);
  if (!reason) throw notFound();
  return { reasons, reason };
}

async function setOrder(db: Db, ids: number[]) {
  for (const [index, id] of ids.entries()) {
    const update = db.updateTable("withdrawal_reasons").set({ n: index + 1 });
    await update.where("id", "=", id).execute();
  }
}

type Change = { action: AuditAction; before?: ReasonInput; after?: ReasonInput };

async function auditReason(db: Db, services: Services, actor: Actor, { action, before, after }: Change) {
  const subject = await companySubject(db, actor.company_id);
  const fields = (input: ReasonInput | undefined) => ({
    withdrawal_reason: input?.name ?? null,
    withdrawal_text: input?.public_text ?? null,
  });
  await audit(db, { actor, action, subject, at: services.now(), before: fields(before), after: fields(after) });
}
