import { describe, expect, test } from "vitest";
import { addKey, forScim } from "#tests/fixtures/api-keys.ts";
import { hasDatabase, testProvider } from "#tests/fixtures/provider.ts";
import { newUser, scimClient, scimToken, urns, withDirectory } from "#tests/fixtures/scim.ts";

const suite = describe.runIf(hasDatabase());

/** Every request below `/scim/v2` that is about a company. */
const requests = (id: number | string, group: number | string) =>
  [
    ["GET", "/Users", undefined, 200],
    ["POST", "/Users/.search", { schemas: [urns.search] }, 200],
    ["POST", "/Users", newUser(), 201],
    ["GET", `/Users/${id}`, undefined, 200],
    ["PUT", `/Users/${id}`, newUser(), 200],
    ["PATCH", `/Users/${id}`, { schemas: [urns.patch], Operations: [{ op: "remove", path: "title" }] }, 200],
    ["DELETE", `/Users/${id}`, undefined, 204],
    ["GET", "/Groups", undefined, 200],
    ["POST", "/Groups/.search", { schemas: [urns.search] }, 200],
    ["POST", "/Groups", { schemas: [urns.group], displayName: "Made" }, 201],
    ["GET", `/Groups/${group}`, undefined, 200],
    ["PUT", `/Groups/${group}`, { schemas: [urns.group], displayName: "Changed" }, 200],
    ["PATCH", `/Groups/${group}`, { schemas: [urns.patch], Operations: [{ op: "remove", path: "members" }] }, 200],
    ["DELETE", `/Groups/${group}`, undefined, 204],
  ] as const;

async function withRecords() {
  const directory = await withDirectory();
  const { json: user } = await directory.post("/Users", newUser());
  const { json: group } = await directory.post("/Groups", { schemas: [urns.group], displayName: "Clerks" });
  return { ...directory, record: user.id as string, all: requests(user.id, group.id) };
}

suite("SCIM", () => {
  test("answers a token of the company", async () => {
    const { send, all } = await withRecords();
    for (const [method, path, body, status] of all) {
      expect([method, path, (await send(method, path, body)).status]).toEqual([method, path, status]);
    }
  });

  test.each<[string, (world: Awaited<ReturnType<typeof withRecords>>) => Promise<string>, number]>([
    ["no token", async () => "", 401],
    ["a session", async ({ admin }) => admin.token, 401],
    ["an unknown token", async () => "sd_live_0000000000000000000000000000000000000", 401],
    ["an administrator’s API key for all", async (world) => (await addKey(world, world.admin.id)).key, 401],
    [
      "a token that has expired",
      async (world) => (await addKey(world, world.admin.id, { ...forScim, expires_on: "2026-11-20" })).key,
      401,
    ],
    [
      "a token that was revoked",
      async ({ key, tokenId, call, admin }) => {
        const revoked = await call("revokeOwnKey", { token: admin.token, params: { id: tokenId } });
        expect(revoked.status).toBe(204);
        return key;
      },
      401,
    ],
    [
      "a token whose maker is no administrator any more",
      async ({ db, key, admin }) => {
        const groups = db.selectFrom("access_groups").where("name", "=", "Accountant").select("id");
        await db.updateTable("users").set({ access_group_id: groups }).where("id", "=", admin.id).execute();
        return key;
      },
      403,
    ],
    [
      "a token whose maker may not change users any more",
      async ({ db, key }) => {
        await db.updateTable("access_groups").set({ users: "B:R/W/C" }).where("name", "=", "Administrator").execute();
        return key;
      },
      403,
    ],
    [
      "a token whose maker was removed",
      async ({ key, admin, call, user, companyId }) => {
        const other = await user(companyId);
        await call("removeUser", { token: other.token, params: { id: admin.id } });
        return key;
      },
      401,
    ],
    [
      "a token whose maker needs a second factor and has none",
      async ({ db, key }) => {
        await db.updateTable("access_groups").set({ requires_second_factor: 1 }).execute();
        return key;
      },
      403,
    ],
  ])("refuses each request with %s", async (_, tokenOf, status) => {
    const world = await withRecords();
    const token = await tokenOf(world);
    const before = await world.db.selectFrom("users").selectAll().execute();
    const { send } = scimClient(world, token);
    for (const [method, path, body] of world.all) {
      const { status: got, json, headers } = await send(method, path, body);
      expect([method, path, got, json.schemas]).toEqual([method, path, status, [urns.error]]);
      if (status === 401) expect(headers.get("www-authenticate")).toBe("Bearer");
    }
    expect(await world.db.selectFrom("users").selectAll().execute()).toEqual(before);
  });

  test("shows another company’s records to no one, as if they were missing", async () => {
    const world = await withRecords();
    const { all, record } = world;
    const foreign = await world.company("Foreign");
    const { key } = await scimToken(world, foreign);
    const { send } = scimClient(world, key);
    const missing = requests(999_999, 999_999);
    for (const [n, [method, path, body]] of all.entries()) {
      if (!/\d$/.test(path)) continue;
      const [theirs, none] = [await send(method, path, body), await send(method, missing[n]![1], body)];
      expect([method, path, theirs.status]).toEqual([method, path, 404]);
      expect(theirs.json).toEqual(none.json);
    }
    const { json } = await send("GET", "/Users");
    expect(json.Resources.map(({ id }: { id: string }) => id)).toEqual([String(foreign.admin.id)]);
    const members = [{ value: record }];
    const stolen = await send("POST", "/Groups", { schemas: [urns.group], displayName: "Thieves", members });
    expect([stolen.status, stolen.json.scimType]).toEqual([400, "invalidValue"]);
  });

  test("is for its tokens alone, which make no other call", async () => {
    const { call, key, tokenId } = await withDirectory();
    for (const name of ["currentUser", "listUsers", "listAccessGroups"] as const) {
      expect((await call(name, { token: key })).status).toBe(401);
    }
    expect((await call("revokeOwnKey", { token: key, params: { id: tokenId } })).status).toBe(401);
  });

  test("refuses a token in an address, and marks it", async () => {
    const { send, key, call, admin } = await withDirectory();
    expect((await send("GET", `/Users?token=${key}`)).status).toBe(401);
    const { json } = await call("listOwnKeys", { token: admin.token });
    expect(json[0].exposed_at).not.toBeNull();
  });

  test("limits the requests of a token, and tries of unknown ones", async () => {
    const points = (name: string, usual: number) => (/^(scim|api_key_unknown)$/.test(name) ? 2 : usual);
    const directory = await withDirectory({ log: { info() {}, warn() {}, error() {} } }, { points });
    const statuses = async (token: string) => {
      const { get } = scimClient(directory, token);
      return [(await get("/Users")).status, (await get("/Users")).status, (await get("/Users")).status];
    };
    expect(await statuses(directory.key)).toEqual([200, 200, 429]);
    const refused = await directory.get("/Users");
    expect([refused.json.status, refused.headers.get("retry-after")]).toEqual(["429", expect.stringMatching(/^\d+$/)]);
    const { makeKey } = await import("../api-keys/key-text.ts");
    expect(await statuses(makeKey())).toEqual([401, 401, 429]);
  });

  test("leaves the company an administrator who can sign in, whatever the directory wants", async () => {
    const { patch, remove, post, find, admin, db } = await withDirectory();
    const path = `/Users/${admin.id}`;
    const { json: group } = await post("/Groups", { schemas: [urns.group], displayName: "Clerks" });
    const [administrators] = (await find("/Groups", 'displayName eq "Administrator"')) as [{ id: string }];
    const value = [{ value: String(admin.id) }];
    for (const refused of [
      await patch(path, { op: "replace", path: "active", value: false }),
      await remove(path),
      await patch(`/Groups/${group.id}`, { op: "add", path: "members", value }),
      await patch(`/Groups/${administrators.id}`, { op: "remove", path: "members", value }),
      await remove(`/Groups/${administrators.id}`),
    ]) {
      expect([400, 409]).toContain(refused.status);
      expect(refused.json.detail).toContain("At least one administrator must remain");
    }
    const row = db.selectFrom("users").where("id", "=", admin.id).select(["active", "access_group_id"]);
    expect(await row.executeTakeFirst()).toEqual({ active: 1, access_group_id: Number(administrators.id) });
  });

  test("ends with its maker, whom the directory may deactivate if another administrator remains", async () => {
    const { patch, get, user, companyId, admin, call } = await withDirectory();
    await user(companyId);
    expect((await patch(`/Users/${admin.id}`, { op: "replace", path: "active", value: false })).status).toBe(200);
    expect((await get("/Users")).status).toBe(401);
    expect((await call("currentUser", { token: admin.token })).status).toBe(401);
  });

  test("adds users beyond the tariff, as other ways do: each is billed", async () => {
    const { post, patch, db, companyId } = await withDirectory();
    await db.updateTable("tariffs").set({ max_users: 1 }).where("id", "=", 1).execute();
    await db.updateTable("companies").set({ tariff_id: 1 }).where("id", "=", companyId).execute();
    const { status, json: user } = await post("/Users", newUser());
    expect(status).toBe(201);
    for (const value of [false, true])
      expect((await patch(`/Users/${user.id}`, { op: "replace", path: "active", value })).status).toBe(200);
  });
});

suite("A SCIM token", () => {
  const form = { name: "Okta", expires_on: "2027-11-20", scope: "scim", access_group: "accountant" };

  test("is made by an administrator, shown once, used, listed, and revoked by another one", async () => {
    const provider = await testProvider();
    const { call, company, user, db, clock } = provider;
    const { id, admin } = await company();
    const colleague = await user(id);
    const token = await call("createOwnKey", { token: admin.token, body: form });
    expect(token.status).toBe(201);
    expect(token.json).toMatchObject({ scope: "scim", areas: ["users", "roles"], access_group: "Accountant" });
    const { get } = scimClient(provider, token.json.key);
    expect((await get("/Users")).status).toBe(200);
    const { key: _, ...listed } = token.json;
    const keys = [{ ...listed, last_used_at: clock.now.toISOString() }];
    expect((await call("listOwnKeys", { token: admin.token })).json).toEqual(keys);
    const params = { id: admin.id, key: token.json.id };
    expect((await call("listUserKeys", { token: colleague.token, params })).json).toEqual(keys);
    expect(JSON.stringify(await db.selectFrom("api_keys").selectAll().execute())).not.toContain(token.json.key);
    expect((await call("revokeUserKey", { token: colleague.token, params })).status).toBe(204);
    expect((await get("/Users")).status).toBe(401);
    const { json: trail } = await call("listAudit", { token: admin.token });
    expect(trail.slice(0, 2)).toMatchObject([
      { action: "API key revoked", actor: "Uma User", entity_name: "Ada Admin" },
      {
        action: "API key made",
        actor: "Ada Admin",
        changes: expect.arrayContaining([
          { field: "scope", before: null, after: "scim" },
          { field: "staff", before: null, after: "Accountant" },
        ]),
      },
    ]);
  });

  test.each<[object, string]>([
    [{ access_group: "None" }, "access_group"],
    [{ access_group: "" }, "access_group"],
    [{ expires_on: "2026-11-21" }, "expires_on"],
  ])("is refused with %j", async (fields, field) => {
    const { call, company } = await testProvider();
    const { admin } = await company();
    const { status, json } = await call("createOwnKey", { token: admin.token, body: { ...form, ...fields } });
    expect([status, Object.keys(json.errors)]).toEqual([422, [field]]);
  });

  test("is refused to who is no administrator, or may not add all users", async () => {
    const { call, company, user, group } = await testProvider();
    const { id } = await company();
    await group(id, "Half", { roles: "C:R/W/C", users: "B:R/W/C" });
    await group(id, "Users", { users: "C:R/W/C" });
    for (const name of ["Half", "Users"]) {
      const { token } = await user(id, { group: name });
      const { status, json } = await call("createOwnKey", { token, body: form });
      expect([name, status, json.errors]).toEqual([name, 422, expect.objectContaining({ scope: expect.anything() })]);
    }
  });

  test("says what to do once the access group of its new users was removed", async () => {
    const { call, admin, post, db } = await withDirectory();
    const groups = db.selectFrom("access_groups").where("name", "=", "Accountant").select("id");
    const { id } = await groups.executeTakeFirstOrThrow();
    expect((await call("removeAccessGroup", { token: admin.token, params: { id } })).status).toBe(204);
    const refused = await post("/Users", newUser());
    expect([refused.status, refused.json.detail]).toEqual([409, expect.stringContaining("make another SCIM token")]);
    expect((await call("listOwnKeys", { token: admin.token })).json[0].access_group).toBe("");
  });
});
