import { z } from "zod";
import { call } from "./call.ts";
import { date, flag, idParams, instant, listQuery, requiredText, uniqueName, version } from "./fields.ts";
import { deliveryStates, disablingReasons, maxWebhooks, notedEvents, webhookEvents } from "./webhook-events.ts";

/**
 * Webhooks of a company (Standard Webhooks, https://www.standardwebhooks.com). For those who may change its settings:
 * addresses can carry secrets, so that reading is not enough.
 */

export const webhookAccess = { area: "co_profile", right: "write" } as const;

const url = requiredText("address", 500).meta({ description: "https://…, on the public internet" });

const events = z
  .array(z.enum(webhookEvents, "Choose from the list of events"))
  .max(webhookEvents.length * 2, "Choose each event once")
  .default([])
  .overwrite((chosen) => webhookEvents.filter((event) => chosen.includes(event)))
  .refine((chosen) => chosen.length > 0, "Choose at least one event")
  .meta({ description: "Which events are sent to it" });

const fields = { name: uniqueName("name", 100), url, events };

const optionalInstant = instant.nullable().default(null);

export const Webhook = z
  .object({
    id: z.int(),
    name: z.string(),
    url: z.string(),
    events: z.array(z.enum(webhookEvents)),
    enabled: z.boolean(),
    disabled_because: z
      .enum(["", ...disablingReasons])
      .meta({ description: "user, gone (410), failing (for three days) or restored (from a backup without keys)" }),
    disabled_at: optionalInstant.meta({ description: "When it was switched off; null while it is on" }),
    failures: z.int().meta({ description: "Attempts that failed since the last one that succeeded" }),
    failing_since: optionalInstant.meta({ description: "When the first of those failed; null while none fails" }),
    succeeded_at: optionalInstant.meta({ description: "When something was delivered last" }),
    paused_until: optionalInstant.meta({
      description: "Nothing is sent before: the receiver asked for a pause, or many attempts failed",
    }),
    waiting: z.int().meta({ description: "Deliveries that are to be sent" }),
    failed: z.int().meta({ description: "Deliveries that were given up" }),
    dropped: z.int().meta({ description: "Deliveries that were dropped unsent, as too many were waiting" }),
    dropped_at: optionalInstant.meta({ description: "When one was dropped last; null if never" }),
    public_key: z.string().meta({ description: "whpk_…: verifies the v1a signatures; empty without a key" }),
    earlier_key_until: optionalInstant.meta({
      description: "Until then deliveries are signed with the earlier key too",
    }),
    version: z.int(),
    created_at: instant,
  })
  .meta({ id: "Webhook", description: "An address to which events are posted" });
export type Webhook = z.output<typeof Webhook>;

const WithSecret = z.object({
  id: z.int(),
  secret: z.string().meta({ description: "whsec_…: verifies the v1 signatures; in this reply alone" }),
  public_key: z.string().meta({ description: "whpk_…: verifies the v1a signatures" }),
});

export const listWebhooks = call({
  method: "GET",
  path: "/webhooks",
  summary: "The company's webhooks",
  access: webhookAccess,
  reply: z.array(Webhook),
  status: 200,
});

export const getWebhook = call({
  method: "GET",
  path: "/webhooks/{id}",
  summary: "One webhook",
  access: webhookAccess,
  params: idParams,
  reply: Webhook,
  status: 200,
});

export const createWebhook = call({
  keys: false,
  method: "POST",
  path: "/webhooks",
  summary: `Add a webhook; a company has ${maxWebhooks} at most`,
  access: webhookAccess,
  proof: true,
  body: z.object(fields),
  reply: WithSecret,
  status: 201,
  refusals: [409, 429],
});

export const updateWebhook = call({
  keys: false,
  method: "PUT",
  path: "/webhooks/{id}",
  summary: "Change a webhook's name, address and events",
  access: webhookAccess,
  proof: true,
  params: idParams,
  body: z.object({ ...fields, version: version.optional() }),
  reply: Webhook,
  status: 200,
  refusals: [409, 429],
});

export const removeWebhook = call({
  keys: false,
  method: "DELETE",
  path: "/webhooks/{id}",
  summary: "Remove a webhook with its deliveries, also those that wait",
  access: webhookAccess,
  proof: true,
  params: idParams,
  reply: null,
  status: 204,
});

const change = { access: webhookAccess, params: idParams, reply: null, status: 204 } as const;

export const enableWebhook = call({
  keys: false,
  method: "POST",
  path: "/webhooks/{id}/enable",
  summary: "Switch a webhook on; what waits is sent at once",
  proof: true,
  ...change,
  refusals: [409],
});

export const disableWebhook = call({
  method: "POST",
  path: "/webhooks/{id}/disable",
  summary: "Switch a webhook off: what happens meanwhile is not noted for it",
  ...change,
});

export const rotateWebhookKey = call({
  keys: false,
  method: "POST",
  path: "/webhooks/{id}/rotate",
  summary: "Make new keys; the earlier ones sign beside them for a day",
  access: webhookAccess,
  proof: true,
  params: idParams,
  body: z.object({ at_once: flag.meta({ description: "Whether the earlier keys end at once" }) }),
  reply: WithSecret,
  status: 201,
});

export const testWebhook = call({
  method: "POST",
  path: "/webhooks/{id}/test",
  summary: "Send a test event, webhook.test",
  access: webhookAccess,
  params: idParams,
  reply: z.object({ id: z.int().meta({ description: "The delivery's id" }) }),
  status: 201,
  refusals: [409, 429],
});

export const WebhookDelivery = z
  .object({
    id: z.int(),
    event_id: z.string().meta({ description: "The webhook-id of each of its attempts" }),
    event: z.enum(notedEvents),
    state: z.enum(deliveryStates).meta({ description: "waiting, delivered, or failed: given up" }),
    created_at: instant.meta({ description: "When it happened" }),
    tried_at: optionalInstant.meta({ description: "When it was tried last" }),
    next_at: optionalInstant.meta({ description: "When it is tried next" }),
    attempts: z.int().meta({ description: "Attempts so far; from 0 again once it is sent again" }),
    status: z
      .int()
      .nullable()
      .default(null)
      .meta({ description: "The HTTP status of the last attempt; null for no reply" }),
  })
  .meta({ id: "WebhookDelivery", description: "An event on its way to a webhook" });
export type WebhookDelivery = z.output<typeof WebhookDelivery>;

export const WebhookAttempt = z
  .object({
    at: instant,
    status: z.int().nullable().default(null).meta({ description: "The HTTP status; null for no reply" }),
    problem: z.string().meta({ description: "Why it failed; empty if it did not" }),
    reply: z.string().meta({ description: "The first 1,000 characters of the reply’s body" }),
    milliseconds: z.int().meta({ description: "How long it took" }),
  })
  .meta({ id: "WebhookAttempt", description: "One attempt to send a delivery" });
export type WebhookAttempt = z.output<typeof WebhookAttempt>;

const paged = listQuery(["created_at"]);

export const listWebhookDeliveries = call({
  method: "GET",
  path: "/webhooks/{id}/deliveries",
  summary: "A webhook's deliveries of 30 days, the newest first",
  access: webhookAccess,
  params: idParams,
  query: paged.extend({
    page: paged.shape.page.unwrap().default(1).meta({ type: "integer" }),
    state: z.enum(["", ...deliveryStates]).optional(),
    event: z.enum(["", ...notedEvents]).optional(),
  }),
  reply: z.array(WebhookDelivery),
  status: 200,
});

const deliveryParams = idParams.extend({ n: idParams.shape.id });

export const getWebhookDelivery = call({
  method: "GET",
  path: "/webhooks/{id}/deliveries/{n}",
  summary: "One delivery with what was sent and its last 30 attempts, the newest first",
  access: webhookAccess,
  params: deliveryParams,
  reply: WebhookDelivery.extend({
    body: z.string().meta({ description: "As it is sent: JSON" }),
    tries: z.array(WebhookAttempt).meta({ description: "Its attempts, 30 at most, the newest first" }),
  }),
  status: 200,
});

export const replayWebhookDelivery = call({
  method: "POST",
  path: "/webhooks/{id}/deliveries/{n}/replay",
  summary: "Send a delivery again under its id, for up to three days",
  access: webhookAccess,
  params: deliveryParams,
  reply: null,
  status: 204,
  refusals: [409, 429],
});

export const replayFailedDeliveries = call({
  method: "POST",
  path: "/webhooks/{id}/replay",
  summary: "Send all deliveries again that were given up, of what happened since a day",
  access: webhookAccess,
  params: idParams,
  body: z.object({
    since: date("first day").meta({
      description: "YYYY-MM-DD, in the company's time zone; empty for all that are stored",
    }),
  }),
  reply: z.object({ count: z.int().meta({ description: "Deliveries that are sent again" }) }),
  status: 200,
  refusals: [409, 429],
});
