import { describe, expect, test } from "vitest";
import { hasDatabase, testProvider } from "#fixtures/provider.ts";

describe.runIf(hasDatabase())("GET /search", () => {
  test("finds help by its words, and nothing by an empty text", async () => {
    const { call, company } = await testProvider();
    const { admin } = await company();
    const found = await call("search", { token: admin.token, query: { q: "PROLONGATION" } });
    expect(found.status).toBe(200);
    expect(found.json.help.length).toBeGreaterThan(0);
    expect((await call("search", { token: admin.token, query: { q: "" } })).json.help).toEqual([]);
    expect((await call("search", { query: { q: "PROLONGATION" } })).status).toBe(401);
  });
});
