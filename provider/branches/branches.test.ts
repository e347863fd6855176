import { branchForm } from "#tests/fixtures/forms.ts";
import { describe, expect, test } from "vitest";
import { hasDatabase, testProvider } from "#tests/fixtures/provider.ts";
import { uncounted } from "../contract/fields.ts";

const suite = describe.runIf(hasDatabase());

suite("GET /branches", () => {
  test("lists the company's branches with their managers", async () => {
    const { call, company, branch } = await testProvider();
    const { id, admin } = await company();
    const other = await company();
    await branch(other.id, "Elsewhere");
    await branch(id, "Preston", admin.id);
    await branch(id, "Lancaster");
    const { json, headers } = await call("listBranches", { token: admin.token });
    expect(json).toMatchObject([
      { name: "Lancaster", manager: "" },
      { name: "Preston", manager: "Ada Admin", country: "United Kingdom" },
    ]);
    expect(headers.get("x-total-count")).toBe("2");
  });

  test("filters and sorts", async () => {
    const { call, company, branch } = await testProvider();
    const { id, admin } = await company();
    for (const name of ["Preston", "Lancaster", "Liverpool"]) await branch(id, name);
    const { json } = await call("listBranches", { token: admin.token, query: { name: "L", sort: "-name" } });
    expect(json.map(({ name }: { name: string }) => name)).toEqual(["Liverpool", "Lancaster"]);
    expect((await call("listBranches", { token: admin.token, query: { sort: "colour" } })).status).toBe(422);
  });

  test("skips counting when the client prefers no count", async () => {
    const { call, company, branch } = await testProvider();
    const { id, admin } = await company();
    for (const name of ["Preston", "Lancaster", "Liverpool"]) await branch(id, name);
    const headers = { prefer: uncounted };
    const firstPage = await call("listBranches", { token: admin.token, query: { page: 1, per_page: 2 }, headers });
    expect(firstPage.json.map(({ name }: { name: string }) => name)).toEqual(["Lancaster", "Liverpool"]);
    expect(firstPage.headers.get("x-total-is-capped")).toBe("1");
  });

  test("shows only the own branch to users below the company scope", async () => {
    const { call, company, branch, user } = await testProvider();
    const { id } = await company();
    const { id: branchId } = await branch(id, "Preston");
    await branch(id, "Lancaster");
    const { token } = await user(id, { group: "Branch Inspector", branchId });
    expect((await call("listBranches", { token })).json).toMatchObject([{ name: "Preston" }]);
    expect((await call("listBranches")).status).toBe(401);
  });
});

suite("POST /branches", () => {
  test("adds a branch with a manager by name, email or id, and audits it", async () => {
    const { call, company, user, db } = await testProvider();
    const { id, admin } = await company();
    const manager = await user(id, { name: "Mia Manager" });
    const create = (name: string, change: object) =>
      call("createBranch", { token: admin.token, body: { ...branchForm, name, ...change } });
    const { status, json } = await create("Preston", { manager: "mia manager" });
    expect([status, json]).toEqual([
      201,
      { ...branchForm, id: json.id, manager: "Mia Manager", manager_id: manager.id, imageUrl: "", version: 1 },
    ]);
    expect((await create("Leeds", { manager: manager.email })).json.manager).toBe("Mia Manager");
    const form = new FormData();
    for (const [name, value] of Object.entries({ ...branchForm, name: "York", manager_id: manager.id })) {
      form.append(name, String(value));
    }
    expect((await call("createBranch", { token: admin.token, body: form })).json.manager_id).toBe(manager.id);
    const entries = await db.selectFrom("audit").where("entity", "=", "branch").orderBy("id").selectAll().execute();
    expect(entries.map(({ action, entity_name }) => [action, entity_name])).toEqual([
      ["added", "Preston"],
      ["added", "Leeds"],
      ["added", "York"],
    ]);
    expect(entries[0]!.changes).toContain('"field":"manager","before":null,"after":"Mia Manager"');
  });

  test("names missing fields, invalid emails and unknown managers", async () => {
    const { call, company, user } = await testProvider();
    const { id, admin } = await company();
    for (let n = 0; n < 2; n++) await user(id, { name: "Dora Double" });
    const other = await company();
    const errorsOf = async (body: object) => (await call("createBranch", { token: admin.token, body })).json.errors;
    expect(await errorsOf({})).toEqual({
      name: ["Enter the name"],
      country: ["Enter the country"],
      city: ["Enter the city"],
    });
    expect(await errorsOf({ ...branchForm, email: "nobody" })).toEqual({
      email: ["Enter an email address like name@company.example"],
    });
    expect(await errorsOf({ ...branchForm, manager: "Nobody" })).toHaveProperty("manager");
    expect(await errorsOf({ ...branchForm, manager: "Dora Double" })).toEqual({
      manager: ["Several users have this name: enter the email"],
    });
    expect(await errorsOf({ ...branchForm, manager_id: other.admin.id })).toHaveProperty("manager_id");
    expect(await errorsOf({ ...branchForm, manager_id: "the first" })).toEqual({
      manager_id: ["Choose the manager from your company’s users"],
    });
  });

  test("keeps names unique within the company, ignoring case; removal frees a name", async () => {
    const { call, company } = await testProvider();
    const [{ admin }, other] = [await company(), await company()];
    const create = (token: string, name: string) => call("createBranch", { token, body: { ...branchForm, name } });
    const { json } = await create(admin.token, "Émile’s Wharf");
    expect((await create(admin.token, "ÉMILE’S WHARF")).json.errors).toEqual({
      name: ["A branch has this name already: choose another"],
    });
    expect((await create(other.admin.token, "Émile’s Wharf")).status).toBe(201);
    await call("removeBranch", { token: admin.token, params: { id: json.id } });
    expect((await create(admin.token, "Émile’s Wharf")).status).toBe(201);
  });

  test("ignores unknown fields", async () => {
    const { call, company, db } = await testProvider();
    const { id, admin } = await company();
    const other = await company();
    const body = {
      ...branchForm,
      id: 4711,
      company_id: other.id,
      version: 9,
      active: 0,
      image_key: "x",
      imageUrl: "/x",
    };
    const { json } = await call("createBranch", { token: admin.token, body });
    expect(json).toMatchObject({ version: 1, imageUrl: "" });
    const row = await db.selectFrom("branches").where("id", "=", json.id).selectAll().executeTakeFirstOrThrow();
    expect(row).toMatchObject({ company_id: id, active: 1, image_key: null });
    expect(json.id).not.toBe(4711);
  });

  test("needs the right to create branches in the whole company", async () => {
    const { call, company, branch, group, user } = await testProvider();
    const { id } = await company();
    const { id: branchId } = await branch(id, "Leeds");
    await group(id, "Of the branch", { branches: "B:R/W/C" });
    await group(id, "Founders", { branches: "C:C" });
    const create = async (who: string) => {
      const { token } = await user(id, { group: who, branchId });
      return (await call("createBranch", { token, body: branchForm })).status;
    };
    expect([await create("Of the branch"), await create("Accountant"), await create("Founders")]).toEqual([
      403, 403, 201,
    ]);
    expect((await call("createBranch", { body: branchForm })).status).toBe(401);
  });
});

suite("GET /branches/{id}", () => {
  test("shows a branch in scope; others are not found", async () => {
    const { call, company, branch, user } = await testProvider();
    const { id, admin } = await company();
    const own = await branch(id, "Preston", admin.id);
    const further = await branch(id, "Leeds");
    const { token } = await user(id, { group: "Branch Inspector", branchId: own.id });
    const get = (token: string, id: number) => call("getBranch", { token, params: { id } });
    expect((await get(token, own.id)).json).toMatchObject({ name: "Preston", manager: "Ada Admin" });
    const missing = await get(token, further.id);
    expect([missing.status, missing.json]).toEqual([404, { message: "Not found" }]);
    expect((await get((await company()).admin.token, own.id)).json).toEqual(missing.json);
  });

  test("does not name a removed manager", async () => {
    const { call, company, branch, user } = await testProvider();
    const { id, admin } = await company();
    const manager = await user(id);
    const { id: branchId } = await branch(id, "Preston", manager.id);
    await call("removeUser", { token: admin.token, params: { id: manager.id } });
    const { json } = await call("getBranch", { token: admin.token, params: { id: branchId } });
    expect([json.manager, json.manager_id]).toEqual(["", null]);
  });
});

suite("PUT /branches/{id}", () => {
  test("changes a branch and audits the differences", async () => {
    const { call, company, branch, db } = await testProvider();
    const { id, admin } = await company();
    const { id: branchId } = await branch(id, "Preston", admin.id);
    const body = { ...branchForm, city: "Leyland", manager_id: "", version: "1" };
    const { json } = await call("updateBranch", { token: admin.token, params: { id: branchId }, body });
    expect(json).toMatchObject({ city: "Leyland", manager: "", manager_id: null, version: 2 });
    const entry = await db.selectFrom("audit").where("entity", "=", "branch").selectAll().executeTakeFirstOrThrow();
    expect(JSON.parse(entry.changes)).toEqual(
      expect.arrayContaining([
        { field: "city", before: "Preston", after: "Leyland" },
        { field: "manager", before: "Ada Admin", after: null },
      ]),
    );
    expect(entry.changes).not.toContain('"country"');
  });

  test("refuses an outdated version and a name in use", async () => {
    const { call, company, branch } = await testProvider();
    const { id, admin } = await company();
    const { id: branchId } = await branch(id, "Preston");
    await branch(id, "Leeds");
    const change = (more: object) =>
      call("updateBranch", { token: admin.token, params: { id: branchId }, body: { ...branchForm, ...more } });
    expect((await change({ version: 1 })).status).toBe(200);
    const staleReply = await change({ version: 1 });
    expect([staleReply.status, staleReply.json.message]).toEqual([409, "Ada Admin changed this at 10:00"]);
    expect((await change({ name: "leeds" })).json.errors).toHaveProperty("name");
    expect((await change({ name: "PRESTON", company_id: 4711, active: 0, image_key: "x" })).json).toMatchObject({
      name: "PRESTON",
      version: 3,
    });
    expect((await call("getBranch", { token: admin.token, params: { id: branchId } })).status).toBe(200);
  });

  test("keeps a manager whom the caller may not see", async () => {
    const { call, company, branch, group, user } = await testProvider();
    const { id, admin } = await company();
    const { id: branchId } = await branch(id, "Preston", admin.id);
    await group(id, "Branches only", { branches: "C:R/W" });
    const { token } = await user(id, { group: "Branches only" });
    const change = (more: object) =>
      call("updateBranch", { token, params: { id: branchId }, body: { ...branchForm, ...more } });
    expect((await change({ manager_id: admin.id })).json.manager).toBe("Ada Admin");
    expect((await change({ manager: "ada admin" })).json.manager_id).toBe(admin.id);
    const other = await user(id, { name: "Otto Other" });
    expect((await change({ manager_id: other.id })).status).toBe(422);
  });
});
