import type { Complete } from "../contract/call.ts";
import { maxWebhooks, type WebhookEvent, webhookEvents } from "../contract/webhook-events.ts";
import type { Webhook } from "../contract/webhooks.ts";
import type { Db } from "../db/tables.ts";
import { notFound } from "../http/errors.ts";
import { shownPublicKey } from "./keys.ts";

/** Webhooks as replies show them. */

const rows = (db: Db, companyId: number) =>
  db
    .selectFrom("webhooks")
    .where("webhooks.company_id", "=", companyId)
    .selectAll("webhooks")
    .select(({ selectFrom }) => {
      const deliveries = (state: "waiting" | "failed") =>
        selectFrom("webhook_deliveries")
          .whereRef("webhook_id", "=", "webhooks.id")
          .where("state", "=", state)
          .select(({ fn }) => fn.countAll<number>().as("count"));
      const keys = selectFrom("webhook_keys").whereRef("webhook_id", "=", "webhooks.id");
      return [
        deliveries("waiting").as("waiting"),
        deliveries("failed").as("failed"),
        keys.where("ends_at", "is", null).where("private_key", "is not", null).select("public_key").as("public_key"),
        keys.where("ends_at", "is not", null).select("ends_at").as("earlier_key_until"),
      ];
    });

type Row = Awaited<ReturnType<ReturnType<typeof rows>["execute"]>>[number];

function asWebhook({ company_id: _, ...row }: Row, now: Date): Complete<typeof Webhook> {
  const at = now.toISOString();
  return {
    ...row,
    events: eventsOf(row),
    enabled: row.enabled === 1,
    waiting: Number(row.waiting),
    failed: Number(row.failed),
    public_key: row.public_key ? shownPublicKey(row.public_key) : "",
    paused_until: later(row.paused_until, at),
    earlier_key_until: later(row.earlier_key_until, at),
  };
}

/** The events that a stored webhook subscribes to, without ones of a newer Sealdesk. */
export function eventsOf({ events }: { events: string }): WebhookEvent[] {
  const names = JSON.parse(events) as string[];
  return webhookEvents.filter((event) => names.includes(event));
}

/** A time that is still to come; null for others. */
const later = (time: string | null, at: string) => (time !== null && time > at ? time : null);

/** A company's webhooks for a reply, the first one first. */
export async function webhooksOf(db: Db, companyId: number, now: Date) {
  const webhooks = await rows(db, companyId).orderBy("webhooks.id").limit(maxWebhooks).execute();
  return webhooks.map((row) => asWebhook(row, now));
}

/** A webhook of a company. Throws 404. */
export async function webhookReply(db: Db, companyId: number, id: number, now: Date) {
  const webhook = await rows(db, companyId).where("webhooks.id", "=", id).executeTakeFirst();
  if (!webhook) throw notFound();
  return asWebhook(webhook, now);
}

/** A webhook of a company as it is stored. Throws 404. */
export async function findWebhook(db: Db, { company_id }: { company_id: number }, id: number) {
  const webhook = await db
    .selectFrom("webhooks")
    .where("id", "=", id)
    .where("company_id", "=", company_id)
    .selectAll()
    .executeTakeFirst();
  if (!webhook) throw notFound();
  return webhook;
}

/** The columns of a webhook's deliveries that lists show. */
export const deliveriesOf = (db: Db, webhookId: number) =>
  db
    .selectFrom("webhook_deliveries")
    .where("webhook_id", "=", webhookId)
    .select(["id", "event_id", "event", "state", "created_at", "tried_at", "next_at", "attempts", "status"]);

/** A delivery with its body and attempts. Throws 404. */
export async function deliveryReply(db: Db, webhookId: number, id: number) {
  const delivery = await deliveriesOf(db, webhookId).where("id", "=", id).select("body").executeTakeFirst();
  if (!delivery) throw notFound();
  const tries = await db
    .selectFrom("webhook_attempts")
    .where("delivery_id", "=", id)
    .orderBy("id", "desc")
    .select(["at", "status", "problem", "reply", "milliseconds"])
    .execute();
  return { ...delivery, tries };
}
