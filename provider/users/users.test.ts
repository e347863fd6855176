import { userForm } from "#tests/fixtures/forms.ts";
import { describe, expect, test } from "vitest";
import { hasDatabase, password, testProvider } from "#tests/fixtures/provider.ts";
import { uncounted } from "../contract/fields.ts";

const suite = describe.runIf(hasDatabase());

suite("GET /users", () => {
  test("is the signed-in user, with company, plan, usage and permissions", async () => {
    const { call, company } = await testProvider();
    const { admin, name } = await company();
    const { json } = await call("currentUser", { token: admin.token });
    expect(json).toMatchObject({
      id: admin.id,
      company: { name, timezone: "Europe/London" },
      plan: { name: "SilverState 1" },
      usage: { documents: 0, pages: 0, max_pages: 5000 },
      permissions: { docs: "C:R/W/C", roles: "C:R/W/C" },
    });
  });

  test("needs a valid token", async () => {
    const { call } = await testProvider();
    expect((await call("currentUser")).status).toBe(401);
    expect((await call("currentUser", { token: "made-up" })).json).toEqual({ message: "Sign in first" });
  });

  test("is closed to a removed user", async () => {
    const { call, company, user, db } = await testProvider();
    const { id } = await company();
    const { id: userId, token } = await user(id);
    await db.updateTable("users").set({ active: 0 }).where("id", "=", userId).execute();
    expect((await call("currentUser", { token })).status).toBe(401);
  });
});

suite("GET /company/users", () => {
  const names = (rows: { name: string }[]) => rows.map(({ name }) => name);

  test("lists the company's users only, by name", async () => {
    const { call, company, user } = await testProvider();
    const { id, admin } = await company();
    const other = await company();
    await user(other.id, { name: "Otto Other" });
    await user(id, { name: "Émile Zola" });
    await user(id, { name: "bea Brown" });
    const { json, headers } = await call("listUsers", { token: admin.token });
    expect(new Set(names(json))).toEqual(new Set(["Ada Admin", "bea Brown", "Émile Zola"]));
    expect(names(json).slice(0, 2)).toEqual(["Ada Admin", "bea Brown"]);
    expect(headers.get("x-total-count")).toBe("3");
  });

  test("skips counting when the client prefers no count", async () => {
    const { call, company, user } = await testProvider();
    const { id, admin } = await company();
    for (const name of ["Bea Brown", "Cy Clark"]) await user(id, { name });
    const headers = { prefer: uncounted };
    const firstPage = await call("listUsers", { token: admin.token, query: { page: 1, per_page: 2 }, headers });
    expect(names(firstPage.json)).toEqual(["Ada Admin", "Bea Brown"]);
    expect(firstPage.headers.get("x-total-is-capped")).toBe("1");
  });

  test("filters by part of each field, ignoring case, accents included", async () => {
    const { call, company, user, branch } = await testProvider();
    const { id, admin } = await company();
    const { id: branchId } = await branch(id, "Preston");
    await user(id, { name: "Émile Zola", role: "Manager", branchId });
    await user(id, { name: "Bea Brown", role: "Accountant" });
    const find = async (query: Record<string, string>) =>
      names((await call("listUsers", { token: admin.token, query })).json);
    expect(await find({ name: "ÉMILE" })).toEqual(["Émile Zola"]);
    expect(await find({ role: "COUNT" })).toEqual(["Bea Brown"]);
    expect(await find({ branch: "rest" })).toEqual(["Émile Zola"]);
    expect(await find({ name: "100%" })).toEqual([]);
    expect(await find({ name: "_" })).toEqual([]);
  });

  test("comes in pages", async () => {
    const { call, company, user } = await testProvider();
    const { id, admin } = await company();
    for (const letter of "BCDEFG") await user(id, { name: `User ${letter}` });
    const { json, headers } = await call("listUsers", { token: admin.token, query: { page: 2, per_page: 3 } });
    expect(names(json)).toEqual(["User D", "User E", "User F"]);
    expect(headers.get("x-total-count")).toBe("7");
    const { status } = await call("listUsers", { token: admin.token, query: { page: 0, per_page: 1000 } });
    expect(status).toBe(422);
  });

  test("is within the access group's scope", async () => {
    const { call, company, user, branch, group } = await testProvider();
    const { id } = await company();
    const { id: branchId } = await branch(id, "Preston");
    await group(id, "Branch users", { users: "B:R" });
    await group(id, "Own user", { users: "P:R" });
    await group(id, "Nothing", {});
    const inBranch = await user(id, { name: "Bea Branch", group: "Branch users", branchId });
    const own = await user(id, { name: "Olga Own", group: "Own user", branchId });
    const nobody = await user(id, { name: "Nora None", group: "Nothing", branchId });
    expect(names((await call("listUsers", { token: inBranch.token })).json)).toEqual([
      "Bea Branch",
      "Nora None",
      "Olga Own",
    ]);
    expect(names((await call("listUsers", { token: own.token })).json)).toEqual(["Olga Own"]);
    expect((await call("listUsers", { token: nobody.token })).status).toBe(403);
  });
});

suite("GET /users/{id}", () => {
  test("shows a user in scope; others are not found", async () => {
    const { call, company, branch, user, group } = await testProvider();
    const { id, admin } = await company();
    const { id: branchId } = await branch(id, "Preston");
    const inside = await user(id, { branchId });
    await group(id, "Of the branch", { users: "B:R" });
    const reader = await user(id, { group: "Of the branch", branchId });
    expect((await call("getUser", { token: reader.token, params: { id: inside.id } })).json.branch).toBe("Preston");
    expect((await call("getUser", { token: reader.token, params: { id: admin.id } })).status).toBe(404);
    const other = await company();
    expect((await call("getUser", { token: other.admin.token, params: { id: inside.id } })).status).toBe(404);
  });
});

suite("POST /users", () => {
  test("adds a user and mails an invitation to set the password", async () => {
    const { call, company, branch, mails } = await testProvider();
    const { id, admin } = await company();
    await branch(id, "Preston");
    const { status, json } = await call("createUser", { token: admin.token, body: { ...userForm, branch: "preston" } });
    expect([status, json.branch, json.staff, json.info]).toEqual([201, "Preston", "Accountant", "Two\nlines"]);
    expect(mails.map(({ to }) => to)).toEqual([userForm.email]);
    const token = /token=(\S+)/.exec(mails[0]!.text)![1]!;
    const body = { password, password_confirmation: password };
    expect((await call("signup", { token, body })).json.user.name).toBe("Nora New");
    expect((await call("login", { body: { email: userForm.email, password } })).status).toBe(200);
  });

  test("needs the right to create, within its scope", async () => {
    const { call, company, group, user, branch } = await testProvider();
    const { id } = await company();
    const [preston] = [await branch(id, "Preston"), await branch(id, "Leeds")];
    await group(id, "Adders", { users: "B:R/C", docs: "B:R" });
    await group(id, "Adders everywhere", { users: "C:R/C" });
    await group(id, "Adders of themselves", { users: "P:R/W/C" });
    await group(id, "Readers", { users: "B:R" });
    const add = async (groupName: string, branchName: string, branchId?: number) => {
      const { token } = await user(id, { group: groupName, ...(branchId && { branchId }) });
      const email = `${Math.random()}@company.example`;
      const { status } = await call("createUser", {
        token,
        body: { ...userForm, email, staff: "Readers", branch: branchName },
      });
      return status;
    };
    expect(await add("Adders", "Preston", preston.id)).toBe(201);
    expect(await add("Adders", "Leeds", preston.id)).toBe(422);
    expect(await add("Adders", "", preston.id)).toBe(422);
    expect(await add("Adders", "")).toBe(422);
    expect(await add("Adders everywhere", "Leeds", preston.id)).toBe(201);
    expect(await add("Adders everywhere", "")).toBe(201);
    expect(await add("Adders of themselves", "Preston", preston.id)).toBe(403);
    expect(await add("Readers", "Preston", preston.id)).toBe(403);
  });

  test("accepts a password instead, and refuses a weak one", async () => {
    const { call, company, mails } = await testProvider();
    const { admin } = await company();
    const create = (password: string, password_confirmation = password) =>
      call("createUser", { token: admin.token, body: { ...userForm, password, password_confirmation } });
    expect((await create("aaaaaaaaaaaa")).json.errors.password).toHaveLength(1);
    expect((await create(password, "another")).json.errors.password_confirmation).toHaveLength(1);
    expect((await create(password)).status).toBe(201);
    expect(mails).toEqual([]);
    expect((await call("login", { body: { email: userForm.email, password } })).status).toBe(200);
  });

  test("refuses an address of a colleague, and says nothing of one at another company", async () => {
    const { call, company } = await testProvider();
    const [one, two] = [await company(), await company()];
    const body = { ...userForm, email: one.admin.email.toUpperCase() };
    expect((await call("createUser", { token: two.admin.token, body })).status).toBe(201);
    const answer = await call("createUser", { token: one.admin.token, body });
    expect(answer.json.errors).toEqual({ email: ["This email address is already used: enter another"] });
  });

  test("gives a user no more rights than the actor has", async () => {
    const { call, company, group, user, branch } = await testProvider();
    const { id } = await company();
    const [preston] = [await branch(id, "Preston"), await branch(id, "Leeds")];
    await group(id, "Recruiters", { users: "B:R/W/C", docs: "B:R" });
    const { token } = await user(id, { group: "Recruiters", branchId: preston.id });
    const create = (change: object) =>
      call("createUser", { token, body: { ...userForm, staff: "Recruiters", branch: "Preston", ...change } });
    expect((await create({ staff: "Administrator" })).json.errors.staff).toHaveLength(1);
    expect((await create({ branch: "Leeds" })).json.errors.branch).toHaveLength(1);
    expect((await create({ staff: "Nobody", branch: "Nowhere" })).status).toBe(422);
    expect((await create({})).status).toBe(201);
  });
});

suite("POST /users, after a user was removed", () => {
  test("accepts their address again, for them or for another user", async () => {
    const { call, company } = await testProvider();
    const { admin } = await company();
    const { token } = admin;
    const { json: leaver } = await call("createUser", { token, body: userForm });
    await call("removeUser", { token, params: { id: leaver.id } });
    const { json: back, status } = await call("createUser", {
      token,
      body: { ...userForm, password, password_confirmation: password },
    });
    expect([status, back.id === leaver.id]).toEqual([201, false]);
    expect((await call("login", { body: { email: userForm.email, password } })).json.user.id).toBe(back.id);
    expect((await call("createUser", { token, body: userForm })).status).toBe(422);
  });
});
