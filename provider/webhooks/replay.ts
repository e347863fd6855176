import type { Caller } from "../access.ts";
import { startOfDay } from "../calendar/calendar.ts";
import { testEvent } from "../contract/webhook-events.ts";
import type { Db } from "../db/tables.ts";
import { inCallerTransaction } from "../http/caller-transaction.ts";
import { conflict, notFound } from "../http/errors.ts";
import type { Services } from "../services.ts";
import { insertDelivery, newEventId } from "./enqueue.ts";
import { findWebhook } from "./webhook-queries.ts";

/** Deliveries that users request: tests, and earlier ones again. */

/** Sends a test event. Returns the delivery's id. Throws 409 for a webhook that is off. */
export async function sendTest(services: Services, caller: Caller, id: number): Promise<number> {
  const delivery = await inCallerTransaction(services, caller, async (transaction, actor) => {
    requireOn(await findWebhook(transaction, actor, id));
    const event = { webhook_id: id, event_id: newEventId(), type: testEvent, data: {}, at: services.now() } as const;
    return insertDelivery(transaction, event);
  });
  services.nudgeWebhooks?.();
  return delivery;
}

/** Sends a delivery again, or one that waits at once. Throws 409 for a webhook that is off. */
export async function replay(services: Services, caller: Caller, { id, n }: { id: number; n: number }) {
  await inCallerTransaction(services, caller, async (transaction, actor) => {
    requireOn(await findWebhook(transaction, actor, id));
    const again = dueNow(transaction, services.now()).where("webhook_id", "=", id).where("id", "=", n);
    const { numUpdatedRows } = await again.executeTakeFirst();
    if (numUpdatedRows === 0n) throw notFound();
  });
  services.nudgeWebhooks?.();
}

/** Sends failed deliveries again, of events since the beginning of a day, or all. Returns how many. */
export async function replayFailed(services: Services, caller: Caller, id: number, since: string): Promise<number> {
  const count = await inCallerTransaction(services, caller, async (transaction, actor) => {
    requireOn(await findWebhook(transaction, actor, id));
    const failed = dueNow(transaction, services.now()).where("webhook_id", "=", id).where("state", "=", "failed");
    const from = since && startOfDay(actor.timezone, since);
    const { numUpdatedRows } = await failed.where("created_at", ">=", from).executeTakeFirst();
    return Number(numUpdatedRows);
  });
  services.nudgeWebhooks?.();
  return count;
}

function dueNow(db: Db, now: Date) {
  const at = now.toISOString();
  return db.updateTable("webhook_deliveries").set({ state: "waiting", begun_at: at, next_at: at, attempts: 0 });
}

function requireOn({ enabled }: { enabled: number }) {
  if (!enabled) throw conflict("This webhook is off: switch it on first");
}
