import { describe, expect, test } from "vitest";
import { fold } from "#lib/text.ts";
import { hasDatabase, type TestProvider, testProvider } from "#tests/fixtures/provider.ts";
import { newUser } from "../sessions/signup.ts";
import { asFile, pdfFile } from "#tests/fixtures/files.ts";

const suite = describe.runIf(hasDatabase());

/** Plans by their numbers in the specification's table. */
const plans = { bronze1: 1, bronze2: 2, silver1: 3, gold1: 5, gold2: 6, brilliant: 8 };

/** Adds users to a company, without sign-ins. */
async function staff({ db }: TestProvider, companyId: number, count: number, active = 1) {
  const { access_group_id } = await db
    .selectFrom("users")
    .where("company_id", "=", companyId)
    .select("access_group_id")
    .executeTakeFirstOrThrow();
  const rows = Array.from({ length: count }, (_, n) => {
    const email = `staff-${companyId}-${active}-${n}@company.example`;
    const person = { name: `Staff ${n}`, name_key: `staff ${n}`, email, email_key: fold(email) };
    const place = { company_id: companyId, branch_id: null, access_group_id };
    return { ...newUser, ...person, ...place, active, password_hash: null, created_at: "2026-11-01T00:00:00.000Z" };
  });
  await db.insertInto("users").values(rows).execute();
}

const trail = ({ db }: TestProvider) =>
  db.selectFrom("audit").where("entity", "=", "company").where("action", "=", "changed").selectAll().execute();

suite("PUT /company/tariff", () => {
  const choose = ({ call }: TestProvider, token: string, tariff: unknown) =>
    call("changeTariff", { token, body: { tariff } });

  test("puts the company on another plan at once, and audits both names", async () => {
    const provider = await testProvider();
    const { id, admin, name } = await provider.company();
    const other = await provider.company();
    const { status, json } = await choose(provider, admin.token, plans.gold1);
    expect([status, json]).toEqual([200, expect.objectContaining({ name: "GoldState 1", active: true })]);
    expect((await provider.call("currentUser", { token: admin.token })).json.plan).toEqual({
      id: plans.gold1,
      name: "GoldState 1",
    });
    expect((await provider.call("currentUser", { token: other.admin.token })).json.plan.name).toBe("SilverState 1");
    const [entry, ...more] = await trail(provider);
    expect(more).toEqual([]);
    expect(entry).toMatchObject({ actor: "Ada Admin", entity_id: id, entity_name: name });
    expect(JSON.parse(entry!.changes)).toEqual([{ field: "tariff", before: "SilverState 1", after: "GoldState 1" }]);
  });

  test("refuses a plan for fewer users than the active ones", async () => {
    const provider = await testProvider();
    const { id, admin } = await provider.company();
    await staff(provider, id, 53);
    await staff(provider, id, 60, 0);
    const refused = await choose(provider, admin.token, plans.gold1);
    expect([refused.status, refused.json.message]).toEqual([
      409,
      "GoldState 1 is for 26-50 users; you have 54: choose a tariff for more, or remove users first",
    ]);
    const { json } = await choose(provider, admin.token, plans.bronze1);
    expect(json.message).toContain("BronzeState 1 is for 1 user; you have 54");
    expect(await trail(provider)).toEqual([]);
    expect((await choose(provider, admin.token, plans.gold2)).status).toBe(200);
  });

  test("accepts a plan for more users than there are", async () => {
    const provider = await testProvider();
    const { admin } = await provider.company();
    expect((await choose(provider, admin.token, plans.gold2)).status).toBe(200);
    const { json } = await provider.call("companyBill", { token: admin.token });
    expect(json).toMatchObject({ tariff: "GoldState 2", users: 1, amount: 2500 });
  });

  test("does nothing for the current plan", async () => {
    const provider = await testProvider();
    const { admin } = await provider.company();
    expect((await choose(provider, admin.token, plans.silver1)).json.name).toBe("SilverState 1");
    expect(await trail(provider)).toEqual([]);
  });

  test("refuses plans by agreement and unknown plans", async () => {
    const provider = await testProvider();
    const { admin } = await provider.company();
    const { status, json } = await choose(provider, admin.token, plans.brilliant);
    expect([status, json.message]).toEqual([409, "BrilliantState is by agreement: contact us"]);
    for (const nonsense of [99, 0, "", "gold", null, 1.5, 2 ** 40]) {
      const { status, json } = await choose(provider, admin.token, nonsense);
      expect([status, json.errors]).toEqual([422, { tariff: ["Choose a tariff from the list"] }]);
    }
  });

  test("counts a user who is added at the same time, in either order", async () => {
    const provider = await testProvider();
    for (let round = 0; round < 10; round++) {
      const { id, admin } = await provider.company();
      await staff(provider, id, 4);
      const body = { name: "Nora New", email: `nora-${round}@company.example`, staff: "Accountant" };
      const [, changed] = await Promise.all([
        provider.call("createUser", { token: admin.token, body }),
        choose(provider, admin.token, plans.bronze2),
      ]);
      const entries = await provider.db
        .selectFrom("audit")
        .where("company_id", "=", id)
        .where("action", "in", ["changed", "added"])
        .where("entity_name", "!=", "Ada Admin")
        .orderBy("id")
        .select("action")
        .execute();
      const expected = changed.status === 200 ? ["changed", "added"] : ["added"];
      expect(entries.map(({ action }) => action)).toEqual(expected);
    }
  });
});

suite("GET /company/bill", () => {
  test("is the plan's minimum for few users, and the price per user for more", async () => {
    const provider = await testProvider();
    const { id, admin } = await provider.company();
    const bill = async () => (await provider.call("companyBill", { token: admin.token })).json;
    expect(await bill()).toEqual({
      tariff: "SilverState 1",
      users: 1,
      pages: 0,
      pages_included: 1000,
      extra_pages: 0,
      amount: 400,
      period: "2026-11",
      storage: { bytes: 0, max_bytes: null },
    });
    await staff(provider, id, 11);
    await staff(provider, id, 5, 0);
    expect(await bill()).toMatchObject({ users: 12, amount: 480 });
  });

  test("counts the pages of this month in the company's time zone, and charges extra ones", async () => {
    const provider = await testProvider();
    const { call, company, issue, db, clock } = provider;
    const { id, admin } = await company();
    const other = await company();
    const bill = async () => (await call("companyBill", { token: admin.token })).json;
    const pages = async (count: number) =>
      asFile(await pdfFile(...Array.from({ length: count }, () => 0)), "pages.pdf");
    await db.updateTable("companies").set({ timezone: "America/New_York" }).where("id", "=", id).execute();
    // In New York it is still October.
    clock.now = new Date("2026-11-01T03:59:00Z");
    await issue(admin.token, {}, [await pages(2)]);
    expect(await bill()).toMatchObject({ period: "2026-10", pages: 2 });
    clock.now = new Date("2026-11-01T04:00:00Z");
    expect(await bill()).toMatchObject({ period: "2026-11", pages: 0 });
    await issue(admin.token, {}, [await pages(3), await pages(1)]);
    await issue(other.admin.token, {}, [await pages(2)]);
    expect(await bill()).toMatchObject({ period: "2026-11", pages: 4, extra_pages: 0, amount: 400 });
    await db.updateTable("tariffs").set({ pages: 3 }).where("id", "=", plans.silver1).execute();
    expect(await bill()).toMatchObject({ pages: 4, pages_included: 3, extra_pages: 1, amount: 400.5 });
  });

  test("has no amount for a plan by agreement", async () => {
    const { call, company, db } = await testProvider();
    const { id, admin } = await company();
    await db.updateTable("companies").set({ tariff_id: plans.brilliant }).where("id", "=", id).execute();
    const { json } = await call("companyBill", { token: admin.token });
    expect(json).toMatchObject({ tariff: "BrilliantState", pages_included: null, extra_pages: null, amount: null });
  });
});
