import type { Kysely } from "kysely";
import { type Actor, alertsWithin, type Caller } from "../access.ts";
import { alertTypes, type AlertType, type CaseState, completed, type Outcome } from "../contract/alerts.ts";
import { alertNumber, alertRows } from "./alert-queries.ts";
import { audit } from "../audit/audit-queries.ts";
import type { Tables } from "../db/tables.ts";
import { inCallerTransaction } from "../http/caller-transaction.ts";
import { conflict, findReachable } from "../http/errors.ts";
import type { Services } from "../services.ts";
import { enqueueEvent, type WebhookQueue } from "../webhooks/enqueue.ts";

/** Completing, reopening and first looks. Each is one transaction with its entry in the audit trail. */

/** An alert in the scope of the actor's right. Throws 403 or 404. */
export const findAlert = (db: Kysely<Tables>, actor: Actor, id: number, right: "read" | "write" = "read") =>
  findReachable(
    (right) => alertRows(db).where("alerts.id", "=", id).where(alertsWithin(actor, right)).executeTakeFirst(),
    right,
  );

/** Completes an alert with an outcome; its type stays. Throws 409 for a completed one. */
export const complete = (services: Services, caller: Caller, id: number, { note, outcome = "done" }: Completion) =>
  inCallerTransaction(services, caller, async (transaction, actor) => {
    const alert = await findAlert(transaction, actor, id, "write");
    if (alert.status === completed) throw conflict("This alert has been completed already");
    const at = services.now();
    await noteFirstLook(transaction, actor, alert, at);
    const after = { status: completed, case_state: outcome, note, reopened_because: "" };
    await setAlertState(services, transaction, alert, { actor, action: "completed", after, at });
  });

type Completion = { note: string; outcome?: Outcome };

/** Reopens a completed alert: in work for its owner, or else new. Throws 409 for an open one. */
export const reopen = (services: Services, caller: Caller, id: number, reason: string) =>
  inCallerTransaction(services, caller, async (transaction, actor) => {
    const alert = await findAlert(transaction, actor, id, "write");
    if (alert.status !== completed) throw conflict("This alert is open already");
    const state = openState(alert);
    const after = { status: alertTypes[alert.alert as AlertType], ...state, reopened_because: reason };
    await setAlertState(services, transaction, alert, { actor, action: "reopened", after, at: services.now() });
  });

/** The state of an open alert: that of one with an owner is in work. */
export const openState = ({ owner_id }: { owner_id: number | null }) => ({
  case_state: owner_id === null ? ("new" as const) : ("in work" as const),
});

/** Notes that a user who may change an alert has seen it, once. */
export const see = (services: Services, caller: Caller, id: number) =>
  inCallerTransaction(services, caller, async (transaction, actor) => {
    const alert = await findAlert(transaction, actor, id, "write");
    await noteFirstLook(transaction, actor, alert, services.now());
  });

type Unseen = { id: number; number: number; first_seen_at: string | null };

/** The same within another change of the alert, which its author has seen. */
export async function noteFirstLook(db: Kysely<Tables>, actor: Actor, { id, number, first_seen_at }: Unseen, at: Date) {
  if (first_seen_at !== null) return;
  const seen = { first_seen_at: at.toISOString(), first_seen_by: actor.id };
  await db.updateTable("alerts").set(seen).where("id", "=", id).execute();
  await audit(db, { actor, action: "first seen", subject: alertSubject({ id, number }), at });
}

/** An alert in the audit trail. */
export const alertSubject = ({ id, number }: { id: number; number: number }) =>
  ({ entity: "alert", id, name: alertNumber(number) }) as const;

type AlertState = {
  id: number;
  document_id: number;
  number: number;
  status: number;
  case_state: CaseState;
  note: string;
  reopened_because: string;
  version: number;
};

type StateChange = {
  actor: Pick<Actor, "id" | "name" | "company_id">;
  action: "completed" | "reopened";
  /** Reopening leaves the note as it is. */
  after: { status: number; case_state: CaseState; note?: string; reopened_because: string };
  at: Date;
};

/** Changes an alert's state, audits it and notes the event. `db` is a transaction that holds the company (`inCompanyTransaction`). */
export async function setAlertState(
  services: WebhookQueue,
  db: Kysely<Tables>,
  alert: AlertState,
  { actor, action, after, at }: StateChange,
) {
  const { id, document_id, status, case_state, note, reopened_because, version } = alert;
  const completed_at = action === "completed" ? at.toISOString() : null;
  const update = db.updateTable("alerts").set({ ...after, completed_at, version: version + 1 });
  await update.where("id", "=", id).execute();
  const before = { status, case_state, note, reopened_because };
  await audit(db, { actor, action, subject: alertSubject(alert), at, before, after });
  const data = { alert_id: id, document_id, change: action };
  await enqueueEvent(services, db, { type: "alert.changed", data, company_id: actor.company_id, at });
}
