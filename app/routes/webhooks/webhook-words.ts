import {
  type DeliveryState,
  type DisabledBecause,
  notedEvents,
  type WebhookEvent,
} from "#provider/contract/webhook-events.ts";

/** Webhooks and their deliveries in words. */

export const eventWords: Record<WebhookEvent, string> = {
  "document.issued": "A document was issued",
  "document.withdrawn": "A document was withdrawn",
  "document.replaced": "A document was withdrawn, as a new version replaces it",
  "document.archived": "A document was moved to the archive",
  "document.expired": "A document has expired: at midnight, or by a change of its date",
  "alert.raised": "An alert was raised",
  "alert.changed": "An alert was assigned, completed or reopened",
  "bulk.finished": "A bulk issue or a bulk action was finished",
};

export const stateWords: Record<DeliveryState, string> = {
  waiting: "Waiting",
  delivered: "Delivered",
  failed: "Given up",
};

/** The state that a filter names; empty for none. */
export const stateCalled = (word: string | undefined) =>
  Object.entries(stateWords).find(([, name]) => name.toLowerCase() === word?.toLowerCase())?.[0] ?? "";

export const reasonWords: Record<DisabledBecause, string> = {
  user: "A user switched it off.",
  gone: "Its receiver wants no more deliveries (status 410).",
  failing: "Nothing could be delivered for three days.",
  restored: "Its keys were not restored from a backup: make new ones, then switch it on.",
};

/** What an attempt was answered: `Status 204`, or that there was no reply. */
export const statusInWords = (status: number | null) => (status === null ? "No reply" : `Status ${status}`);

/** Of an address the host alone, as the rest can be a secret that passers-by should not read. */
export const hostOf = (url: string) => URL.parse(url)?.host ?? url;

/** The event that a filter names; empty for none. */
export const eventCalled = (name: string | undefined) => notedEvents.find((event) => event === name) ?? "";
