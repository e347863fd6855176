import type { Dialect } from "./dialect.ts";

/** Saved views of lists. */
export const views = ({ id }: Dialect) => [
  `create table saved_views (
    id ${id}, company_id integer not null references companies (id), user_id integer not null references users (id),
    list text not null, name text not null, name_key text not null, query text not null, columns text not null,
    access_group_id integer references access_groups (id), version integer not null
  )`,
  "create unique index saved_views_by_name on saved_views (user_id, list, name_key)",
  "create index saved_views_by_group on saved_views (access_group_id) where access_group_id is not null",
  "create index saved_views_by_company on saved_views (company_id, list)",
  `create table default_views (
    user_id integer not null references users (id), list text not null,
    view_id integer not null references saved_views (id) on delete cascade, primary key (user_id, list)
  )`,
  "create index default_views_by_view on default_views (view_id)",
];
