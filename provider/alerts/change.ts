import { type Actor, alertsWithin, type Caller } from "../access.ts";
import { inCallerTransaction } from "../http/caller-transaction.ts";
import type { AuditAction } from "../contract/audit.ts";
import { alertTypes, type AlertType, completed } from "../contract/alerts.ts";
import type { Kysely } from "kysely";
import { alertNumber, alertRows } from "../db/alerts.ts";
import { audit } from "../db/audit.ts";
import type { Tables } from "../db/tables.ts";
import { conflict, findReachable } from "../http/errors.ts";
import type { Services } from "../services.ts";

/** Dealing with alerts. Each act is one transaction with its entry in the audit trail. */

/** An alert that the actor may see; missing otherwise. */
export const findAlert = (db: Kysely<Tables>, actor: Actor, id: number, right: "read" | "write" = "read") =>
  findReachable(
    (right) => alertRows(db).where("alerts.id", "=", id).where(alertsWithin(actor, right)).executeTakeFirst(),
    right,
  );

/** Says that an alert has been dealt with. The type stays; the status says that it is done. */
export const complete = (services: Services, caller: Caller, id: number, note: string) =>
  change(services, caller, id, "completed", ({ status }) => {
    if (status === completed) throw conflict("This alert has been completed already");
    return { status: completed, note };
  });

/** Takes a completed alert up again. */
export const reopen = (services: Services, caller: Caller, id: number, reason: string) =>
  change(services, caller, id, "reopened", ({ status, alert }) => {
    if (status !== completed) throw conflict("This alert is open already");
    return { status: alertTypes[alert as AlertType], note: reason };
  });

type AlertState = { status: number; alert: string };

async function change(
  services: Services,
  caller: Caller,
  id: number,
  action: AuditAction,
  to: (before: AlertState) => { status: number; note: string },
) {
  await inCallerTransaction(services, caller, async (transaction, actor) => {
    const before = await findAlert(transaction, actor, id, "write");
    await setAlertState(transaction, actor, before, action, { ...to(before), at: services.now() });
  });
}

type AlertRow = AlertState & { id: number; number: number; note: string; version: number };
type Outcome = { status: number; note: string; at: Date };

/** Gives an alert another standing and notes who did so. `db` is a transaction that holds the company. */
export async function setAlertState(
  db: Kysely<Tables>,
  by: Pick<Actor, "id" | "name" | "company_id">,
  { id, number, status, note, version }: AlertRow,
  action: AuditAction,
  { at, ...after }: Outcome,
) {
  const update = db.updateTable("alerts").set({ ...after, version: version + 1 });
  await update.where("id", "=", id).execute();
  const subject = { entity: "alert", id, name: alertNumber(number) } as const;
  await audit(db, by, action, subject, { at, before: { status, note }, after });
}
