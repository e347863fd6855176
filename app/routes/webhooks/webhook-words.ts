import { t } from "#lib/messages/staff.ts";
import {
  type DeliveryState,
  type DisabledBecause,
  notedEvents,
  type WebhookEvent,
} from "#provider/contract/webhook-events.ts";
import { capital } from "../../components/text/format.ts";

/** Webhooks and their deliveries in words. */

export const eventWords: Record<WebhookEvent, string> = {
  "document.issued": t("webhooks.webhookWords.documentIssued"),
  "document.withdrawn": t("webhooks.webhookWords.documentWithdrawn"),
  "document.replaced": t("webhooks.webhookWords.documentReplaced"),
  "document.archived": t("webhooks.webhookWords.documentArchived"),
  "document.expired": t("webhooks.webhookWords.documentExpired"),
  "alert.raised": t("webhooks.webhookWords.alertRaised"),
  "alert.changed": t("webhooks.webhookWords.alertChanged"),
  "bulk.finished": t("webhooks.webhookWords.bulkFinished"),
};

export const stateWords: Record<DeliveryState, string> = {
  waiting: t("common.waiting"),
  delivered: t("webhooks.webhookWords.delivered"),
  failed: t("webhooks.webhookWords.givenUp"),
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
  user: t("webhooks.webhookWords.switchedOffByUser"),
  gone: t("webhooks.webhookWords.switchedOffByReceiver"),
  failing: t("webhooks.webhookWords.switchedOffAsFailing"),
  restored: t("webhooks.webhookWords.switchedOffWithoutKeys"),
};

/** What an attempt was answered: `Status 204`, or that there was no reply. */
export const statusInWords = (status: number | null) =>
  status === null ? t("webhooks.webhookWords.noReply") : t("webhooks.webhookWords.status", { status });

/** Of an address the host alone, as the rest can be a secret that passers-by should not read. */
export const hostOf = (url: string) => URL.parse(url)?.host ?? url;

/** The event that a filter names; empty for none. */
export const eventCalled = (name: string | undefined) => notedEvents.find((event) => event === name) ?? "";
