import type { Dialect } from "./dialect.ts";

/** Text indexes of documents' names and numbers, and of the values of custom fields, which triggers keep up to date. */
export const textIndexes = ({ isPostgres }: Dialect) => (isPostgres ? postgres : sqlite);

// A rowid begins with the company and the side of the list, so that a search reads nothing of others.
const rowid = (row: string) => `(${row}.company_id << 32) | ((${row}.status = 'archived') << 31) | ${row}.id`;

/** For triggers on SQLite. */
export const addText = `insert into documents_text (rowid, name_key, number_key)
  values (${rowid("new")}, new.name_key, new.number_key);`;
export const removeText = `insert into documents_text (documents_text, rowid, name_key, number_key)
  values ('delete', ${rowid("old")}, old.name_key, old.number_key);`;

// A document has 50 custom fields at most, so that six bits hold their numbers.
const addValue = `insert into custom_values (rowid, value_key)
  select (company_id << 37) | (new.document_id << 6) | new.n, fold(new.value) from documents where id = new.document_id;`;
const removeValue = `insert into custom_values (custom_values, rowid, value_key)
  select 'delete', (company_id << 37) | (old.document_id << 6) | old.n, fold(old.value)
  from documents where id = old.document_id;`;

const sqlite = [
  // Contentless: the documents and custom fields have the texts. They are case-folded already.
  `create virtual table documents_text using fts5(
    name_key, number_key, content = '', tokenize = 'trigram case_sensitive 1')`,
  "create virtual table custom_values using fts5(value_key, content = '', tokenize = 'trigram case_sensitive 1')",
  `create trigger documents_renamed after update of status, name_key, number_key on documents
   when old.name_key <> new.name_key or old.number_key <> new.number_key
     or (old.status = 'archived') <> (new.status = 'archived')
   begin ${removeText} ${addText} end`,
  `create trigger custom_fields_added after insert on custom_fields begin ${addValue} end`,
  `create trigger custom_fields_removed after delete on custom_fields begin ${removeValue} end`,
  `create trigger custom_fields_changed after update of document_id, n, value on custom_fields
   begin ${removeValue} ${addValue} end`,
];

const postgres = [
  `create table custom_values (
    company_id integer not null, document_id integer not null, n integer not null, value_key text not null,
    primary key (document_id, n)
  )`,
  `create function index_custom_value() returns trigger language plpgsql as $$ begin
     if tg_op <> 'INSERT' then
       delete from custom_values where document_id = old.document_id and n = old.n;
     end if;
     if tg_op <> 'DELETE' then
       insert into custom_values (company_id, document_id, n, value_key)
       select company_id, new.document_id, new.n, fold(new.value) from documents where id = new.document_id;
     end if;
     return null;
   end $$`,
  `create trigger custom_fields_indexed after insert or update or delete on custom_fields
   for each row execute function index_custom_value()`,
  // By blocks of 2^14 ids, so that a search can begin with the newest documents. A role that may not create extensions
  // does without the indexes; docs/running.md says how to add them later.
  `do $$ begin
    create extension if not exists pg_trgm;
    create extension if not exists btree_gin;
    create index documents_texts on documents using gin
      (company_id, (id >> 14), name_key gin_trgm_ops, number_key gin_trgm_ops);
    create index custom_values_text on custom_values using gin
      (company_id, (document_id >> 14), value_key gin_trgm_ops);
  exception when insufficient_privilege or undefined_file or feature_not_supported or undefined_object then
    raise warning 'Searches run without an index, as pg_trgm or btree_gin is missing: %', sqlerrm;
  end $$`,
];
