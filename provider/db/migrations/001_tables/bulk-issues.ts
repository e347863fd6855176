import type { Dialect } from "./dialect.ts";

/** Documents that are issued together from a table. */
export const bulkIssues = ({ id }: Dialect) => [
  `create table bulk_issues (
    id ${id}, company_id integer not null references companies (id), user_id integer not null references users (id),
    state text not null, reason text not null default '', common text not null, content text not null,
    template_id integer, template_version integer, folder text not null, table_name text not null default '',
    table_key text, table_facts text not null default '', columns text not null default '[]',
    mapping text not null default '[]', archive_key text, archive_name text not null default '',
    archive_files integer not null default 0, archive_bytes bigint not null default 0,
    archive_sha256 text not null default '', leave_out_wrong integer not null default 0,
    rows integer not null default 0, checked integer not null default 0, wrong integer not null default 0,
    table_notes text not null default '[]', noted integer not null default 0, pages integer not null default 0,
    issued integer not null default 0, refused integer not null default 0, left_out integer not null default 0,
    created_at text not null, changed_at text not null, started_at text, finished_at text,
    version integer not null default 1
  )`,
  "create index bulk_issues_by_company on bulk_issues (company_id, user_id, id)",
  "create index bulk_issues_by_state on bulk_issues (state, id)",
  "create index bulk_issues_by_folder on bulk_issues (folder)",
  `create table bulk_issue_rows (
    bulk_issue_id integer not null references bulk_issues (id) on delete cascade, line integer not null,
    cells text not null, state text not null default 'waiting', checked integer not null default 0,
    problems text not null default '[]', wrong integer not null default 0, notes text not null default '[]',
    pages integer not null default 0, document_id integer references documents (id),
    primary key (bulk_issue_id, line)
  )`,
  "create index bulk_issue_rows_by_state on bulk_issue_rows (bulk_issue_id, state, line)",
  `create table bulk_mappings (
    user_id integer not null references users (id), columns_key text not null, mapping text not null,
    used_at text not null, primary key (user_id, columns_key)
  )`,
];
