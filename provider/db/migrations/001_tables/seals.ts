import type { Dialect } from "./dialect.ts";

/** Keys that sign, what was signed in codes, and status lists. */
export const seals = ({ id }: Dialect) => [
  `create table seal_roots (
    id ${id}, certificate text not null, private_key text, created_at text not null, retired_at text,
    key_removed_at text
  )`,
  "create unique index seal_roots_active on seal_roots ((retired_at is null)) where retired_at is null",
  `create table seal_keys (
    id ${id}, company_id integer not null references companies (id),
    root_id integer not null references seal_roots (id), short_id text not null, thumbprint text not null,
    x text not null, y text not null, certificate text not null, private_key text, created_at text not null,
    used_from text, retired_at text, revoked_at text, revoked_reason text
  )`,
  "create unique index seal_keys_by_short_id on seal_keys (short_id)",
  "create unique index seal_keys_by_thumbprint on seal_keys (thumbprint)",
  "create index seal_keys_by_company on seal_keys (company_id)",
  `create unique index seal_keys_active on seal_keys (company_id)
    where retired_at is null and revoked_at is null and used_from is not null`,
  `create unique index seal_keys_next on seal_keys (company_id)
    where retired_at is null and revoked_at is null and used_from is null`,
  `create table signed_codes (
    id ${id}, document_id integer not null references documents (id), statement_hash text not null,
    short_id text not null, digits text not null, signed_at text not null
  )`,
  "create unique index signed_codes_by_document on signed_codes (document_id, statement_hash, short_id)",
  `create table status_lists (
    company_id integer primary key references companies (id), list text not null, public_url text not null,
    token text not null, made_at text not null, audit_id integer not null
  )`,
  "create unique index status_lists_by_list on status_lists (list)",
];
