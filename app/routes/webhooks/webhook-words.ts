import { say } from "#messages/staff.ts";
import {
  type DeliveryState,
  type DisabledBecause,
  notedEvents,
  type WebhookEvent,
} from "#provider/contract/webhook-events.ts";

/** Webhooks and their deliveries in words. */

export const eventWords: Record<WebhookEvent, string> = {
  "document.issued": say("webhooks.webhookWords.documentIssued"),
  "document.withdrawn": say("webhooks.webhookWords.documentWithdrawn"),
  "document.replaced": say("webhooks.webhookWords.documentReplaced"),
  "document.archived": say("webhooks.webhookWords.documentArchived"),
  "document.expired": say("webhooks.webhookWords.documentExpired"),
  "alert.raised": say("webhooks.webhookWords.alertRaised"),
  "alert.changed": say("webhooks.webhookWords.alertChanged"),
  "bulk.finished": say("webhooks.webhookWords.bulkFinished"),
};

export const stateWords: Record<DeliveryState, string> = {
  waiting: say("common.waiting"),
  delivered: say("webhooks.webhookWords.delivered"),
  failed: say("webhooks.webhookWords.givenUp"),
};

/** The state that a filter names; empty for none. */
export const stateCalled = (word: string | undefined) =>
  Object.entries(stateWords).find(([, name]) => name.toLowerCase() === word?.toLowerCase())?.[0] ?? "";

export const reasonWords: Record<DisabledBecause, string> = {
  user: say("webhooks.webhookWords.switchedOffByUser"),
  gone: say("webhooks.webhookWords.switchedOffByReceiver"),
  failing: say("webhooks.webhookWords.switchedOffAsFailing"),
  restored: say("webhooks.webhookWords.switchedOffWithoutKeys"),
};

/** What an attempt was answered: `Status 204`, or that there was no reply. */
export const statusInWords = (status: number | null) =>
  status === null ? say("webhooks.webhookWords.noReply") : say("webhooks.webhookWords.status", { status });

/** Of an address the host alone, as the rest can be a secret that passers-by should not read. */
export const hostOf = (url: string) => URL.parse(url)?.host ?? url;

/** The event that a filter names; empty for none. */
export const eventCalled = (name: string | undefined) => notedEvents.find((event) => event === name) ?? "";
