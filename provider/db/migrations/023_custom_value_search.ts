import { type Kysely, PostgresAdapter, sql } from "kysely";

/** A text index of the values of custom fields, which triggers keep up to date. */
export async function up(db: Kysely<unknown>) {
  const isPostgres = db.getExecutor().adapter instanceof PostgresAdapter;
  for (const statement of isPostgres ? postgresValues : sqliteValues) await sql.raw(statement).execute(db);
}

// A document has 50 custom fields at most, so that six bits hold their numbers.
const addValue = `insert into custom_values (rowid, value_key)
  select (company_id << 37) | (new.document_id << 6) | new.n, fold(new.value) from documents where id = new.document_id;`;
const removeValue = `insert into custom_values (custom_values, rowid, value_key)
  select 'delete', (company_id << 37) | (old.document_id << 6) | old.n, fold(old.value)
  from documents where id = old.document_id;`;

const sqliteValues = [
  // Contentless: the custom fields have the texts.
  `create virtual table custom_values using fts5(value_key, content = '', tokenize = 'trigram case_sensitive 1')`,
  `insert into custom_values (rowid, value_key)
   select (d.company_id << 37) | (f.document_id << 6) | f.n, fold(f.value)
   from custom_fields f join documents d on d.id = f.document_id order by d.company_id, f.document_id, f.n`,
  `create trigger custom_fields_added after insert on custom_fields begin ${addValue} end`,
  `create trigger custom_fields_removed after delete on custom_fields begin ${removeValue} end`,
  `create trigger custom_fields_changed after update of document_id, n, value on custom_fields
   begin ${removeValue} ${addValue} end`,
];

const postgresValues = [
  `create table custom_values (
    company_id integer not null, document_id integer not null, n integer not null, value_key text not null,
    primary key (document_id, n))`,
  `insert into custom_values (company_id, document_id, n, value_key)
   select d.company_id, f.document_id, f.n, fold(f.value) from custom_fields f join documents d on d.id = f.document_id`,
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
  // By blocks of 2^14 ids, so that a search can begin with the newest documents. A role that may not create extensions does without.
  `do $$ begin
    create extension if not exists pg_trgm;
    create extension if not exists btree_gin;
    create index if not exists custom_values_text on custom_values using gin
      (company_id, (document_id >> 14), value_key gin_trgm_ops);
  exception when insufficient_privilege or undefined_file or feature_not_supported or undefined_object then
    raise warning 'Custom values are searched without an index, as pg_trgm or btree_gin is missing: %', sqlerrm;
  end $$`,
];
