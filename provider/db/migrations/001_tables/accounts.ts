import type { Dialect } from "./dialect.ts";

/** Companies, their users and what lets these sign in. */
export const accounts = ({ id }: Dialect) => [
  `create table tariffs (
    id integer primary key, name text not null, min_users integer not null, max_users integer,
    price_per_user integer, min_monthly integer, pages integer, extra_page integer
  )`,
  `create table help_items (id integer primary key, question text not null, answer text not null)`,
  `create table companies (
    id ${id}, name text not null, email text not null, phone text not null, country text not null,
    city text not null, "index" text not null, address text not null, image_key text, active integer not null,
    timezone text not null, language text not null default '', tariff_id integer not null references tariffs (id),
    documents integer not null, pages integer not null, stored_bytes bigint not null default 0,
    sealed_bytes bigint not null default 0, name_beside_keys integer not null default 0, alert_rules text,
    expiries_noted text, version integer not null, created_at text not null
  )`,
  "create index companies_by_image on companies (image_key)",
  `create table branches (
    id ${id}, company_id integer not null references companies (id), name text not null, name_key text not null,
    email text not null, phone text not null, country text not null, city text not null, "index" text not null,
    address text not null, image_key text, manager_id integer, active integer not null, version integer not null
  )`,
  // A removed branch frees its name.
  "create unique index branches_by_name on branches (company_id, name_key) where active = 1",
  "create index branches_by_image on branches (image_key)",
  `create table access_groups (
    id ${id}, company_id integer not null references companies (id), name text not null, name_key text not null,
    docs text not null, co_profile text not null, branches text not null, tariffs text not null,
    alerts text not null, map text not null, users text not null, roles text not null,
    active integer not null default 1, requires_second_factor integer not null default 0, version integer not null,
    identity_groups text not null default ''
  )`,
  "create unique index access_groups_by_name on access_groups (company_id, name_key) where active = 1",
  `create table users (
    id ${id}, company_id integer not null references companies (id), branch_id integer references branches (id),
    access_group_id integer not null references access_groups (id), name text not null, name_key text not null,
    email text not null, email_key text not null, password_hash text, phone text not null, role text not null,
    country text not null, city text not null, "index" text not null, address text not null, info text not null,
    image_key text, active integer not null, version integer not null, created_at text not null,
    alerts_told integer not null default 0, alerts_told_at text, invited_at text, erased_at text,
    email_proved integer not null default 0, taken_over integer not null default 0
  )`,
  "create index users_by_name on users (company_id, name_key)",
  "create index users_by_group on users (company_id, access_group_id)",
  "create index users_by_image on users (image_key)",
  // Several companies may enter an address, and one user has it proved; a removed user frees it.
  "create unique index users_by_email on users (email_key, company_id) where active = 1",
  "create unique index users_by_proved_email on users (email_key) where active = 1 and email_proved = 1",
  `create table tokens (
    hash text primary key, kind text not null, user_id integer references users (id), created_at text not null,
    used_at text not null, expires_at text not null, public_id integer, browser text not null default '',
    second_factor integer not null default 0, proved_at text, browser_hash text
  )`,
  "create index tokens_by_user on tokens (user_id, kind)",
  "create index tokens_by_expiry on tokens (expires_at)",
  `create table second_factors (
    user_id integer primary key references users (id), secret text, last_step integer not null default 0,
    set_up_at text, pending_secret text, pending_at text
  )`,
  `create table passkeys (
    id ${id}, user_id integer not null references users (id), credential_id text not null, public_key text not null,
    counter bigint not null, transports text not null, name text not null, created_at text not null,
    last_used_at text
  )`,
  "create unique index passkeys_by_credential on passkeys (credential_id)",
  "create index passkeys_by_user on passkeys (user_id)",
  `create table recovery_codes (id ${id}, user_id integer not null references users (id), hash text not null)`,
  "create unique index recovery_codes_by_user on recovery_codes (user_id, hash)",
  `create table email_changes (
    user_id integer primary key references users (id), email text not null,
    token_hash text not null references tokens (hash) on delete cascade
  )`,
  "create index email_changes_by_token on email_changes (token_hash)",
  `create table known_browsers (
    id ${id}, user_id integer not null references users (id), hash text not null, label text not null,
    first_used_at text not null, last_used_at text not null
  )`,
  "create unique index known_browsers_by_user on known_browsers (user_id, hash)",
  `create table calendar_feeds (
    user_id integer primary key references users (id), hash text not null, created_at text not null
  )`,
  "create unique index calendar_feeds_by_hash on calendar_feeds (hash)",
  `create table reset_requests (id ${id}, email_key text not null, at text not null)`,
  // A message is deleted with the link that it carries.
  `create table outbox (
    id ${id}, user_id integer not null references users (id), recipient text not null, subject text not null,
    text text not null, message_id text not null, kind text,
    token_hash text references tokens (hash) on delete cascade, created_at text not null, attempts integer not null,
    next_at text not null, claimed_until text, given_up_at text
  )`,
  "create index outbox_by_time on outbox (next_at, id) where given_up_at is null",
  "create index outbox_by_token on outbox (token_hash)",
  "create index outbox_by_user on outbox (user_id)",
];
