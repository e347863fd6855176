import { say } from "#lib/messages/staff.ts";
import {
  type DeliveryState,
  type DisabledBecause,
  notedEvents,
  type WebhookEvent,
} from "#provider/contract/webhook-events.ts";
import { capital } from "../../components/text/format.ts";

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

/** The states by what addresses call them, in every language. */
const states = { waiting: "waiting", delivered: "delivered", "given up": "failed" } as const;

/** The filter's choices. */
export const stateChoices = Object.entries(states).map(([word, state]) => ({
  state,
  value: capital(word),
  label: stateWords[state],
}));

/** The choice that an address names. */
export const choiceOf = (word = "") => stateChoices.find(({ value }) => value.toLowerCase() === word.toLowerCase());

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
