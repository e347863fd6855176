import { describe, expect, test } from "vitest";
import { hasDatabase, testProvider } from "#tests/fixtures/provider.ts";

const suite = describe.runIf(hasDatabase());

suite("GET /tariffs", () => {
  test("lists the eight plans in pounds, the company's own marked", async () => {
    const { call, company } = await testProvider();
    const { admin } = await company();
    const { json } = await call("listTariffs", { token: admin.token });
    expect(json).toHaveLength(8);
    expect(json[2]).toEqual({
      id: 3,
      name: "SilverState 1",
      min_users: 6,
      max_users: 10,
      price_per_user: 40,
      min_monthly: 400,
      pages: 1000,
      extra_page: 0.5,
      active: true,
    });
    expect(json[7]).toMatchObject({ name: "BrilliantState", max_users: null, price_per_user: null, active: false });
  });
});

suite("GET /help", () => {
  test("searches questions and answers", async () => {
    const { call, company } = await testProvider();
    const { admin } = await company();
    const all = (await call("listHelp", { token: admin.token })).json;
    expect(all.length).toBeGreaterThanOrEqual(12);
    const entries = (await call("listHelp", { token: admin.token, query: { search: "PROLONGATION" } })).json;
    expect(entries.length).toBeGreaterThan(0);
    expect(entries.length).toBeLessThan(all.length);
    expect((await call("listHelp", { token: admin.token, query: { search: "no such words" } })).json).toEqual([]);
  });

  test("needs a session", async () => {
    const { call } = await testProvider();
    expect((await call("listHelp")).status).toBe(401);
  });
});

suite("GET /health", () => {
  test("is public", async () => {
    const { call } = await testProvider();
    expect((await call("health")).json).toEqual({ status: "ok" });
  });
});
