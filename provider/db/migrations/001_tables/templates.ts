import type { Dialect } from "./dialect.ts";

/** PDFs whose form is filled from rows of a table. */
export const templates = ({ id }: Dialect) => [
  `create table templates (
    id ${id}, company_id integer not null references companies (id), name text not null, name_key text not null,
    file_key text not null, bytes bigint not null, pages integer not null, columns text not null,
    notes text not null default '[]', version integer not null default 1, created_at text not null,
    changed_at text not null
  )`,
  "create unique index templates_by_name on templates (company_id, name_key)",
  "create unique index templates_by_file on templates (file_key)",
];
