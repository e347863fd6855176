import type { DisabledBecause } from "../contract/webhook-events.ts";
import { webhookAccess } from "../contract/webhooks.ts";
import { audit, system } from "../audit/audit-queries.ts";
import type { Db } from "../db/tables.ts";
import { webhookDisabledMessage } from "../mail/messages.ts";
import { mailManagers } from "../mail/managers.ts";
import type { Services } from "../services.ts";

/** Switching off webhooks whose receivers are gone, with a mail to those who can switch them on again. */

type Disabled = { id: number; company_id: number; because: Exclude<DisabledBecause, "user"> };

/** Switches a webhook off and mails those who manage webhooks, in the transaction of the attempt that failed. */
export async function disableWebhook(services: Services, db: Db, { id, company_id, because }: Disabled) {
  const at = services.now();
  const { name } = await db
    .updateTable("webhooks")
    .set((eb) => ({ ...offSince(because, at), version: eb("version", "+", 1) }))
    .where("id", "=", id)
    .returning("name")
    .executeTakeFirstOrThrow();
  const change = { before: { enabled: true }, after: { enabled: false, disabled_because: because } };
  const actor = { ...system, company_id };
  await audit(db, { actor, action: "changed", subject: webhookSubject(id), at, ...change });
  await mailManagers(services, db, { company_id, access: webhookAccess }, (user) =>
    webhookDisabledMessage(user, { id, name, because }, services.publicUrl),
  );
}

/** Switches off webhooks whose keys a backup did not have. Returns how many. */
export async function disableWithoutKeys(db: Db, at: Date): Promise<number> {
  const withKeys = db.selectFrom("webhook_keys").where("private_key", "is not", null).select("webhook_id");
  const { numUpdatedRows } = await db
    .updateTable("webhooks")
    .set(offSince("restored", at))
    .where("enabled", "=", 1)
    .where("id", "not in", withKeys)
    .executeTakeFirst();
  return Number(numUpdatedRows);
}

/** The columns of a webhook that is switched off. */
export const offSince = (because: DisabledBecause, at: Date) => ({
  enabled: 0,
  disabled_because: because,
  disabled_at: at.toISOString(),
  paused_until: null,
});

/** Without the webhook's name, which may name a person: erasing one leaves the names of records. */
export const webhookSubject = (id: number) => ({ entity: "webhook", id, name: `Webhook ${id}` }) as const;
