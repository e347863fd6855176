import type { Generated } from "kysely";
import type { DeliveryState, DisabledBecause, NotedEvent } from "../../contract/webhook-events.ts";

/** Webhooks of companies, and the outbox of their deliveries. */
export type WebhookTables = {
  webhooks: {
    id: Generated<number>;
    company_id: number;
    name: string;
    url: string;
    /** JSON: the chosen events. */
    events: string;
    enabled: number;
    /** Empty while it is on. */
    disabled_because: Generated<DisabledBecause | "">;
    disabled_at: Generated<string | null>;
    /** Attempts that failed since the last one that did not. */
    failures: Generated<number>;
    failing_since: Generated<string | null>;
    succeeded_at: Generated<string | null>;
    /** Nothing is sent before, as the receiver requested (`Retry-After`). */
    paused_until: Generated<string | null>;
    /** Deliveries that were dropped unsent because too many were waiting; and when the last one was. */
    dropped: Generated<number>;
    dropped_at: Generated<string | null>;
    version: number;
    created_at: string;
  };
  /** The key that signs has no end; beside it there may be an earlier one that signs as well until its end. */
  webhook_keys: {
    id: Generated<number>;
    webhook_id: number;
    /** Ed25519, base64. */
    public_key: string;
    /** The shared secret and the private key, encrypted (`provider/secrets.ts`); null in a backup without keys. */
    private_key: string | null;
    created_at: string;
    ends_at: Generated<string | null>;
  };
  /** The outbox: a delivery is inserted in the transaction of the change that it reports. */
  webhook_deliveries: {
    id: Generated<number>;
    webhook_id: number;
    /** `webhook-id` of each attempt. */
    event_id: string;
    event: NotedEvent;
    /** As it is sent: JSON. */
    body: string;
    state: DeliveryState;
    created_at: string;
    /** When its three days of attempts began: when it was noted, or sent again by a user. */
    begun_at: string;
    /** Null unless it waits. */
    next_at: string | null;
    attempts: number;
    /** Of the last attempt: the HTTP status, null without a reply; and when it was. */
    status: Generated<number | null>;
    tried_at: Generated<string | null>;
  };
  webhook_attempts: {
    id: Generated<number>;
    delivery_id: number;
    at: string;
    status: number | null;
    /** Why it failed, in words for users; empty if it did not. */
    problem: string;
    /** The beginning of the reply's body, as far as it is text. */
    reply: string;
    milliseconds: number;
  };
};
