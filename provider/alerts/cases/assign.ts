import type { Kysely } from "kysely";
import { foldEmail } from "#lib/text.ts";
import type { Actor, Caller } from "../../access.ts";
import { completed } from "../../contract/alerts.ts";
import { groupsOf } from "../../access-groups/access-group-queries.ts";
import { audit } from "../../audit/audit-queries.ts";
import { alertReadersOf } from "../../documents/readers.ts";
import type { Tables } from "../../db/tables.ts";
import { inCallerTransaction } from "../../http/caller-transaction.ts";
import { conflict, invalid } from "../../http/errors.ts";
import { isAllowed, limitByKey } from "../../http/rate-limits.ts";
import { assignedMessage } from "../../mail/messages.ts";
import { enqueueMessage } from "../../mail/outbox.ts";
import type { Services } from "../../services.ts";
import { enqueueEvent } from "../../webhooks/enqueue.ts";
import { alertSubject, findAlert, noteFirstLook, openState } from "../change-alert.ts";

/**
 * Gives an open alert an owner: `me`, an email address or an id; empty for none. A new owner is mailed unless they took
 * it themselves. Throws 409 for a completed one, 422 for a user who may not read the alert.
 */
export async function assign(services: Services, caller: Caller, id: number, owner: string) {
  const message = await inCallerTransaction(services, caller, async (transaction, actor) => {
    const alert = await findAlert(transaction, actor, id, "write");
    if (alert.status === completed) throw conflict("This alert has been completed: reopen it to assign it");
    const next = owner === "" ? undefined : await findOwner(transaction, actor, alert.document_id, owner);
    const at = services.now();
    await noteFirstLook(transaction, actor, alert, at);
    if ((next?.id ?? null) === alert.owner_id) return undefined;
    const state = openState({ owner_id: next?.id ?? null });
    await transaction
      .updateTable("alerts")
      .set({ owner_id: next?.id ?? null, ...state, version: alert.version + 1 })
      .where("id", "=", id)
      .execute();
    const before = { owner: alert.owner ?? "", case_state: alert.case_state };
    const after = { owner: next?.name ?? "", ...state };
    await audit(transaction, { actor, action: "assigned", subject: alertSubject(alert), at, before, after });
    const data = { alert_id: id, document_id: alert.document_id, change: "assigned" as const };
    await enqueueEvent(services, transaction, { type: "alert.changed", data, company_id: actor.company_id, at });
    if (!next || next.id === actor.id) return undefined;
    const to = { email: next.email, timezone: actor.timezone };
    return { userId: next.id, mail: assignedMessage(to, actor.name, alert, services.publicUrl) };
  });
  if (!message) return;
  // Counted after the transaction, which holds SQLite's only connection.
  const limit = limitByKey(services, "alert_assigned");
  if (!(await isAllowed(() => limit.count(String(message.userId))))) return;
  await enqueueMessage(services, services.db, message.mail, { userId: message.userId });
  services.nudgeMail();
}

/** The user that an actor names. A user who may not read the alert is refused like an unknown one. */
async function findOwner(db: Kysely<Tables>, actor: Actor, documentId: number, named: string) {
  if (named.toLowerCase() === "me") return actor;
  const groups = await groupsOf(db, actor.company_id).selectAll().execute();
  const readers = alertReadersOf(db, { id: documentId, company_id: actor.company_id }, groups);
  const isId = /^[1-9]\d{0,8}$/.test(named);
  const colleague = await readers
    .where((eb) => (isId ? eb("users.id", "=", Number(named)) : eb("users.email_key", "=", foldEmail(named))))
    .executeTakeFirst();
  if (!colleague) throw invalid({ owner: "Nobody with this email address may see this alert: choose a colleague" });
  return colleague;
}
