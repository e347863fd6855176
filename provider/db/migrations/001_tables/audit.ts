import type { Dialect } from "./dialect.ts";

/** The audit trail. */
export const audit = ({ id }: Dialect) => [
  `create table audit (
    id ${id}, company_id integer not null references companies (id), at text not null, actor_id integer not null,
    actor text not null, api_key text not null default '', action text not null, entity text not null,
    entity_id integer not null, entity_name text not null, changes text not null,
    trail text not null default 'changes', count integer not null default 1, first_at text,
    browser text not null default '', network text not null default '', bound text, within text
  )`,
  "create index audit_by_time on audit (company_id, at, id)",
  "create index audit_by_entity on audit (company_id, entity, entity_id, at, id)",
  "create index audit_by_trail on audit (company_id, trail, at, id)",
  "create index audit_by_age on audit (trail, at)",
  "create unique index audit_by_bound on audit (bound, within)",
];
