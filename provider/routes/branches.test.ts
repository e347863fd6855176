import { describe, expect, test } from "vitest";
import { hasDatabase, testProvider } from "#fixtures/provider.ts";

const suite = describe.runIf(hasDatabase());

const given = {
  name: "Preston",
  email: "preston@company.example",
  phone: "01772 496 000",
  country: "United Kingdom",
  city: "Preston",
  index: "PR1 2HE",
  address: "8 Winckley Street",
  manager: "",
};

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
      call("createBranch", { token: admin.token, body: { ...given, name, ...change } });
    const { status, json } = await create("Preston", { manager: "mia manager" });
    expect([status, json]).toEqual([
      201,
      { ...given, id: json.id, manager: "Mia Manager", manager_id: manager.id, imageUrl: "", version: 1 },
    ]);
    expect((await create("Leeds", { manager: manager.email })).json.manager).toBe("Mia Manager");
    const form = new FormData();
    for (const [name, value] of Object.entries({ ...given, name: "York", manager_id: manager.id })) {
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
    expect(await errorsOf({ ...given, email: "nobody" })).toEqual({
      email: ["Enter an email address like name@company.example"],
    });
    expect(await errorsOf({ ...given, manager: "Nobody" })).toHaveProperty("manager");
    expect(await errorsOf({ ...given, manager: "Dora Double" })).toEqual({
      manager: ["Several users have this name: enter the email"],
    });
    expect(await errorsOf({ ...given, manager_id: other.admin.id })).toHaveProperty("manager_id");
    expect(await errorsOf({ ...given, manager_id: "the first" })).toEqual({
      manager_id: ["Choose the manager from your company’s users"],
    });
  });

  test("keeps names unique within the company, ignoring case; removal frees a name", async () => {
    const { call, company } = await testProvider();
    const [{ admin }, other] = [await company(), await company()];
    const create = (token: string, name: string) => call("createBranch", { token, body: { ...given, name } });
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
    const body = { ...given, id: 4711, company_id: other.id, version: 9, active: 0, image_key: "x", imageUrl: "/x" };
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
      return (await call("createBranch", { token, body: given })).status;
    };
    expect([await create("Of the branch"), await create("Accountant"), await create("Founders")]).toEqual([
      403, 403, 201,
    ]);
    expect((await call("createBranch", { body: given })).status).toBe(401);
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
    const body = { ...given, city: "Leyland", manager_id: "", version: "1" };
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
      call("updateBranch", { token: admin.token, params: { id: branchId }, body: { ...given, ...more } });
    expect((await change({ version: 1 })).status).toBe(200);
    const late = await change({ version: 1 });
    expect([late.status, late.json.message]).toEqual([409, "Ada Admin changed this at 10:00"]);
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
      call("updateBranch", { token, params: { id: branchId }, body: { ...given, ...more } });
    expect((await change({ manager_id: admin.id })).json.manager).toBe("Ada Admin");
    expect((await change({ manager: "ada admin" })).json.manager_id).toBe(admin.id);
    const other = await user(id, { name: "Otto Other" });
    expect((await change({ manager_id: other.id })).status).toBe(422);
  });

  test("needs the right to write; not found without the right to read", async () => {
    const { call, company, branch, user } = await testProvider();
    const { id } = await company();
    const sent = { params: { id: (await branch(id, "Preston")).id }, body: given };
    const { token } = await user(id, { group: "Accountant" });
    expect((await call("updateBranch", { token, ...sent })).status).toBe(403);
    expect((await call("updateBranch", { token: (await company()).admin.token, ...sent })).status).toBe(404);
  });
});

suite("DELETE /branches/{id}", () => {
  test("is refused while users or documents are there, and names them", async () => {
    const { call, company, branch, user, issue } = await testProvider();
    const { id, admin } = await company();
    const { id: branchId } = await branch(id, "Preston");
    const people = [];
    for (const name of ["Eve", "Bea", "Dan", "Cal"]) people.push(await user(id, { name, branchId }));
    const archived = (await issue(people[0]!.token, { number: "NM-A" })).json;
    await call("archiveDocument", { token: admin.token, params: { id: archived.id } });
    const { json: document } = await issue(people[1]!.token, { number: "NM-B" });
    const remove = () => call("removeBranch", { token: admin.token, params: { id: branchId } });
    const refused = await remove();
    expect([refused.status, refused.json.message]).toEqual([
      409,
      "Preston can’t be removed yet. Move its 4 users (Bea, Cal, Dan and 1 more) first. " +
        "Archive its 1 document (NM-B) first.",
    ]);
    for (const { id } of people) await call("removeUser", { token: admin.token, params: { id } });
    await call("exitDocument", { token: admin.token, params: { id: document.id } });
    expect((await remove()).json.message).toBe("Preston can’t be removed yet. Archive its 1 document (NM-B) first.");
    await call("archiveDocument", { token: admin.token, params: { id: document.id } });
    expect((await remove()).status).toBe(204);
  });

  test("counts users and documents that the caller may not see without naming them", async () => {
    const { call, company, branch, group, user, issue } = await testProvider();
    const { id } = await company();
    const { id: branchId } = await branch(id, "Preston");
    await issue((await user(id, { branchId })).token);
    await group(id, "Branches only", { branches: "C:R/W" });
    const { token } = await user(id, { group: "Branches only" });
    const { json } = await call("removeBranch", { token, params: { id: branchId } });
    expect(json.message).toBe("Preston can’t be removed yet. Move its 1 user first. Archive its 1 document first.");
  });

  test("removes the branch from all lists; archived documents still name it", async () => {
    const { call, company, branch, user, issue, db } = await testProvider();
    const { id, admin } = await company();
    const { id: branchId } = await branch(id, "Preston");
    const leaver = await user(id, { branchId });
    const { json: document } = await issue(leaver.token);
    const on = { token: admin.token, params: { id: document.id } };
    await call("archiveDocument", on);
    await call("removeUser", { token: admin.token, params: { id: leaver.id } });
    const sent = { token: admin.token, params: { id: branchId } };
    expect((await call("removeBranch", sent)).status).toBe(204);
    expect((await call("getBranch", sent)).status).toBe(404);
    expect((await call("removeBranch", sent)).status).toBe(404);
    expect((await call("updateBranch", { ...sent, body: given })).status).toBe(404);
    expect((await call("addUserToBranch", { ...sent, body: { user: admin.id } })).status).toBe(404);
    expect((await call("listBranches", { token: admin.token })).json).toEqual([]);
    const newcomer = { name: "Nora New", email: "nora@company.example", staff: "Accountant", branch: "Preston" };
    expect((await call("createUser", { token: admin.token, body: newcomer })).json.errors).toHaveProperty("branch");
    expect((await call("getDocument", on)).json.branch).toBe("Preston");
    const entry = db.selectFrom("audit").where("entity", "=", "branch").select(["action", "entity_name"]);
    expect(await entry.execute()).toEqual([{ action: "removed", entity_name: "Preston" }]);
  });

  test("moves documents that are restored later to their owner's branch", async () => {
    const { call, company, branch, user, issue } = await testProvider();
    const { id, admin } = await company();
    const [gone, left] = [await branch(id, "Preston"), await branch(id, "Leeds")];
    const owner = await user(id, { branchId: gone.id });
    const { json: document } = await issue(owner.token);
    const on = { token: admin.token, params: { id: document.id } };
    await call("archiveDocument", on);
    await call("addUserToBranch", { token: admin.token, params: left, body: { user: owner.id } });
    await call("removeBranch", { token: admin.token, params: gone });
    expect((await call("getDocument", on)).json.branch).toBe("Preston");
    expect((await call("restoreDocument", on)).json.branch).toBe("Leeds");
  });

  test("needs the right to write; not found without the right to read", async () => {
    const { call, company, branch, user } = await testProvider();
    const { id } = await company();
    const params = { id: (await branch(id, "Preston")).id };
    const { token } = await user(id, { group: "Accountant" });
    expect((await call("removeBranch", { token, params })).status).toBe(403);
    expect((await call("removeBranch", { token: (await company()).admin.token, params })).status).toBe(404);
  });

  test("never leaves a user in a removed branch, in either order", { timeout: 120_000 }, async () => {
    const { call, company, branch, user, issue, db } = await testProvider();
    const { id, admin } = await company();
    const { token } = admin;
    const outcomes = new Set<string>();
    for (let round = 0; round < 12; round++) {
      const params = await branch(id, `Branch ${round}`);
      const { id: userId } = await user(id, { name: `User ${round}` });
      const fields = { name: `User ${round}`, email: `u${round}@company.example`, staff: "Accountant" };
      const add = [
        () => call("addUserToBranch", { token, params, body: { user: userId } }),
        () => call("updateUser", { token, params: { id: userId }, body: { ...fields, branch: `Branch ${round}` } }),
        () => call("createUser", { token, body: { ...fields, branch: `Branch ${round}` } }),
      ][round % 3]!;
      // A call with a body looks its user up twice.
      const remove = async () => {
        if (round % 2 === 0) await call("getBranch", { token, params });
        return call("removeBranch", { token, params });
      };
      // Whichever is named first starts first.
      const started = round % 2 === 0 ? { added: add(), removed: remove() } : { removed: remove(), added: add() };
      const [added, removed] = await Promise.all([started.added, started.removed]);
      outcomes.add(removed.status === 204 ? "removed" : "kept");
      expect([added.status < 300, removed.status === 204]).toContain(false);
    }
    const lost = db
      .selectFrom("users")
      .innerJoin("branches", "branches.id", "users.branch_id")
      .where("users.active", "=", 1)
      .where("branches.active", "=", 0)
      .select("users.name");
    expect(await lost.execute()).toEqual([]);
    expect(outcomes, "both came first at times").toEqual(new Set(["removed", "kept"]));
    expect((await issue(token)).status).toBe(201);
  });
});

suite("GET /branches/{id}/users", () => {
  test("lists active users by name, in pages", async () => {
    const { call, company, branch, user } = await testProvider();
    const { id, admin } = await company();
    const params = await branch(id, "Preston");
    for (const name of ["Cal", "bea", "Dan"]) await user(id, { name, branchId: params.id, role: "Clerk" });
    const { id: gone } = await user(id, { name: "Abe", branchId: params.id });
    await call("removeUser", { token: admin.token, params: { id: gone } });
    await user(id, { name: "Eve", branchId: (await branch(id, "Leeds")).id });
    const list = async (query: Record<string, string | number>) => {
      const { json, headers } = await call("listBranchUsers", { token: admin.token, params, query });
      return [json.map(({ name }: { name: string }) => name), headers.get("x-total-count")];
    };
    expect(await list({})).toEqual([["bea", "Cal", "Dan"], "3"]);
    expect(await list({ sort: "-name", page: 2, per_page: 2 })).toEqual([["bea"], "3"]);
    expect((await call("listBranchUsers", { token: admin.token, params, query: { sort: "email" } })).status).toBe(422);
  });

  test("shows users in scope of a readable branch", async () => {
    const { call, company, branch, group, user } = await testProvider();
    const { id } = await company();
    const [own, further] = [await branch(id, "Preston"), await branch(id, "Leeds")];
    await group(id, "All branches, own users", { branches: "C:R", users: "B:R" });
    await group(id, "No users", { branches: "C:R" });
    const reader = await user(id, { name: "Rea", group: "All branches, own users", branchId: own.id });
    await user(id, { name: "Eve", branchId: further.id });
    const list = (token: string, params: { id: number }) => call("listBranchUsers", { token, params });
    expect((await list(reader.token, own)).json).toMatchObject([{ name: "Rea", branch: "Preston" }]);
    expect((await list(reader.token, further)).json).toEqual([]);
    expect((await list((await user(id, { group: "No users" })).token, own)).status).toBe(403);
    const inspector = await user(id, { group: "Branch Inspector", branchId: own.id });
    expect((await list(inspector.token, further)).status).toBe(404);
    expect((await list((await company()).admin.token, own)).status).toBe(404);
  });
});

suite("POST /branches/{id}/users", () => {
  test("moves a user by id, email or name, and audits it once", async () => {
    const { call, company, branch, user, db } = await testProvider();
    const { id, admin } = await company();
    const [preston, leeds] = [await branch(id, "Preston"), await branch(id, "Leeds")];
    const { id: userId, email } = await user(id, { name: "Tom Mover", branchId: preston.id });
    const move = (params: { id: number }, wanted: string | number) =>
      call("addUserToBranch", { token: admin.token, params, body: { user: wanted } });
    const moved = await move(leeds, email.toUpperCase());
    expect([moved.status, moved.json]).toEqual([
      200,
      expect.objectContaining({ id: userId, branch: "Leeds", branch_id: leeds.id, version: 2 }),
    ]);
    expect((await move(leeds, "tom mover")).json.version).toBe(2);
    expect((await move(preston, userId)).json).toMatchObject({ branch: "Preston", version: 3 });
    const entries = db.selectFrom("audit").where("entity_id", "=", userId).orderBy("id").select(["action", "changes"]);
    expect(await entries.execute()).toEqual([
      { action: "changed", changes: '[{"field":"branch","before":"Preston","after":"Leeds"}]' },
      { action: "changed", changes: '[{"field":"branch","before":"Leeds","after":"Preston"}]' },
    ]);
  });

  test("refuses ambiguous and unknown names, also of users out of scope", async () => {
    const { call, company, branch, user } = await testProvider();
    const { id, admin } = await company();
    const params = await branch(id, "Preston");
    for (let n = 0; n < 2; n++) await user(id, { name: "Dora Double" });
    const other = await company();
    const refusal = async (wanted: string | number) => {
      const answer = await call("addUserToBranch", { token: admin.token, params, body: { user: wanted } });
      return [answer.status, answer.json.errors?.user?.[0]];
    };
    expect(await refusal("Dora Double")).toEqual([422, "Several users have this name: enter the email"]);
    const unknown = [422, "Enter the exact name or email of a user of your company"];
    expect(await refusal("Nobody")).toEqual(unknown);
    expect(await refusal(other.admin.id)).toEqual(unknown);
    expect(await refusal(other.admin.email)).toEqual(unknown);
    expect(await refusal(" ")).toEqual([422, "Enter the name or email of the user"]);
  });

  test("assigns no branch out of the actor's scope", async () => {
    const { call, company, branch, group, user } = await testProvider();
    const { id, admin } = await company();
    const [own, further] = [await branch(id, "Preston"), await branch(id, "Leeds")];
    await group(id, "Own users", { branches: "C:R", users: "B:R/W" });
    await group(id, "Themselves", { branches: "C:R", users: "P:R/W" });
    await group(id, "Own branch", { branches: "B:R", users: "C:R/W" });
    const move = async (who: string, params: { id: number }, wanted?: number) => {
      const { id: userId, token } = await user(id, { group: who, branchId: own.id });
      return (await call("addUserToBranch", { token, params, body: { user: wanted ?? userId } })).status;
    };
    expect(await move("Own users", further)).toBe(403);
    expect(await move("Own users", own, admin.id)).toBe(422);
    expect(await move("Themselves", further)).toBe(403);
    expect(await move("Own branch", further)).toBe(404);
    expect(await move("Own branch", own, admin.id)).toBe(200);
    expect(await move("Accountant", own)).toBe(403);
  });
});
