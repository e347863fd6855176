import type { Kysely } from "kysely";
import { type Actor, alertsWithin, type Caller } from "../access.ts";
import { alertTypes, type AlertType, completed } from "../contract/alerts.ts";
import { alertNumber, alertRows } from "../db/alerts.ts";
import { audit } from "../db/audit.ts";
import type { Tables } from "../db/tables.ts";
import { inCallerTransaction } from "../http/caller-transaction.ts";
import { conflict, findReachable } from "../http/errors.ts";
import type { Services } from "../services.ts";

/** Completing and reopening alerts. Each is one transaction with its entry in the audit trail. */

/** An alert in the scope of the actor's right. Throws 403 or 404. */
export const findAlert = (db: Kysely<Tables>, actor: Actor, id: number, right: "read" | "write" = "read") =>
  findReachable(
    (right) => alertRows(db).where("alerts.id", "=", id).where(alertsWithin(actor, right)).executeTakeFirst(),
    right,
  );

/** Completes an alert; its type stays. Throws 409 for a completed one. */
export const complete = (services: Services, caller: Caller, id: number, note: string) =>
  inCallerTransaction(services, caller, async (transaction, actor) => {
    const alert = await findAlert(transaction, actor, id, "write");
    if (alert.status === completed) throw conflict("This alert has been completed already");
    const after = { status: completed, note, reopened_because: "" };
    await setAlertState(transaction, alert, { actor, action: "completed", after, at: services.now() });
  });

/** Reopens a completed alert. Throws 409 for an open one. */
export const reopen = (services: Services, caller: Caller, id: number, reason: string) =>
  inCallerTransaction(services, caller, async (transaction, actor) => {
    const alert = await findAlert(transaction, actor, id, "write");
    if (alert.status !== completed) throw conflict("This alert is open already");
    const after = { status: alertTypes[alert.alert as AlertType], reopened_because: reason };
    await setAlertState(transaction, alert, { actor, action: "reopened", after, at: services.now() });
  });

type AlertState = {
  id: number;
  number: number;
  status: number;
  note: string;
  reopened_because: string;
  version: number;
};

type StateChange = {
  actor: Pick<Actor, "id" | "name" | "company_id">;
  action: "completed" | "reopened";
  /** Reopening leaves the note as it is. */
  after: { status: number; note?: string; reopened_because: string };
  at: Date;
};

/** Changes an alert's state and audits it. `db` is a transaction that holds the company (`inCompanyTransaction`). */
export async function setAlertState(
  db: Kysely<Tables>,
  { id, number, status, note, reopened_because, version }: AlertState,
  { actor, action, after, at }: StateChange,
) {
  const update = db.updateTable("alerts").set({ ...after, version: version + 1 });
  await update.where("id", "=", id).execute();
  const subject = { entity: "alert", id, name: alertNumber(number) } as const;
  await audit(db, { actor, action, subject, at, before: { status, note, reopened_because }, after });
}
