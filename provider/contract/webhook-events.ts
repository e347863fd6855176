/** Events that are sent to webhooks, and limits. Without zod, which would make pages large. */

export const webhookEvents = [
  "document.issued",
  "document.withdrawn",
  "document.replaced",
  "document.archived",
  "document.expired",
  "alert.raised",
  "alert.changed",
  "bulk.finished",
] as const;
export type WebhookEvent = (typeof webhookEvents)[number];

/** Sent by a user to try a webhook, whatever events it was made for. */
export const testEvent = "webhook.test";

/** Events that deliveries can have. */
export const notedEvents = [...webhookEvents, testEvent] as const;
export type NotedEvent = (typeof notedEvents)[number];

export const deliveryStates = ["waiting", "delivered", "failed"] as const;
export type DeliveryState = (typeof deliveryStates)[number];

/** Why a webhook is off: a user wanted it, the receiver answered 410, all failed for three days, or its keys were not restored. */
export const disablingReasons = ["user", "gone", "failing", "restored"] as const;
export type DisabledBecause = (typeof disablingReasons)[number];

/** Webhooks that a company can have. */
export const maxWebhooks = 10;
/** Stored deliveries of a webhook: beyond them the oldest ones go, finished ones first. */
export const maxDeliveries = 10_000;
/** How long deliveries are shown. */
export const deliveryDays = 30;
/** How long a delivery is tried. */
export const tryingDays = 3;
/** How long an earlier key signs beside the new one. */
export const earlierKeyHours = 24;
