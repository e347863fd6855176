import { type Kysely, PostgresAdapter, sql } from "kysely";

/** Counters of documents by month beside those by day. */
export async function up(db: Kysely<unknown>) {
  const isPostgres = db.getExecutor().adapter instanceof PostgresAdapter;
  const statements = isPostgres ? [lock, ...months, postgresFunction] : [...months, ...sqliteTriggers];
  for (const statement of statements) await sql.raw(statement).execute(db);
}

// Else a document that another process adds meanwhile is counted by day alone.
const lock = "lock table documents in share row exclusive mode";

// Some databases at the steps before have the table already.
const months = [
  `create table if not exists document_months (
    company_id integer not null, status text not null, month text not null, documents integer not null,
    primary key (company_id, status, month))`,
  "delete from document_months",
  `insert into document_months (company_id, status, month, documents)
   select company_id, status, substr(date, 1, 7), sum(documents) from document_days
   group by company_id, status, substr(date, 1, 7)`,
];

const count = `insert into document_days (company_id, status, date, documents)
  values (new.company_id, new.status, new.date, 1)
  on conflict (company_id, status, date) do update set documents = document_days.documents + 1;
  insert into document_months (company_id, status, month, documents)
  values (new.company_id, new.status, substr(new.date, 1, 7), 1)
  on conflict (company_id, status, month) do update set documents = document_months.documents + 1;`;
const uncount = `insert into document_days (company_id, status, date, documents)
  values (old.company_id, old.status, old.date, -1)
  on conflict (company_id, status, date) do update set documents = document_days.documents + -1;
  insert into document_months (company_id, status, month, documents)
  values (old.company_id, old.status, substr(old.date, 1, 7), -1)
  on conflict (company_id, status, month) do update set documents = document_months.documents + -1;`;
const addText = `insert into documents_text (rowid, name_key, number_key)
  values ((new.company_id << 32) | ((new.status = 'archived') << 31) | new.id, new.name_key, new.number_key);`;
const removeText = `insert into documents_text (documents_text, rowid, name_key, number_key)
  values ('delete', (old.company_id << 32) | ((old.status = 'archived') << 31) | old.id, old.name_key, old.number_key);`;

const sqliteTriggers = [
  "drop trigger documents_added",
  `create trigger documents_added after insert on documents begin ${addText} ${count} end`,
  "drop trigger documents_removed",
  `create trigger documents_removed after delete on documents begin ${removeText} ${uncount} end`,
  "drop trigger documents_moved",
  `create trigger documents_moved after update of status, date on documents
   when old.status <> new.status or old.date <> new.date begin ${uncount} ${count} end`,
];

const postgresFunction = `create or replace function count_documents() returns trigger language plpgsql as $$ begin
     if tg_op <> 'INSERT' then ${uncount} end if;
     if tg_op <> 'DELETE' then ${count} end if;
     return null;
   end $$`;
