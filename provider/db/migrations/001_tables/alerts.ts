import type { Dialect } from "./dialect.ts";

/** Alerts as cases, with their scans and comments. */
export const alerts = ({ id, scanId }: Dialect) => [
  `create table alerts (
    id ${id}, company_id integer not null references companies (id),
    document_id integer not null references documents (id), copy integer, number integer not null,
    rule text not null, day text not null, alert text not null, status integer not null, date text not null,
    latitude double precision, longitude double precision, accuracy double precision, reason text not null,
    count integer not null, note text not null, reopened_because text not null default '', version integer not null,
    owner_id integer references users (id), case_state text not null default 'new', first_seen_at text,
    first_seen_by integer references users (id), completed_at text
  )`,
  "create unique index alerts_by_number on alerts (company_id, number)",
  "create index alerts_by_date on alerts (company_id, status, date)",
  "create index alerts_by_time on alerts (company_id, date, id)",
  "create index alerts_by_day on alerts (company_id, day, document_id)",
  "create unique index alerts_by_rule on alerts (document_id, rule, day, coalesce(copy, 0))",
  "create index alerts_by_owner on alerts (owner_id, company_id, status) where owner_id is not null",
  "create index alerts_by_place on alerts (company_id, date, latitude, longitude) where latitude is not null",
  `create index alerts_for_figures on alerts
    (company_id, date, document_id, rule, alert, case_state, first_seen_at, completed_at)`,
  `create table alert_reach (
    company_id integer not null, branch_id integer, access_group_id integer, owner_id integer not null,
    status integer not null, alerts integer not null
  )`,
  `create unique index alert_reach_key on alert_reach
    (company_id, coalesce(branch_id, 0), coalesce(access_group_id, 0), owner_id, status)`,
  "create index alert_reach_by_branch on alert_reach (company_id, branch_id)",
  "create index alert_reach_by_owner on alert_reach (company_id, owner_id)",
  `create table alert_comments (
    id ${id}, alert_id integer not null references alerts (id), author_id integer not null references users (id),
    text text not null, at text not null, removed_at text
  )`,
  "create index alert_comments_by_alert on alert_comments (alert_id, id)",
  `create table alert_mentions (
    comment_id integer not null references alert_comments (id), user_id integer not null references users (id),
    constraint alert_mentions_key primary key (comment_id, user_id)
  )`,
  "create index alert_mentions_by_user on alert_mentions (user_id)",
  `create table alert_scans (
    alert_id integer not null references alerts (id), scan_id ${scanId},
    constraint alert_scans_key primary key (alert_id, scan_id)
  )`,
  "create index alert_scans_by_scan on alert_scans (scan_id)",
];
