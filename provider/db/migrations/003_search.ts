import { type Kysely, PostgresAdapter, sql } from "kysely";

/**
 * An index for each order of the document list and of the archive, a text index of names and numbers, and counters of
 * documents and scans by day, which triggers keep up to date.
 */
export async function up(db: Kysely<unknown>) {
  const isPostgres = db.getExecutor().adapter instanceof PostgresAdapter;
  const search = isPostgres ? postgresSearch : sqliteSearch;
  for (const statement of [...indexes, ...counters, ...search]) await sql.raw(statement).execute(db);
}

const indexes = [
  "drop index documents_by_date",
  `create index documents_list_by_branch_id_date on documents
    (company_id, branch_id, date, id, name_key, status, owner_id, access_group_id) where status <> 'archived'`,
  `create index documents_list_by_branch_id_id on documents (company_id, branch_id, id) where status <> 'archived'`,
  `create index documents_list_by_date on documents
    (company_id, date, id, name_key, status, branch_id, owner_id, access_group_id) where status <> 'archived'`,
  `create index documents_list_by_document_type on documents
    (company_id, document_type, id, status, date, branch_id, owner_id, access_group_id) where status <> 'archived'`,
  `create index documents_list_by_name_key on documents
    (company_id, name_key, id, status, date, branch_id, owner_id, access_group_id) where status <> 'archived'`,
  `create index documents_list_by_number_key on documents
    (company_id, number_key, id, status, date, branch_id, owner_id, access_group_id) where status <> 'archived'`,
  `create index documents_list_by_owner_id_date on documents
    (company_id, owner_id, date, id, name_key, status, branch_id, access_group_id) where status <> 'archived'`,
  `create index documents_list_by_owner_id_id on documents (company_id, owner_id, id) where status <> 'archived'`,
  `create index documents_archive_by_branch_id_date on documents
    (company_id, branch_id, date, id, name_key, status, owner_id, access_group_id) where status = 'archived'`,
  `create index documents_archive_by_branch_id_id on documents (company_id, branch_id, id) where status = 'archived'`,
  `create index documents_archive_by_date on documents
    (company_id, date, id, name_key, status, branch_id, owner_id, access_group_id) where status = 'archived'`,
  `create index documents_archive_by_document_type on documents
    (company_id, document_type, id, status, date, branch_id, owner_id, access_group_id) where status = 'archived'`,
  `create index documents_archive_by_name_key on documents
    (company_id, name_key, id, status, date, branch_id, owner_id, access_group_id) where status = 'archived'`,
  `create index documents_archive_by_number_key on documents
    (company_id, number_key, id, status, date, branch_id, owner_id, access_group_id) where status = 'archived'`,
  `create index documents_archive_by_owner_id_date on documents
    (company_id, owner_id, date, id, name_key, status, branch_id, access_group_id) where status = 'archived'`,
  `create index documents_archive_by_owner_id_id on documents (company_id, owner_id, id) where status = 'archived'`,
  "create index alerts_by_time on alerts (company_id, date, id)",
  "create index alerts_by_day on alerts (company_id, day, document_id)",
];

const counters = [
  `create table document_days (
    company_id integer not null, status text not null, date text not null, documents integer not null,
    primary key (company_id, status, date))`,
  `insert into document_days (company_id, status, date, documents)
   select company_id, status, date, count(*) from documents group by company_id, status, date`,
  `create table scan_days (
    company_id integer not null, day text not null, staff integer not null, scans integer not null,
    primary key (company_id, day, staff))`,
  `insert into scan_days (company_id, day, staff, scans)
   select company_id, day, staff, count(*) from scans group by company_id, day, staff`,
];

const countDocument = `insert into document_days (company_id, status, date, documents)
  values (new.company_id, new.status, new.date, 1)
  on conflict (company_id, status, date) do update set documents = document_days.documents + 1;`;
const uncountDocument = `insert into document_days (company_id, status, date, documents)
  values (old.company_id, old.status, old.date, -1)
  on conflict (company_id, status, date) do update set documents = document_days.documents + -1;`;
const countScan = `insert into scan_days (company_id, day, staff, scans) values (new.company_id, new.day, new.staff, 1)
  on conflict (company_id, day, staff) do update set scans = scan_days.scans + 1;`;
const uncountScan = `insert into scan_days (company_id, day, staff, scans) values (old.company_id, old.day, old.staff, -1)
  on conflict (company_id, day, staff) do update set scans = scan_days.scans + -1;`;
const addText = `insert into documents_text (rowid, name_key, number_key)
  values ((new.company_id << 32) | ((new.status = 'archived') << 31) | new.id, new.name_key, new.number_key);`;
const removeText = `insert into documents_text (documents_text, rowid, name_key, number_key)
  values ('delete', (old.company_id << 32) | ((old.status = 'archived') << 31) | old.id, old.name_key, old.number_key);`;

const sqliteSearch = [
  // Contentless: the documents have the texts. They are case-folded already.
  `create virtual table documents_text using fts5(
    name_key, number_key, content = '', tokenize = 'trigram case_sensitive 1')`,
  `insert into documents_text (rowid, name_key, number_key)
   select (company_id << 32) | ((status = 'archived') << 31) | id, name_key, number_key
   from documents order by company_id, id`,
  "insert into documents_text (documents_text) values ('optimize')",
  `create trigger documents_added after insert on documents begin ${addText} ${countDocument} end`,
  `create trigger documents_removed after delete on documents begin ${removeText} ${uncountDocument} end`,
  `create trigger documents_renamed after update of status, name_key, number_key on documents
   when old.name_key <> new.name_key or old.number_key <> new.number_key
     or (old.status = 'archived') <> (new.status = 'archived')
   begin ${removeText} ${addText} end`,
  `create trigger documents_moved after update of status, date on documents
   when old.status <> new.status or old.date <> new.date begin ${uncountDocument} ${countDocument} end`,
  `create trigger scans_added after insert on scans begin ${countScan} end`,
  `create trigger scans_removed after delete on scans begin ${uncountScan} end`,
];

const postgresSearch = [
  `create function count_documents() returns trigger language plpgsql as $$ begin
     if tg_op <> 'INSERT' then ${uncountDocument} end if;
     if tg_op <> 'DELETE' then ${countDocument} end if;
     return null;
   end $$`,
  `create trigger documents_counted after insert or delete on documents
   for each row execute function count_documents()`,
  `create trigger documents_moved after update of status, date on documents
   for each row when (old.status <> new.status or old.date <> new.date) execute function count_documents()`,
  `create function count_scans() returns trigger language plpgsql as $$ begin
     if tg_op = 'DELETE' then ${uncountScan} else ${countScan} end if;
     return null;
   end $$`,
  "create trigger scans_counted after insert or delete on scans for each row execute function count_scans()",
  // A role that may not create extensions does without the index.
  `do $$ begin
    create extension if not exists pg_trgm;
    create extension if not exists btree_gin;
    create index if not exists documents_text on documents using gin
      (company_id, name_key gin_trgm_ops, number_key gin_trgm_ops);
  exception when insufficient_privilege or undefined_file or feature_not_supported or undefined_object then
    raise warning 'Document search runs without an index, as pg_trgm or btree_gin is missing: %', sqlerrm;
  end $$`,
];
