import type { Selectable } from "kysely";
import { ago } from "../calendar/calendar.ts";
import { daysInMs } from "#lib/units.ts";
import { deliveryDays, type DisabledBecause, tryingDays } from "../contract/webhook-events.ts";
import type { Db, Tables } from "../db/tables.ts";
import type { Services } from "../services.ts";
import { disableWebhook } from "./disable.ts";
import { deleteEndedKeys } from "./keys.ts";
import { countDropped, lockWebhook } from "./enqueue.ts";
import type { PostResult } from "./http-post.ts";
import { nextAttempt, pauseAfter, pauseMs } from "./schedule.ts";

/** Stores what came of an attempt: the delivery's next one, the state of its webhook, and the attempt itself. */

type Attempt = {
  webhook: { id: number; company_id: number };
  delivery: Selectable<Tables["webhook_deliveries"]>;
  at: Date;
  posted: PostResult;
};

const maxAttemptsShown = 30;
const gone = 410;

/** Stores an attempt in one transaction, which also switches the webhook off if it is the last one. */
export async function storeAttempt(services: Services, { webhook, delivery, at, posted }: Attempt) {
  const { db, now } = services;
  const { id, begun_at } = delivery;
  const { status, problem, reply, milliseconds, retryAfter } = posted;
  const attempts = delivery.attempts + 1;
  const isDelivered = problem === "";
  const pause = isDelivered ? 0 : pauseMs(retryAfter, now());
  const next = isDelivered || status === gone ? undefined : nextAttempt({ begun_at, attempts }, now());
  const time = now().toISOString();
  const isDisabled = await db.transaction().execute(async (transaction) => {
    await lockWebhook(transaction, webhook.id);
    const { numUpdatedRows } = await transaction
      .updateTable("webhook_deliveries")
      .set({
        state: isDelivered ? "delivered" : next ? "waiting" : "failed",
        next_at: next?.toISOString() ?? null,
        attempts,
        status,
        tried_at: at.toISOString(),
      })
      .where("id", "=", id)
      .where("state", "=", "waiting")
      .executeTakeFirst();
    // It was dropped, or its webhook removed, during the attempt.
    if (numUpdatedRows === 0n) return false;
    await insertAttempt(transaction, { delivery_id: id, at: at.toISOString(), status, problem, reply, milliseconds });
    if (isDelivered) {
      await noteSuccess(transaction, webhook.id, time);
      return false;
    }
    const because = await noteFailure(transaction, webhook.id, { at: now(), pause, status, isGivenUp: !next });
    if (because) await disableWebhook(services, transaction, { ...webhook, because });
    return because !== undefined;
  });
  if (isDisabled) services.nudgeMail();
}

async function insertAttempt(db: Db, attempt: Omit<Selectable<Tables["webhook_attempts"]>, "id">) {
  await db.insertInto("webhook_attempts").values(attempt).execute();
  const newest = db
    .selectFrom("webhook_attempts")
    .where("delivery_id", "=", attempt.delivery_id)
    .orderBy("id", "desc")
    .limit(maxAttemptsShown)
    .select("id");
  const others = db.deleteFrom("webhook_attempts").where("delivery_id", "=", attempt.delivery_id);
  await others.where("id", "not in", newest).execute();
}

const noteSuccess = (db: Db, id: number, time: string) =>
  db
    .updateTable("webhooks")
    .set({ failures: 0, failing_since: null, paused_until: null, succeeded_at: time })
    .where("id", "=", id)
    .execute();

type Failure = { at: Date; pause: number; status: number | null; isGivenUp: boolean };

/** Returns why the webhook is to be switched off, if it is. */
async function noteFailure(db: Db, id: number, { at, pause, status, isGivenUp }: Failure) {
  const webhook = db.updateTable("webhooks").where("id", "=", id);
  const { failures, failing_since } = await webhook
    .set((eb) => ({
      failures: eb("failures", "+", 1),
      failing_since: eb.fn.coalesce("failing_since", eb.val(at.toISOString())),
    }))
    .returning(["failures", "failing_since"])
    .executeTakeFirstOrThrow();
  const ms = Math.max(pause, pauseAfter(failures));
  if (ms > 0) await webhook.set({ paused_until: new Date(at.getTime() + ms).toISOString() }).execute();
  if (status === gone) return "gone" satisfies DisabledBecause;
  const isFailingLong = failing_since! <= ago(at, daysInMs(tryingDays));
  return isGivenUp && isFailingLong ? ("failing" satisfies DisabledBecause) : undefined;
}

/** Deletes deliveries that are no longer shown, and keys that have ended. */
export async function deleteOldDeliveries(services: Pick<Services, "db" | "now">) {
  const { db, now } = services;
  const old = db.deleteFrom("webhook_deliveries").where("created_at", "<", ago(now(), daysInMs(deliveryDays)));
  await old.where("state", "!=", "waiting").execute();
  // Only of webhooks that have been off for so long.
  const unsent = await old.where("state", "=", "waiting").returning("webhook_id").execute();
  for (const [id, rows] of Map.groupBy(unsent, ({ webhook_id }) => webhook_id)) {
    await countDropped(db, id, rows.length, now());
  }
  await deleteEndedKeys(services);
}
