import { describe, expect, test } from "vitest";
import { hasDatabase, testProvider } from "#tests/fixtures/provider.ts";

const suite = describe.runIf(hasDatabase());

const leases = { list: "documents", name: "Leases", query: "name=lease&sort=-date", columns: ["name", "custom:Floor"] };

/** A company with two accountants and a manager of another access group. */
async function withUsers() {
  const provider = await testProvider();
  const { company, group, user, call } = provider;
  const { id, admin } = await company();
  await group(id, "Managers", { docs: "C:R" });
  const accountant = await user(id, { name: "Anna Accountant", group: "Accountant" });
  const colleague = await user(id, { name: "Carl Colleague", group: "Accountant" });
  const manager = await user(id, { name: "Mia Manager", group: "Managers" });
  const save = async (token: string, more = {}) =>
    (await call("createView", { token, body: { ...leases, ...more } })).json as { id: number; version: number };
  const namesFor = async (token: string) => {
    const { json } = await call("listViews", { token });
    return json.map(({ name }: { name: string }) => name) as string[];
  };
  return { ...provider, admin, accountant, colleague, manager, save, namesFor };
}

suite("GET /views", () => {
  test("lists the user's own views, and views shared with their access group", async () => {
    const { accountant, colleague, manager, save, namesFor } = await withUsers();
    await save(accountant.token);
    await save(accountant.token, { name: "Shared leases", shared: true });
    expect(await namesFor(accountant.token)).toEqual(["Leases", "Shared leases"]);
    expect(await namesFor(colleague.token)).toEqual(["Shared leases"]);
    expect(await namesFor(manager.token)).toEqual([]);
  });

  test("shows administrators views shared with any access group, of their own company only", async () => {
    const { admin, accountant, save, namesFor, company } = await withUsers();
    await save(accountant.token);
    await save(accountant.token, { name: "Shared leases", shared: true });
    expect(await namesFor(admin.token)).toEqual(["Shared leases"]);
    expect(await namesFor((await company()).admin.token)).toEqual([]);
  });

  test("names who saved a view and whom it is shared with", async () => {
    const { accountant, colleague, save, call } = await withUsers();
    await save(accountant.token, { shared: true });
    const { json } = await call("listViews", { token: colleague.token });
    expect(json).toEqual([
      expect.objectContaining({ ...leases, shared_with: "Accountant", owner: "Anna Accountant", is_own: false }),
    ]);
  });
});

suite("POST /views", () => {
  test("saves filters, sort and columns, without the page and without a column twice", async () => {
    const { accountant, call } = await withUsers();
    const body = { ...leases, query: "name=lease&page=3&after=x&sort=-date", columns: ["name", "date", "name"] };
    const { status, json } = await call("createView", { token: accountant.token, body });
    expect(status).toBe(201);
    expect(json).toMatchObject({ query: "name=lease&sort=-date", columns: ["name", "date"], is_default: false });
  });

  test("refuses a name that the user has for the same list, in any case", async () => {
    const { accountant, colleague, save, call } = await withUsers();
    await save(accountant.token);
    const again = { token: accountant.token, body: { ...leases, name: "LEASES" } };
    expect((await call("createView", again)).json.errors).toHaveProperty("name");
    expect((await call("createView", { ...again, body: { ...leases, list: "archive" } })).status).toBe(201);
    expect((await call("createView", { token: colleague.token, body: leases })).status).toBe(201);
  });

  test("refuses a list that there is not, too many columns, and a view without a name", async () => {
    const { accountant, call } = await withUsers();
    const body = { list: "secrets", name: "", columns: Array.from({ length: 21 }, (_, n) => `c${n}`) };
    const { status, json } = await call("createView", { token: accountant.token, body });
    expect([status, Object.keys(json.errors).toSorted()]).toEqual([422, ["columns", "list", "name"]]);
  });

  test("refuses a fifty-first view of a user", async () => {
    const { accountant, save, call } = await withUsers();
    for (let n = 0; n < 50; n++) await save(accountant.token, { name: `View ${n}` });
    const { status, json } = await call("createView", { token: accountant.token, body: leases });
    expect([status, json.message]).toEqual([409, "You have 50 views: remove one first"]);
  });
});

suite("PUT /views/{id}", () => {
  test("changes one’s own view, once for each version", async () => {
    const { accountant, save, call } = await withUsers();
    const { id, version } = await save(accountant.token);
    const change = {
      token: accountant.token,
      params: { id },
      body: { ...leases, name: "Flats", shared: true, version },
    };
    expect((await call("updateView", change)).json).toMatchObject({ name: "Flats", shared_with: "Accountant" });
    expect((await call("updateView", change)).status).toBe(409);
  });

  test("is refused for a colleague’s shared view, and finds no other", async () => {
    const { accountant, colleague, manager, save, call } = await withUsers();
    const { id } = await save(accountant.token, { shared: true });
    const change = { params: { id }, body: { ...leases, name: "Mine now" } };
    expect((await call("updateView", { token: colleague.token, ...change })).status).toBe(403);
    expect((await call("updateView", { token: manager.token, ...change })).status).toBe(404);
  });
});

suite("DELETE /views/{id}", () => {
  test("removes one’s own view and with it what opened with it; administrators remove shared ones", async () => {
    const { admin, accountant, colleague, save, call, namesFor } = await withUsers();
    const own = await save(accountant.token);
    const shared = await save(accountant.token, { name: "Shared leases", shared: true });
    await call("chooseDefaultView", { token: colleague.token, body: { list: "documents", view_id: shared.id } });
    const remove = (token: string, id: number) => call("removeView", { token, params: { id } });
    expect((await remove(colleague.token, shared.id)).status).toBe(403);
    expect((await remove(admin.token, own.id)).status).toBe(404);
    expect((await remove(admin.token, shared.id)).status).toBe(204);
    expect((await remove(accountant.token, own.id)).status).toBe(204);
    expect([...(await namesFor(accountant.token)), ...(await namesFor(colleague.token))]).toEqual([]);
  });

  test("is in the audit trail, as are saving and changing", async () => {
    const { admin, accountant, save, call } = await withUsers();
    const { id } = await save(accountant.token);
    const params = { id };
    await call("updateView", { token: accountant.token, params, body: { ...leases, name: "Flats" } });
    await call("removeView", { token: accountant.token, params });
    const { json } = await call("listAudit", { token: admin.token, query: { entity: "view", per_page: 10 } });
    expect(json.map(({ action, entity_name }: Record<string, string>) => [action, entity_name])).toEqual([
      ["removed", `View ${id}`],
      ["changed", `View ${id}`],
      ["added", `View ${id}`],
    ]);
    expect(json[1].changes).toEqual([{ field: "name", before: "Leases", after: "Flats" }]);
  });
});

suite("PUT /views/default", () => {
  test("chooses the view with which a list opens for the caller alone, another one, and none", async () => {
    const { accountant, colleague, save, call } = await withUsers();
    const first = await save(accountant.token, { shared: true });
    const second = await save(accountant.token, { name: "Others" });
    const choose = (token: string, view_id: number | "") =>
      call("chooseDefaultView", { token, body: { list: "documents", view_id } });
    const defaultOf = async (token: string) => {
      const { json } = await call("listViews", { token });
      return json.filter((view: { is_default: boolean }) => view.is_default).map((view: { id: number }) => view.id);
    };
    expect((await choose(accountant.token, first.id)).status).toBe(204);
    expect((await choose(accountant.token, second.id)).status).toBe(204);
    expect([await defaultOf(accountant.token), await defaultOf(colleague.token)]).toEqual([[second.id], []]);
    expect((await choose(accountant.token, "")).status).toBe(204);
    expect(await defaultOf(accountant.token)).toEqual([]);
  });

  test("refuses a view of another list, and one that the caller can’t see", async () => {
    const { accountant, manager, save, call } = await withUsers();
    const { id } = await save(accountant.token);
    const choose = (token: string, list: string) => call("chooseDefaultView", { token, body: { list, view_id: id } });
    expect((await choose(accountant.token, "archive")).json.errors).toHaveProperty("view_id");
    expect((await choose(manager.token, "documents")).json.errors).toHaveProperty("view_id");
  });
});
