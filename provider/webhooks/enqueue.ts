import { randomUUID } from "node:crypto";
import { type DeliveryState, maxDeliveries, type NotedEvent, type WebhookEvent } from "../contract/webhook-events.ts";
import type { Db } from "../db/tables.ts";
import type { Services } from "../services.ts";
import { eventsOf } from "./webhook-queries.ts";

/**
 * The outbox of webhooks (transactional outbox pattern): a delivery is inserted in the transaction of the change that it
 * reports, so that neither is without the other, and is sent by a job (`deliver.ts`) under the same id until it arrives.
 */

/** The data of an event: ids alone, as receivers request the rest with their own rights. */
type EventData = {
  "document.issued": { document_id: number };
  "document.withdrawn": { document_id: number };
  "document.replaced": { document_id: number; replaced_by_id: number };
  "document.archived": { document_id: number };
  "document.expired": { document_id: number };
  "alert.raised": { alert_id: number; document_id: number };
  "alert.changed": { alert_id: number; document_id: number; change: "completed" | "reopened" | "assigned" };
  "bulk.finished": { bulk_issue_id: number } | { bulk_action_id: number };
};

type WebhookEventData = {
  [Type in WebhookEvent]: { type: Type; data: EventData[Type]; company_id: number; at: Date };
}[WebhookEvent];

/** The services that enqueuing needs besides the transaction. */
export type WebhookQueue = Pick<Services, "nudgeWebhooks">;

/** Enqueues an event for the company's webhooks that subscribe to it. `db` is the transaction of the change. */
export async function enqueueEvent(services: WebhookQueue, db: Db, { type, data, company_id, at }: WebhookEventData) {
  const webhooks = await db
    .selectFrom("webhooks")
    .where("company_id", "=", company_id)
    .where("enabled", "=", 1)
    .select(["id", "events"])
    .execute();
  const subscribers = webhooks.filter((webhook) => eventsOf(webhook).includes(type));
  if (subscribers.length === 0) return;
  const event = { type, data, at };
  const event_id = newEventId();
  for (const { id } of subscribers) await insertDelivery(db, { webhook_id: id, event_id, ...event });
  services.nudgeWebhooks?.();
}

/** `evt_` and 32 digits: the `webhook-id` of an event's deliveries. */
export const newEventId = () => `evt_${randomUUID().replaceAll("-", "")}`;

type NewDelivery = { webhook_id: number; event_id: string; type: NotedEvent; data: object; at: Date };

/** Inserts a delivery, and drops the oldest beyond the webhook's limit. Returns its id. */
export async function insertDelivery(db: Db, { webhook_id, event_id, type, data, at }: NewDelivery): Promise<number> {
  const time = at.toISOString();
  const { id } = await db
    .insertInto("webhook_deliveries")
    .values({
      webhook_id,
      event_id,
      event: type,
      body: JSON.stringify({ type, timestamp: time, data }),
      state: "waiting",
      created_at: time,
      begun_at: time,
      next_at: time,
      attempts: 0,
    })
    .returning("id")
    .executeTakeFirstOrThrow();
  await dropOldest(db, webhook_id, at);
  return id;
}

/** Finished ones go first; dropped waiting ones are counted. */
async function dropOldest(db: Db, webhookId: number, at: Date) {
  const { count } = await db
    .selectFrom("webhook_deliveries")
    .where("webhook_id", "=", webhookId)
    .select(({ fn }) => fn.countAll<number>().as("count"))
    .executeTakeFirstOrThrow();
  let excess = Number(count) - maxDeliveries;
  if (excess > 0) await lockWebhook(db, webhookId);
  for (const state of ["delivered", "failed", "waiting"] as const) {
    if (excess <= 0) return;
    const dropped = await deleteOldest(db, webhookId, { state, count: excess });
    if (state === "waiting") await countDropped(db, webhookId, dropped, at);
    excess -= dropped;
  }
}

/** Locks a webhook's row before those of its deliveries, as all transactions that need both do. */
export const lockWebhook = (db: Db, id: number) =>
  db
    .updateTable("webhooks")
    .set((eb) => ({ version: eb.ref("version") }))
    .where("id", "=", id)
    .execute();

async function deleteOldest(db: Db, webhookId: number, { state, count }: { state: DeliveryState; count: number }) {
  const oldest = db
    .selectFrom("webhook_deliveries")
    .where("webhook_id", "=", webhookId)
    .where("state", "=", state)
    .orderBy("id")
    .limit(count)
    .select("id");
  const { numDeletedRows } = await db.deleteFrom("webhook_deliveries").where("id", "in", oldest).executeTakeFirst();
  return Number(numDeletedRows);
}

/** Counts deliveries that went unsent. */
export const countDropped = (db: Db, webhookId: number, count: number, at: Date) =>
  db
    .updateTable("webhooks")
    .set((eb) => ({ dropped: eb("dropped", "+", count), dropped_at: at.toISOString() }))
    .where("id", "=", webhookId)
    .execute();
