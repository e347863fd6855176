import type { Dialect } from "./dialect.ts";

/** Identity providers of companies, and who users are there. */
export const singleSignOn = ({ id }: Dialect) => [
  `create table identity_providers (
    company_id integer primary key references companies (id), address text not null, issuer text not null,
    client_id text not null, client_secret text, groups_claim text not null,
    passwords_off integer not null default 0, version integer not null
  )`,
  "create unique index identity_providers_by_address on identity_providers (address)",
  `create table identities (
    id ${id}, user_id integer not null references users (id), configured_by integer not null, issuer text not null,
    subject text not null, access_group_id integer references access_groups (id), left_at text,
    created_at text not null, used_at text not null
  )`,
  "create unique index identities_by_subject on identities (configured_by, issuer, subject)",
  "create unique index identities_by_user on identities (user_id, configured_by, issuer)",
  "create index identities_by_group on identities (access_group_id) where access_group_id is not null",
  `create table sign_in_attempts (hash text primary key, configured_by integer not null, expires_at text not null)`,
  "create index sign_in_attempts_by_expiry on sign_in_attempts (expires_at)",
  `create table identity_sessions (
    token_hash text primary key references tokens (hash) on delete cascade, configured_by integer not null,
    issuer text not null, client_id text not null, sign_out_url text not null, id_token text not null
  )`,
];
