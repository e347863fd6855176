import { describe, expect, test } from "vitest";
import { hasDatabase, testProvider } from "../testing.ts";

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

  test("needs a token that somebody gave out", async () => {
    const { call } = await testProvider();
    expect((await call("currentUser")).status).toBe(401);
    expect((await call("currentUser", { token: "made-up" })).json).toEqual({ message: "Sign in first" });
  });

  test("ends with the user", async () => {
    const { call, company, user, db } = await testProvider();
    const { id } = await company();
    const { id: userId, token } = await user(id);
    await db.updateTable("users").set({ active: 0 }).where("id", "=", userId).execute();
    expect((await call("currentUser", { token })).status).toBe(401);
  });
});

suite("GET /company/users", () => {
  const names = (rows: { name: string }[]) => rows.map(({ name }) => name);

  test("lists the company's users and nobody else's, in the order of their names", async () => {
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

  test("filters by a piece of each field, in any case, accents included", async () => {
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

  test("reaches as far as the access group says", async () => {
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
