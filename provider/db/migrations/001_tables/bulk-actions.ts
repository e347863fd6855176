import type { Dialect } from "./dialect.ts";

/** Acts on many records at once. */
export const bulkActions = ({ id }: Dialect) => [
  `create table bulk_actions (
    id ${id}, company_id integer not null references companies (id), user_id integer not null references users (id),
    noun text not null, act text not null, parameters text not null, created_at text not null, finished_at text,
    undo_of integer references bulk_actions (id) on delete set null, key text
  )`,
  "create unique index bulk_actions_by_key on bulk_actions (user_id, key)",
  "create unique index bulk_actions_by_undo_of on bulk_actions (undo_of)",
  "create index bulk_actions_unfinished on bulk_actions (company_id, id) where finished_at is null",
  `create table bulk_action_rows (
    id ${id}, bulk_action_id integer not null references bulk_actions (id) on delete cascade,
    record_id integer not null, label text not null, state text not null, reason text not null default '',
    given text not null default '{}', expected_version integer, version_after integer,
    before text not null default '{}'
  )`,
  "create unique index bulk_action_rows_by_record on bulk_action_rows (bulk_action_id, record_id)",
  "create index bulk_action_rows_by_state on bulk_action_rows (bulk_action_id, state, id)",
];
