import { type Kysely, sql } from "kysely";
import { isPostgres } from "#storage/database.ts";
import { block, searchedColumns } from "./document-list/text-index.ts";

/**
 * What a million documents are searched and counted by: an index of the three-letter pieces of names and numbers, and
 * how many documents there are of each day and month. The database itself keeps both up to date, by triggers.
 */

const each = async (db: Kysely<any>, statements: string[]) => {
  for (const statement of statements) await sql.raw(statement).execute(db);
};

/** Tables that are made of others: a backup leaves them out, since triggers fill them as the others are restored. */
export const derivedTables = ["document_days", "document_months", "scan_days", "documents_text"];

/**
 * SQLite's rows are numbered by company and by list or archive first, so that a search reads its own part of each piece's list:
 * nobody pays for another's documents, and what is in the archive need not be told from the rest row by row.
 */
const textRow = (row: "new" | "old" | "documents") =>
  `(${row}.company_id << 32) | ((${row}.status = 'archived') << 31) | ${row}.id`;

const columns = Object.values(searchedColumns);
const values = (row: string) => columns.map((column) => `${row}.${column}`).join(", ");

/** Makes the index and the counts, of the documents and scans that there are and of those that will come. */
export async function createSearch(db: Kysely<any>) {
  await sql`create table document_days (
    company_id integer not null, status text not null, date text not null, documents integer not null,
    primary key (company_id, status, date))`.execute(db);
  await sql`insert into document_days (company_id, status, date, documents)
    select company_id, status, date, count(*) from documents group by company_id, status, date`.execute(db);
  await each(db, countMonths);
  await sql`create table scan_days (
    company_id integer not null, day text not null, staff integer not null, scans integer not null,
    primary key (company_id, day, staff))`.execute(db);
  await sql`insert into scan_days (company_id, day, staff, scans)
    select company_id, day, staff, count(*) from scans group by company_id, day, staff`.execute(db);
  if (isPostgres(db)) {
    await each(db, [...postgresTriggers, postgresIndex]);
    return;
  }
  // Without the names themselves, which the documents have; pieces as they are, since they are folded already.
  await sql`create virtual table documents_text using fts5(
    name_key, number_key, content = '', tokenize = 'trigram case_sensitive 1')`.execute(db);
  await each(db, [
    `insert into documents_text (rowid, ${columns.join(", ")})
     select ${textRow("documents")}, ${values("documents")} from documents order by company_id, id`,
    "insert into documents_text (documents_text) values ('optimize')",
    ...Object.entries(sqliteTriggers).map(createTrigger),
  ]);
}

/** Counts by month besides, as the search that was made first did not. */
export async function countByMonth(db: Kysely<any>) {
  if (isPostgres(db)) {
    // Else who is still at it by the older function is not counted.
    await each(db, ["lock table documents in share row exclusive mode", ...countMonths, countDocuments]);
    return;
  }
  const anew = Object.entries(sqliteTriggers).flatMap((trigger) => [dropTrigger(trigger), createTrigger(trigger)]);
  await each(db, [...countMonths, ...anew]);
}

/** Has PostgreSQL's index tell of lots, as the one that was made first did not. */
export async function searchByLots(db: Kysely<any>) {
  if (isPostgres(db)) await sql.raw(postgresIndex).execute(db);
}

/** The opposite of `createSearch`, for filling tables at a stroke: that then takes in all of it at once. */
export async function dropSearch(db: Kysely<any>) {
  await each(db, isPostgres(db) ? postgresTriggersGone : sqliteTriggersGone);
  await each(
    db,
    ["document_days", "document_months", "scan_days"].map((table) => `drop table ${table}`),
  );
}

const countOne = (row: "new" | "old", by: 1 | -1) =>
  `insert into document_days (company_id, status, date, documents)
   values (${row}.company_id, ${row}.status, ${row}.date, ${by})
   on conflict (company_id, status, date) do update set documents = document_days.documents + ${by};
   insert into document_months (company_id, status, month, documents)
   values (${row}.company_id, ${row}.status, substr(${row}.date, 1, 7), ${by})
   on conflict (company_id, status, month) do update set documents = document_months.documents + ${by};`;
const countScan = (row: "new" | "old", by: 1 | -1) =>
  `insert into scan_days (company_id, day, staff, scans) values (${row}.company_id, ${row}.day, ${row}.staff, ${by})
   on conflict (company_id, day, staff) do update set scans = scan_days.scans + ${by};`;
const addText = `insert into documents_text (rowid, ${columns.join(", ")}) values (${textRow("new")}, ${values("new")});`;
const removeText = `insert into documents_text (documents_text, rowid, ${columns.join(", ")})
  values ('delete', ${textRow("old")}, ${values("old")});`;

/** The table is there already where the search was made by this version. */
const countMonths = [
  `create table if not exists document_months (
    company_id integer not null, status text not null, month text not null, documents integer not null,
    primary key (company_id, status, month))`,
  "delete from document_months",
  `insert into document_months (company_id, status, month, documents)
   select company_id, status, substr(date, 1, 7), sum(documents) from document_days
   group by company_id, status, substr(date, 1, 7)`,
];

const sqliteTriggers = {
  documents_added: `after insert on documents begin ${addText} ${countOne("new", 1)} end`,
  documents_removed: `after delete on documents begin ${removeText} ${countOne("old", -1)} end`,
  documents_renamed: `after update of status, ${columns.join(", ")} on documents
   when ${columns.map((column) => `old.${column} <> new.${column}`).join(" or ")}
     or (old.status = 'archived') <> (new.status = 'archived')
   begin ${removeText} ${addText} end`,
  documents_moved: `after update of status, date on documents
   when old.status <> new.status or old.date <> new.date begin ${countOne("old", -1)} ${countOne("new", 1)} end`,
  scans_added: `after insert on scans begin ${countScan("new", 1)} end`,
  scans_removed: `after delete on scans begin ${countScan("old", -1)} end`,
};
type Trigger = [name: string, body: string];
const createTrigger = ([name, body]: Trigger) => `create trigger ${name} ${body}`;
const dropTrigger = ([name]: Trigger) => `drop trigger ${name}`;

const countDocuments = `create or replace function count_documents() returns trigger language plpgsql as $$ begin
     if tg_op <> 'INSERT' then ${countOne("old", -1)} end if;
     if tg_op <> 'DELETE' then ${countOne("new", 1)} end if;
     return null;
   end $$`;

const postgresTriggers = [
  countDocuments,
  `create trigger documents_counted after insert or delete on documents
   for each row execute function count_documents()`,
  `create trigger documents_moved after update of status, date on documents
   for each row when (old.status <> new.status or old.date <> new.date) execute function count_documents()`,
  `create function count_scans() returns trigger language plpgsql as $$ begin
     if tg_op = 'DELETE' then ${countScan("old", -1)} else ${countScan("new", 1)} end if;
     return null;
   end $$`,
  `create trigger scans_counted after insert or delete on scans for each row execute function count_scans()`,
];

const sqliteTriggersGone = [...Object.entries(sqliteTriggers).map(dropTrigger), "drop table documents_text"];
const postgresTriggersGone = [
  "drop function count_documents cascade",
  "drop function count_scans cascade",
  "drop index if exists documents_texts",
];

/**
 * Who may not make extensions does without the index: searching reads all names of the company then. How it is made
 * later is in docs/operations.md.
 */
const postgresIndex = `do $$ begin
  create extension if not exists pg_trgm;
  create extension if not exists btree_gin;
  create index if not exists documents_texts on documents using gin
    (company_id, ${block}, name_key gin_trgm_ops, number_key gin_trgm_ops);
  drop index if exists documents_text;
exception when insufficient_privilege or undefined_file or feature_not_supported or undefined_object then
  raise warning 'Documents are searched without an index, as pg_trgm or btree_gin are missing: %', sqlerrm;
end $$`;
