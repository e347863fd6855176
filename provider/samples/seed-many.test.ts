import { sql } from "kysely";
import { expect, test } from "vitest";
import { hasDatabase, testProvider } from "#tests/fixtures/provider.ts";
import { schemaOf } from "#tests/fixtures/schema.ts";
import { seedMany } from "./seed-many.ts";

test.runIf(hasDatabase())("filling a database leaves its schema as it was, and its counters right", async () => {
  const { db, services } = await testProvider();
  const before = await schemaOf(db);
  await seedMany(services, { documents: 300, companies: 1 }, () => {});
  expect(await schemaOf(db)).toEqual(before);

  const rowsOf = async (query: string) => (await sql.raw<object>(query).execute(db)).rows;
  const expectCounters = async () => {
    expect(
      await rowsOf(
        "select company_id, status, date, documents from document_days where documents > 0 order by 1, 2, 3",
      ),
    ).toEqual(
      await rowsOf(
        "select company_id, status, date, count(*) as documents from documents group by 1, 2, 3 order by 1, 2, 3",
      ),
    );
    expect(
      await rowsOf("select company_id, sum(documents) as documents from document_months group by 1 order by 1"),
    ).toEqual(await rowsOf("select company_id, count(*) as documents from documents group by 1 order by 1"));
    expect(await rowsOf("select company_id, sum(scans) as scans from scan_days group by 1 order by 1")).toEqual(
      await rowsOf("select company_id, count(*) as scans from scans group by 1 order by 1"),
    );
  };
  await expectCounters();
  await db.updateTable("documents").where("id", "in", [1, 2, 3]).set({ date: "2020-02-29" }).execute();
  await expectCounters();
});

test.runIf(hasDatabase())("filled scans and alerts say what was true of their documents", async () => {
  const { db, services } = await testProvider();
  await seedMany(services, { documents: 3000, companies: 0 }, () => {});
  const scans = await db
    .selectFrom("scans")
    .innerJoin("documents", "documents.id", "scans.document_id")
    .leftJoin("alert_scans", "alert_scans.scan_id", "scans.id")
    .leftJoin("alerts", "alerts.id", "alert_scans.alert_id")
    .select(["scans.at", "scans.day", "scans.staff", "scans.verdict", "expire_date", "status_since", "alerts.alert"])
    .select((eb) => eb.fn.coalesce("status_before_archive", "documents.status").as("state"))
    .execute();
  const withdrawn = "Withdrawn document scanned";
  const expired = "Expired document scanned";
  for (const { at, day, staff, verdict, expire_date, status_since, alert, state } of scans) {
    const isWithdrawn = state === "exited" && status_since! <= at;
    const isExpired = expire_date !== null && expire_date < day;
    expect(verdict).toBe(isWithdrawn ? "withdrawn" : isExpired ? "expired" : "in force");
    expect(alert === withdrawn).toBe(verdict === "withdrawn" && alert !== null);
    expect(alert === expired).toBe(verdict === "expired" && alert !== null);
    if (verdict !== "in force") expect(alert !== null || staff === 1).toBe(true);
  }
  expect(new Set(scans.map((scan) => scan.verdict)).size).toBe(3);
});
