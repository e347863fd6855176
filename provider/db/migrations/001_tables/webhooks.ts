import type { Dialect } from "./dialect.ts";

/** Webhooks, and the outbox of what is delivered to them. */
export const webhooks = ({ id }: Dialect) => [
  `create table webhooks (
    id ${id}, company_id integer not null references companies (id), name text not null, url text not null,
    events text not null, enabled integer not null, disabled_because text not null default '', disabled_at text,
    failures integer not null default 0, failing_since text, succeeded_at text, paused_until text,
    dropped integer not null default 0, dropped_at text, version integer not null, created_at text not null
  )`,
  "create index webhooks_by_company on webhooks (company_id)",
  `create table webhook_keys (
    id ${id}, webhook_id integer not null references webhooks (id) on delete cascade, public_key text not null,
    private_key text, created_at text not null, ends_at text
  )`,
  "create index webhook_keys_by_webhook on webhook_keys (webhook_id)",
  `create table webhook_deliveries (
    id ${id}, webhook_id integer not null references webhooks (id) on delete cascade, event_id text not null,
    event text not null, body text not null, state text not null, created_at text not null, begun_at text not null,
    next_at text, attempts integer not null, status integer, tried_at text
  )`,
  "create unique index webhook_deliveries_by_event on webhook_deliveries (webhook_id, event_id)",
  "create index webhook_deliveries_by_state on webhook_deliveries (webhook_id, state, id)",
  "create index webhook_deliveries_due on webhook_deliveries (webhook_id, next_at, id) where state = 'waiting'",
  `create table webhook_attempts (
    id ${id}, delivery_id integer not null references webhook_deliveries (id) on delete cascade, at text not null,
    status integer, problem text not null, reply text not null, milliseconds integer not null
  )`,
  "create index webhook_attempts_by_delivery on webhook_attempts (delivery_id, id)",
];
