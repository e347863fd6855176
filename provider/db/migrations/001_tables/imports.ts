import type { Dialect } from "./dialect.ts";

/** Imports of users and branches. */
export const imports = ({ id }: Dialect) => [
  `create table imports (
    id ${id}, company_id integer not null references companies (id), user_id integer not null references users (id),
    kind text not null, file text not null, table_key text, table_facts text not null default '',
    columns text not null, status text not null, needs_proof integer not null, waiting text not null default '',
    waits_until text not null default '', created_at text not null, expires_at text not null
  )`,
  "create index imports_by_user on imports (user_id)",
  "create index imports_running on imports (id) where status = 'running'",
  `create table import_rows (
    id ${id}, import_id integer not null references imports (id) on delete cascade, line integer not null,
    record_id integer, name text not null, state text not null, why text not null, changes text not null,
    cells text not null, given text
  )`,
  "create index import_rows_by_import on import_rows (import_id, line)",
  "create index import_rows_left on import_rows (import_id, id) where state in ('new', 'changed')",
];
