import { describe, expect, test } from "vitest";
import { hasDatabase, testProvider } from "#fixtures/provider.ts";

const suite = describe.runIf(hasDatabase());

suite("GET /search", () => {
  test("finds help by its words, and nothing by an empty text", async () => {
    const { call, company } = await testProvider();
    const { admin } = await company();
    const found = await call("search", { token: admin.token, query: { q: "PROLONGATION" } });
    expect(found.status).toBe(200);
    expect(found.json.help.length).toBeGreaterThan(0);
    expect((await call("search", { token: admin.token, query: { q: "" } })).json.help).toEqual([]);
    expect((await call("search", { query: { q: "PROLONGATION" } })).status).toBe(401);
  });

  test("goes by exact number and by code as typed on paper", async () => {
    const { call, company, issue } = await testProvider();
    const { token } = (await company()).admin;
    const { json: document } = await issue(token, { name: "Lease of the mill" });
    const find = async (q: string) => (await call("search", { token, query: { q } })).json;
    expect((await find(document.number.toLowerCase())).exact).toBe(document.id);
    const typed = document.code
      .toLowerCase()
      .replace(/0/g, "o")
      .match(/.{1,4}/g)!
      .join(" ");
    expect((await find(typed)).exact).toBe(document.id);
    expect(await find("of the mill")).toMatchObject({ exact: null, documents: [{ id: document.id }] });
    expect((await find("%_\\' or 1=1 --")).documents).toEqual([]);
  });

  test("finds nothing of other companies, nor without the right", async () => {
    const { call, company, group, user, issue } = await testProvider();
    const { id, admin } = await company();
    const { json: document } = await issue(admin.token, { name: "Lease of the mill" });
    await group(id, "Nothing", {});
    const { token } = await user(id, { group: "Nothing" });
    const other = (await company()).admin;
    for (const stranger of [token, other.token]) {
      for (const q of [document.number, document.code, "of the mill"]) {
        const { status, json } = await call("search", { token: stranger, query: { q } });
        expect(status).toBe(200);
        expect(json).toMatchObject({ exact: null, documents: [], alerts: [] });
      }
    }
  });
});
