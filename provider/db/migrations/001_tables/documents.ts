import type { Dialect } from "./dialect.ts";

/** Documents, their parts, and what is counted of them. */
export const documents = ({ id }: Dialect) => [
  `create table documents (
    id ${id}, company_id integer not null references companies (id), branch_id integer references branches (id),
    owner_id integer not null references users (id), access_group_id integer references access_groups (id),
    code text not null unique, number text not null, number_key text not null, number_read text not null default '',
    name text not null, name_key text not null, document_type text not null, document_subtype text not null,
    access_type text not null, date text not null, expire_type text not null, expire_date text,
    first_expire_date text, prolongation integer not null, qr_placing text not null, status text not null,
    status_before_archive text, status_since text, pages integer not null,
    copies integer not null default 1 check (copies between 1 and 100), folder text not null, idempotency_key text,
    request_digest text, created_by integer not null references users (id), created_at text not null,
    version integer not null, withdrawal_reason text, withdrawal_text text, withdrawal_note text,
    -- A replacement is always the newer document, so that chains of them have no cycle.
    replaced_by_id integer references documents (id)
      check (replaced_by_id is null or replaced_by_id > id)
  )`,
  "create unique index documents_by_idempotency_key on documents (created_by, idempotency_key)",
  "create unique index documents_by_folder on documents (folder)",
  "create index documents_by_creation on documents (company_id, created_at, pages)",
  "create index documents_by_group on documents (company_id, access_group_id)",
  "create index documents_by_expiry on documents (company_id, expire_date) where prolongation = 1",
  "create index documents_by_company on documents (company_id, id)",
  "create unique index documents_by_replacement on documents (replaced_by_id) where replaced_by_id is not null",
  "create index documents_by_reach on documents (id, company_id, branch_id, access_group_id, owner_id)",
  "create index documents_in_copies on documents (company_id, copies) where copies > 1",
  // By number first: verification by number alone names no company.
  "create unique index documents_by_number on documents (number_read, company_id, number_key)",
  ...lists,
  `create table withdrawal_reasons (
    id ${id}, company_id integer not null references companies (id), n integer not null, name text not null,
    public_text text not null
  )`,
  "create index withdrawal_reasons_by_company on withdrawal_reasons (company_id, n)",
  `create table document_days (
    company_id integer not null, status text not null, date text not null, documents integer not null,
    primary key (company_id, status, date)
  )`,
  `create table document_months (
    company_id integer not null, status text not null, month text not null, documents integer not null,
    primary key (company_id, status, month)
  )`,
  `create table document_reach (
    company_id integer not null, branch_id integer, access_group_id integer, owner_id integer not null,
    status text not null, documents integer not null
  )`,
  `create unique index document_reach_key on document_reach
    (company_id, coalesce(branch_id, 0), coalesce(access_group_id, 0), owner_id, status)`,
  "create index document_reach_by_branch on document_reach (company_id, branch_id)",
  "create index document_reach_by_owner on document_reach (company_id, owner_id)",
  `create table custom_fields (
    document_id integer not null references documents (id), n integer not null, name text not null,
    value text not null, constraint custom_fields_key primary key (document_id, n)
  )`,
  `create table page_files (
    document_id integer not null references documents (id), n integer not null, name text not null,
    type text not null, bytes integer not null, pages integer not null, width integer not null,
    height integer not null, sha256 text not null, notes text not null default '[]',
    covered text not null default '', constraint page_files_key primary key (document_id, n)
  )`,
  `create table document_copies (
    document_id integer not null references documents (id), n integer not null check (n between 1 and 100),
    code text not null, withdrawn_at text, withdrawn_reason text, withdrawn_note text, primary key (document_id, n)
  )`,
  "create unique index document_copies_by_code on document_copies (code)",
  `create table sealed_files (
    document_id integer not null references documents (id), copy integer not null, qr_placing text not null,
    public_url text not null, bytes bigint not null, sha256 text not null, digest text not null,
    timestamped integer not null, made_at text not null,
    constraint sealed_files_key primary key (document_id, copy, qr_placing, public_url)
  )`,
  "create index sealed_files_by_sha256 on sealed_files (sha256)",
  `create table documents_to_seal (
    document_id integer primary key references documents (id), company_id integer not null references companies (id)
  )`,
  "create index documents_to_seal_by_company on documents_to_seal (company_id, document_id)",
  `create table pages_to_draw (
    document_id integer primary key references documents (id),
    company_id integer not null references companies (id), done integer not null default 0
  )`,
  "create index pages_to_draw_by_company on pages_to_draw (company_id, document_id)",
  `create table reminders (
    document_id integer not null references documents (id), expire_date text not null, days integer not null,
    constraint reminders_key primary key (document_id, expire_date, days)
  )`,
];

const listOrders = {
  branch_id_date: "branch_id, date, id, name_key, status, owner_id, access_group_id",
  branch_id_id: "branch_id, id",
  date: "date, id, name_key, status, branch_id, owner_id, access_group_id",
  document_type: "document_type, id, status, date, branch_id, owner_id, access_group_id",
  name_key: "name_key, id, status, date, branch_id, owner_id, access_group_id",
  number_key: "number_key, id, status, date, branch_id, owner_id, access_group_id",
  owner_id_date: "owner_id, date, id, name_key, status, branch_id, access_group_id",
  owner_id_id: "owner_id, id",
};

/** An index for each order of the document list and of the archive, with the columns that conditions read. */
const lists = [
  ...Object.entries(listOrders).flatMap(([order, columns]) => [
    `create index documents_list_by_${order} on documents (company_id, ${columns}) where status <> 'archived'`,
    `create index documents_archive_by_${order} on documents (company_id, ${columns}) where status = 'archived'`,
  ]),
  `create index documents_list_by_expire_date on documents
    (company_id, expire_date, id, status, date, branch_id, owner_id, access_group_id) where status <> 'archived'`,
  `create index documents_archive_by_expire_date on documents
    (company_id, expire_date, id, status, date, branch_id, owner_id, access_group_id, status_before_archive)
    where status = 'archived'`,
];
