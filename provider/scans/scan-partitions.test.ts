import { sql } from "kysely";
import { describe, expect, inject, test } from "vitest";
import { hasDatabase } from "#tests/fixtures/provider.ts";
import { withScans } from "#tests/fixtures/scans.ts";
import { partitionedMonths } from "./partitions.ts";

const suite = describe.runIf(hasDatabase());
const onPostgres = describe.runIf(hasDatabase() && inject("database") === "postgres");

type Provider = Awaited<ReturnType<typeof withScans>>;

/** Stores a scan of a moment, as a copy of the one that there is. */
async function scanAt({ db, companyId, document }: Provider, at: string) {
  const row = { company_id: companyId, document_id: document.id, at, day: at.slice(0, 10), address_hash: "a" };
  const stored = db.insertInto("scans").values({ ...row, key_hash: at, place: "", staff: 0, suspicion: 0 });
  return (await stored.returning("id").executeTakeFirstOrThrow()).id;
}

const timesOf = async ({ db }: Provider) =>
  (await db.selectFrom("scans").select("at").orderBy("at").execute()).map(({ at }) => at.slice(0, 10));

/** The partition of each scan, on PostgreSQL. */
async function partsOf({ db }: Provider) {
  const { rows } = await sql<{ name: string }>`select tableoid::regclass::text as name from scans order by at`.execute(
    db,
  );
  return rows.map(({ name }) => name);
}

/** Whether the counters are what is stored. */
async function expectCounted({ db }: Provider) {
  const counted = await db
    .selectFrom("scan_days")
    .where("scans", ">", 0)
    .select(["day", "scans"])
    .orderBy("day")
    .execute();
  const stored = db
    .selectFrom("scans")
    .groupBy("day")
    .select(["day", (eb) => eb.fn.countAll<number>().as("scans")]);
  expect(counted).toEqual(await stored.orderBy("day").execute());
}

suite("old scans", () => {
  test("stay for ever unless the operator says otherwise", async () => {
    const provider = await withScans();
    await scanAt(provider, "2016-05-05T10:00:00.000Z");
    await provider.run("old scans");
    expect(await timesOf(provider)).toEqual(["2016-05-05"]);
  });

  test("go with all that refers to them, and their alerts stay", async () => {
    const provider = await withScans({}, { scanDays: 100 });
    const { call, params, db, run, alerts } = provider;
    // The clock is in November 2026, so that July is over for a hundred days.
    const old = await scanAt(provider, "2026-07-20T10:00:00.000Z");
    await scanAt(provider, "2026-07-21T10:00:00.000Z");
    await scanAt(provider, "2026-08-22T10:00:00.000Z");
    await call("complain", { params, body: { scan: "", text: "A copy" } });
    await db.updateTable("complaints").set({ scan_id: old }).execute();
    await db.updateTable("alert_scans").set({ scan_id: old }).execute();
    await run("old scans");
    expect(await timesOf(provider)).toEqual(["2026-08-22", "2026-11-21"]);
    expect(await db.selectFrom("complaints").selectAll().execute()).toEqual([]);
    expect(await db.selectFrom("alert_scans").selectAll().execute()).toEqual([]);
    expect(await alerts()).toHaveLength(1);
    await expectCounted(provider);
  });

  test("go though a wrong clock wrote later ones before them", async () => {
    const provider = await withScans({}, { scanDays: 100 });
    for (const at of ["2031-01-01T10:00:00.000Z", "2026-07-20T10:00:00.000Z"]) await scanAt(provider, at);
    await provider.run("old scans");
    expect(await timesOf(provider)).toEqual(["2031-01-01"]);
  });
});

onPostgres("partitions of scans", () => {
  test("are made for this and the next two months", async () => {
    const { run, db, scan } = await withScans();
    await run("scan partitions");
    expect(await partitionedMonths(db)).toEqual(["2026-11", "2026-12", "2027-01"]);
    await run("scan partitions");
    await scan();
    const { rows } = await sql`select tableoid::regclass::text as name from scans`.execute(db);
    expect(rows).toEqual([{ name: "scans_2026_11" }]);
  });

  test("take the rows of before out of the default partition, which has what no other is for", async () => {
    const provider = await withScans();
    const { run, db, scan } = provider;
    for (const at of ["2026-09-30T23:59:59.999Z", "2026-10-01T00:00:00.000Z", "2026-11-02T10:00:00.000Z"])
      await scanAt(provider, at);
    const before = await db.selectFrom("scans").selectAll().orderBy("id").execute();
    await run("scan partitions");
    expect(await partitionedMonths(db)).toEqual(["2026-12", "2027-01"]);
    await run("old scans");
    expect(await partitionedMonths(db)).toEqual(["2026-09", "2026-10", "2026-12", "2027-01"]);
    expect(await db.selectFrom("scans").selectAll().orderBy("id").execute()).toEqual(before);
    expect(await partsOf(provider)).toEqual(["scans_2026_09", "scans_2026_10", "scans_default"]);
    await expectCounted(provider);
    await scan();
    expect(await timesOf(provider)).toHaveLength(4);
    await expectCounted(provider);
  });

  test("take a month in which scans still come once rules and reports change none of it", async () => {
    const provider = await withScans();
    const { run, scan, clock } = provider;
    await scan();
    await scanAt(provider, "2027-06-05T10:00:00.000Z");
    await run("scan partitions");
    const days = async (date: string) => {
      clock.now = new Date(`${date}T02:30:00.000Z`);
      await run("old scans");
      return partsOf(provider);
    };
    // A month that a wrong clock wrote is moved at once.
    expect(await days("2026-11-22")).toEqual(["scans_default", "scans_2027_06"]);
    expect(await days("2026-12-02")).toEqual(["scans_default", "scans_2027_06"]);
    expect(await days("2026-12-03")).toEqual(["scans_2026_11", "scans_2027_06"]);
    await expectCounted(provider);
  });

  test("are all that a query of one month reads", async () => {
    const { run, db } = await withScans();
    await run("scan partitions");
    const { rows } = await sql<Record<string, string>>`explain select * from scans where document_id = 1
      and at > '2026-11-21T09:50:00.000Z' and at <= '2026-11-21T10:00:00.000Z'`.execute(db);
    const plan = rows.map((row) => Object.values(row)[0]!).join("\n");
    expect(plan).toContain("scans_2026_11");
    expect(plan).not.toMatch(/scans_2026_12|scans_2027_01|scans_default/);
  });
});
