import { sql } from "kysely";
import { describe, expect, test } from "vitest";
import { isPostgres } from "#storage/database.ts";
import { hasDatabase, testProvider } from "#fixtures/provider.ts";
import { countByMonth, searchByLots } from "./search.ts";
import { seedSample } from "#samples/seed.ts";

describe.runIf(hasDatabase())("an older version's database", () => {
  test("has its search by names replaced by the one that tells of lots", async ({ skip }) => {
    const { db } = await testProvider();
    if (!isPostgres(db)) return skip();
    await sql`drop index documents_texts`.execute(db);
    await sql`create index documents_text on documents using gin (name_key gin_trgm_ops)`.execute(db);
    await searchByLots(db);
    const { rows } = await sql<{ indexname: string }>`
      select indexname from pg_indexes where schemaname = current_schema() and indexname like 'documents\_text%'`.execute(
      db,
    );
    expect(rows.map(({ indexname }) => indexname)).toEqual(["documents_texts"]);
  });

  test("has its documents counted by month, and those that change from then on", async () => {
    const { db, services, company, issue } = await testProvider();
    await seedSample(services);
    const older = isPostgres(db)
      ? ["create or replace function count_documents() returns trigger language plpgsql as 'begin return null; end'"]
      : [
          "drop trigger documents_moved",
          "create trigger documents_moved after update of status, date on documents begin select 1; end",
        ];
    for (const statement of ["drop table document_months", ...older]) await sql.raw(statement).execute(db);
    for (const _ of ["once", "and again, as where the table was there"]) {
      await db.transaction().execute(countByMonth);
    }
    const { admin } = await company();
    await issue(admin.token, { date: "2024-02-29" });
    const of = (date: string) => db.updateTable("documents").where("date", "=", date);
    await of("2026-11-19").set({ date: "2025-03-01" }).execute();
    await of("2026-11-16").set({ status: "archived", status_before_archive: "active" }).execute();
    const columns = ["company_id", "status", "month"] as const;
    const kept = db
      .selectFrom("document_months")
      .where("documents", ">", 0)
      .select([...columns, "documents"]);
    const counted = db
      .selectFrom((eb) =>
        eb
          .selectFrom("documents")
          .select(["company_id", "status", sql<string>`substr(date, 1, 7)`.as("month")])
          .as("each"),
      )
      .groupBy(columns)
      .select([...columns, (eb) => eb.fn.countAll<number>().as("documents")]);
    const [months, expected] = [
      await kept.orderBy("company_id").orderBy("status").orderBy("month").execute(),
      await counted.orderBy("company_id").orderBy("status").orderBy("month").execute(),
    ];
    expect(months).toEqual(expected);
    expect(months).toEqual(expect.arrayContaining([expect.objectContaining({ month: "2024-02", documents: 1 })]));
  });
});
