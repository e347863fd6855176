import { describe, expect, test } from "vitest";
import { hasDatabase, testProvider } from "#tests/fixtures/provider.ts";

type Entry = { action: string; changes: { field: string; after: unknown }[] };

const suite = describe.runIf(hasDatabase());

suite("GET /branches/{id}/users", () => {
  test("lists active users by name, in pages", async () => {
    const { call, company, branch, user } = await testProvider();
    const { id, admin } = await company();
    const params = await branch(id, "Preston");
    for (const name of ["Cal", "bea", "Dan"]) await user(id, { name, branchId: params.id, role: "Clerk" });
    const { id: removedId } = await user(id, { name: "Abe", branchId: params.id });
    await call("removeUser", { token: admin.token, params: { id: removedId } });
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

suite("GET /branches/{id}/history", () => {
  test("has users who moved in and out, by either form, for those who may see the branch's users", async () => {
    const { call, company, branch, group, user } = await testProvider();
    const { id, admin } = await company();
    const [preston, leeds] = [await branch(id, "Preston"), await branch(id, "Leeds")];
    const tom = await user(id, { name: "Tom Mover", branchId: preston.id, group: "Accountant" });
    const { token } = admin;
    await call("addUserToBranch", { token, params: leeds, body: { user: tom.id } });
    const { json: stored } = await call("getUser", { token, params: { id: tom.id } });
    const form = { name: "Tom Mover", email: stored.email, staff: "Accountant" };
    const change = (fields: object) =>
      call("updateUser", { token, params: { id: tom.id }, body: { ...form, ...fields } });
    expect((await change({ branch: "preston" })).status).toBe(200);
    expect((await change({ branch: "Preston", city: "York" })).status).toBe(200);
    const history = async (token: string, params: { id: number }) => {
      const { json, headers } = await call("branchHistory", { token, params });
      const rows = (json as Entry[]).map(({ action, changes }) => [
        action,
        ...changes.map(({ field, after }) => `${field} ${after}`),
      ]);
      return { rows, total: headers.get("x-total-count") };
    };
    const [out, back] = [
      ["user moved out", "user Tom Mover"],
      ["user moved in", "user Tom Mover"],
    ];
    const [ofPreston, ofLeeds] = [
      {
        rows: [
          [...back, "from Leeds"],
          [...out, "to Leeds"],
        ],
        total: "2",
      },
      {
        rows: [
          [...out, "to Preston"],
          [...back, "from Preston"],
        ],
        total: "2",
      },
    ];
    expect(await history(token, preston)).toEqual(ofPreston);
    expect(await history(token, leeds)).toEqual(ofLeeds);
    await group(id, "All branches, own users", { branches: "C:R", users: "B:R" });
    await group(id, "No users", { branches: "C:R" });
    const near = await user(id, { group: "All branches, own users", branchId: preston.id });
    expect(await history(near.token, preston)).toEqual(ofPreston);
    expect(await history(near.token, leeds)).toEqual({ rows: [], total: "0" });
    const blind = await user(id, { group: "No users", branchId: preston.id });
    expect(await history(blind.token, preston)).toEqual({ rows: [], total: "0" });
  });

  test("forgets the name of an erased user", async () => {
    const { call, company, branch, user } = await testProvider();
    const { id, admin } = await company();
    const { token } = admin;
    const [preston, leeds] = [await branch(id, "Preston"), await branch(id, "Leeds")];
    const tom = await user(id, { name: "Tom Mover", branchId: preston.id });
    await call("addUserToBranch", { token, params: leeds, body: { user: tom.id } });
    await call("removeUser", { token, params: { id: tom.id } });
    expect((await call("eraseUser", { token, params: { id: tom.id } })).status).toBeLessThan(300);
    const { json } = await call("branchHistory", { token, params: leeds });
    expect(JSON.stringify(json)).toContain(`Removed user ${tom.id}`);
    expect(JSON.stringify(json)).not.toContain("Tom");
  });
});

suite("POST /branches/{id}/users", () => {
  test("moves a user by id, email or name, and audits it once", async () => {
    const { call, company, branch, user, db } = await testProvider();
    const { id, admin } = await company();
    const [preston, leeds] = [await branch(id, "Preston"), await branch(id, "Leeds")];
    const { id: userId, email } = await user(id, { name: "Tom Mover", branchId: preston.id });
    const move = (params: { id: number }, expectedStatus: string | number) =>
      call("addUserToBranch", { token: admin.token, params, body: { user: expectedStatus } });
    const moved = await move(leeds, email.toUpperCase());
    expect([moved.status, moved.json]).toEqual([
      200,
      expect.objectContaining({ id: userId, branch: "Leeds", branch_id: leeds.id, version: 2 }),
    ]);
    expect((await move(leeds, "tom mover")).json.version).toBe(2);
    expect((await move(preston, userId)).json).toMatchObject({ branch: "Preston", version: 3 });
    const entries = db
      .selectFrom("audit")
      .where("entity", "=", "user")
      .where("entity_id", "=", userId)
      .orderBy("id")
      .select(["action", "changes"]);
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
    const refusal = async (expectedStatus: string | number) => {
      const answer = await call("addUserToBranch", { token: admin.token, params, body: { user: expectedStatus } });
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
    const move = async (who: string, params: { id: number }, expectedStatus?: number) => {
      const { id: userId, token } = await user(id, { group: who, branchId: own.id });
      return (await call("addUserToBranch", { token, params, body: { user: expectedStatus ?? userId } })).status;
    };
    expect(await move("Own users", further)).toBe(403);
    expect(await move("Own users", own, admin.id)).toBe(422);
    expect(await move("Themselves", further)).toBe(403);
    expect(await move("Own branch", further)).toBe(404);
    expect(await move("Own branch", own, admin.id)).toBe(200);
    expect(await move("Accountant", own)).toBe(403);
  });
});
