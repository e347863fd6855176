import { type Kysely, sql } from "kysely";
import { isPostgres } from "#lib/storage/database/dialect.ts";
import type { Tables } from "./tables.ts";

/** Tables that triggers keep up to date from others, so that a backup omits them. */
export const derivedTables = [
  "document_days",
  "document_months",
  "document_reach",
  "alert_reach",
  "scan_days",
  "documents_text",
  "custom_values",
];

/** Fills the derived tables anew from documents, custom fields and scans, after rows were loaded without triggers. */
export async function rebuildDerivedTables(db: Kysely<Tables>): Promise<void> {
  const statements = [
    "delete from document_days",
    `insert into document_days (company_id, status, date, documents)
     select company_id, status, date, count(*) from documents group by company_id, status, date`,
    "delete from document_months",
    `insert into document_months (company_id, status, month, documents)
     select company_id, status, substr(date, 1, 7), sum(documents) from document_days
     group by company_id, status, substr(date, 1, 7)`,
    "delete from scan_days",
    `insert into scan_days (company_id, day, staff, scans)
     select company_id, day, staff, count(*) from scans group by company_id, day, staff`,
    ...reachCounters,
    ...(isPostgres(db) ? postgresValues : sqliteTextIndex),
  ];
  for (const statement of statements) await sql.raw(statement).execute(db);
}

const reach = "d.company_id, d.branch_id, d.access_group_id, d.owner_id";
const reachColumns = "company_id, branch_id, access_group_id, owner_id, status";

const reachCounters = [
  "delete from document_reach",
  `insert into document_reach (${reachColumns}, documents)
   select ${reach}, d.status, count(*) from documents d group by ${reach}, d.status`,
  "delete from alert_reach",
  `insert into alert_reach (${reachColumns}, alerts)
   select ${reach}, a.status, count(*) from alerts a join documents d on d.id = a.document_id
   group by ${reach}, a.status`,
];

// Row numbers as the triggers give them (`migrations/001_tables/text-indexes.ts`). 'optimize' merges the index into one segment.
const sqliteTextIndex = [
  "insert into documents_text (documents_text) values ('delete-all')",
  `insert into documents_text (rowid, name_key, number_key)
   select (company_id << 32) | ((status = 'archived') << 31) | id, name_key, number_key
   from documents order by company_id, id`,
  "insert into documents_text (documents_text) values ('optimize')",
  "insert into custom_values (custom_values) values ('delete-all')",
  `insert into custom_values (rowid, value_key)
   select (d.company_id << 37) | (f.document_id << 6) | f.n, fold(f.value)
   from custom_fields f join documents d on d.id = f.document_id order by d.company_id, f.document_id, f.n`,
  "insert into custom_values (custom_values) values ('optimize')",
];

const postgresValues = [
  "delete from custom_values",
  `insert into custom_values (company_id, document_id, n, value_key)
   select d.company_id, f.document_id, f.n, fold(f.value) from custom_fields f join documents d on d.id = f.document_id`,
];
