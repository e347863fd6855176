import { type RawBuilder, sql } from "kysely";
import { isPostgres } from "#lib/storage/database/dialect.ts";
import { rebuildDerivedTables } from "./derived-tables.ts";
import type { Db } from "./tables.ts";

/** Counters that are derived from other rows: what `verify` finds wrong in them, `verify --repair` recounts. */

export type Violation = Record<string, string | number | null>;

/** One statement, so that it sees one moment while others write. */
export type Invariant = { find: RawBuilder<Violation>; describe(row: Violation): string };

export const document = ({ id, number }: Violation) => `document ${id} (${number})`;

const ofDocuments = "from documents d where d.company_id = companies.id";
const bytesOf = (table: string) =>
  `select coalesce(sum(f.bytes), 0) from ${table} f join documents d on d.id = f.document_id where d.company_id = companies.id`;

const companyCounters = [
  { column: "documents", actual: `select count(*) ${ofDocuments}`, what: "documents and has" },
  { column: "pages", actual: `select coalesce(sum(d.pages), 0) ${ofDocuments}`, what: "pages, and its documents have" },
  { column: "stored_bytes", actual: bytesOf("page_files"), what: "bytes of page files, which have" },
  { column: "sealed_bytes", actual: bytesOf("sealed_files"), what: "bytes of sealed PDFs, which have" },
];

const pagesOfFiles = "select coalesce(sum(f.pages), 0) from page_files f where f.document_id = documents.id";

const reach = "branch_id, access_group_id, owner_id, status";
const countingTables = [
  {
    table: "document_reach",
    counted: "documents",
    by: reach,
    rows: "select company_id, branch_id, access_group_id, owner_id, status, -1 from documents",
    where: "in a branch, group and user",
  },
  {
    table: "alert_reach",
    counted: "alerts",
    by: reach,
    rows: `select d.company_id, d.branch_id, d.access_group_id, d.owner_id, a.status, -1
      from alerts a join documents d on d.id = a.document_id`,
    where: "in a branch, group and user",
  },
  {
    table: "document_days",
    counted: "documents",
    by: "status, date",
    rows: "select company_id, status, date, -1 from documents",
    where: "on a day",
  },
  {
    table: "document_months",
    counted: "documents",
    by: "status, month",
    rows: "select company_id, status, substr(date, 1, 7), -1 from documents",
    where: "in a month",
  },
  {
    table: "scan_days",
    counted: "scans",
    by: "day, staff",
    rows: "select company_id, day, staff, -1 from scans",
    where: "on a day",
  },
];

export const derivedCounters: Invariant[] = [
  {
    find: sql`select id, number, pages as noted, (${sql.raw(pagesOfFiles)}) as actual from documents
      where pages <> (${sql.raw(pagesOfFiles)})`,
    describe: ({ noted, actual, ...row }) =>
      `${document(row)} counts ${noted} pages, and its page files have ${actual}`,
  },
  ...companyCounters.map(({ column, actual, what }) => ({
    find: sql<Violation>`select * from (select id, ${sql.ref(column)} as noted, (${sql.raw(actual)}) as actual from companies)
      as counted where noted <> actual`,
    describe: (row: Violation) => `company ${row.id} counts ${row.noted} ${what} ${row.actual}`,
  })),
  ...countingTables.map(({ table, counted, by, rows, where }) => ({
    find: sql<Violation>`select distinct company_id from (
        select company_id, ${sql.raw(by)}, ${sql.ref(counted)} as n from ${sql.table(table)} union all ${sql.raw(rows)}
      ) as compared group by company_id, ${sql.raw(by)} having sum(n) <> 0`,
    describe: ({ company_id }: Violation) => `company ${company_id} counts other ${counted} ${where} than it has`,
  })),
];

/** Recounts all that is derived, while writers wait. */
export async function repairCounters(db: Db): Promise<void> {
  await db.transaction().execute(async (transaction) => {
    if (isPostgres(db)) {
      const tables = "companies, documents, page_files, sealed_files, alerts, scans";
      await sql.raw(`lock table ${tables} in share row exclusive mode`).execute(transaction);
    }
    await sql
      .raw(`update documents set pages = (${pagesOfFiles}) where pages <> (${pagesOfFiles})`)
      .execute(transaction);
    const counts = companyCounters.map(({ column, actual }) => `${column} = (${actual})`);
    await sql.raw(`update companies set ${counts.join(", ")}`).execute(transaction);
    await rebuildDerivedTables(transaction);
  });
}
