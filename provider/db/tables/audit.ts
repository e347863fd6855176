import type { Generated } from "kysely";
import type { AuditTrail } from "../../contract/audit.ts";

export type AuditTables = {
  audit: {
    id: Generated<number>;
    company_id: number;
    at: string;
    actor_id: number;
    actor: string;
    /** The name of the API key that acted for the actor; empty without one. */
    api_key: Generated<string>;
    action: string;
    entity: string;
    entity_id: number;
    entity_name: string;
    /** JSON: [{field, before, after}]; never a secret. */
    changes: string;
    /** Changes, or access (`audit/access-trail.ts`); each has its own retention. */
    trail: Generated<AuditTrail>;
    /** How often it happened, from `first_at` to `at`; `first_at` is null for once. */
    count: Generated<number>;
    first_at: Generated<string | null>;
    browser: Generated<string>;
    /** The client's truncated network. */
    network: Generated<string>;
    /** Rows with the same `bound` are limited in number; entries with the same `within` share one. */
    bound: Generated<string | null>;
    within: Generated<string | null>;
  };
  /** Has a row while entries are shipped (`audit/ship.ts`): then triggers on `audit` fill the queue. */
  audit_shipping: { id: number; since: string };
  /** Entries that were added or counted up, with their time. */
  audit_queue: { id: Generated<number>; audit_id: number; at: string };
};
