import { describe, expect, test } from "vitest";
import { hasDatabase } from "#tests/fixtures/provider.ts";
import { newUser, urns, withDirectory } from "#tests/fixtures/scim.ts";

const suite = describe.runIf(hasDatabase());

const newGroup = (fields: object = {}) => ({ schemas: [urns.group], displayName: "Clerks", ...fields });
const idsOf = ({ members }: { members: { value: string }[] }) => members.map(({ value }) => value);

suite("A group of a directory", () => {
  test("is an access group without rights, which the company’s administrators see", async () => {
    const { post, get, call, admin } = await withDirectory();
    const { json: user } = await post("/Users", newUser());
    const members = [{ value: user.id }];
    const { status, json, headers } = await post("/Groups", newGroup({ externalId: "g-1", members }));
    expect([status, headers.get("location"), headers.get("etag")]).toEqual([
      201,
      json.meta.location,
      json.meta.version,
    ]);
    expect(json).toMatchObject({
      schemas: [urns.group],
      externalId: "g-1",
      displayName: "Clerks",
      members: [{ value: user.id, $ref: user.meta.location }],
    });
    expect((await get(`/Groups/${json.id}`)).json).toEqual(json);
    const { json: group } = await call("getAccessGroup", { token: admin.token, params: { id: json.id } });
    expect(group).toMatchObject({ name: "Clerks", docs: "", users: "", roles: "", members: 1 });
  });

  test("lists the company’s own access groups with their members", async () => {
    const { get, find, admin } = await withDirectory();
    const { json } = await get("/Groups?sortBy=displayName&count=2");
    expect([json.totalResults, json.itemsPerPage]).toEqual([3, 2]);
    expect(json.Resources).toMatchObject([
      { displayName: "Accountant", members: [] },
      { displayName: "Administrator", members: [{ value: String(admin.id) }] },
    ]);
    for (const filter of ['displayName eq "ACCOUNTANT"', `id eq "${json.Resources[0].id}"`, 'displayName sw "acc"']) {
      expect(await find("/Groups", filter), filter).toHaveLength(1);
    }
    expect((await get('/Groups?filter=members eq "1"')).json.scimType).toBe("invalidFilter");
  });

  test.each([
    [{ displayName: undefined }, 400, "invalidValue"],
    [{ displayName: "" }, 400, "invalidValue"],
    [{ displayName: 7 }, 400, "invalidValue"],
    [{ externalId: "\u0000" }, 400, "invalidValue"],
    [{ externalId: { value: "g-1" } }, 400, "invalidValue"],
    [{ externalId: "x".repeat(255) }, 400, "invalidValue"],
    [{ displayName: "accountant" }, 409, "uniqueness"],
    [{ members: [{ value: "999999" }] }, 400, "invalidValue"],
    [{ members: [{ value: "x" }] }, 400, "invalidValue"],
    [{ members: [{}] }, 400, "invalidValue"],
    [{ members: Array.from({ length: 1001 }, () => ({ value: "1" })) }, 413, undefined],
    [{ schemas: [urns.user] }, 400, "invalidSyntax"],
  ])("is refused with %j", async (fields, status, scimType) => {
    const { post, get } = await withDirectory();
    const refused = await post("/Groups", newGroup(fields));
    expect([refused.status, refused.json.scimType]).toEqual([status, scimType]);
    expect((await get("/Groups")).json.totalResults).toBe(3);
  });

  test.each([
    [{ op: "replace", path: "id", value: "1" }, 400, "mutability"],
    [{ op: "replace", path: "shape", value: "1" }, 400, "invalidPath"],
    [{ op: "remove", path: "displayName" }, 400, "mutability"],
    [{ op: "replace", path: "displayName", value: "Accountant" }, 409, "uniqueness"],
    [{ op: "add", path: "members", value: [{ value: "999999" }] }, 400, "invalidValue"],
    [{ op: "remove", path: 'members[display eq "x"]' }, 400, "invalidPath"],
  ])("is left as it is by %j", async (operation, status, scimType) => {
    const { post, patch, get } = await withDirectory();
    const { json } = await post("/Groups", newGroup());
    const refused = await patch(
      `/Groups/${json.id}`,
      { op: "replace", path: "displayName", value: "Other" },
      operation,
    );
    expect([refused.status, refused.json.scimType]).toEqual([status, scimType]);
    expect((await get(`/Groups/${json.id}`)).json).toEqual(json);
  });

  test("takes members from other groups, and their next call follows its rights", async () => {
    const { post, patch, get, user, companyId, call, db, find } = await withDirectory();
    const own = await user(companyId, { group: "Branch Inspector" });
    expect((await call("listUsers", { token: own.token })).status).toBe(200);
    const [before] = (await find("/Groups", 'displayName eq "Branch Inspector"')) as [{ id: string; members: [] }];
    expect(before.members).toHaveLength(1);
    const { json } = await post("/Groups", newGroup());
    const added = await patch(`/Groups/${json.id}`, { op: "add", path: "members", value: [{ value: String(own.id) }] });
    expect(idsOf(added.json)).toEqual([String(own.id)]);
    expect((await get(`/Groups/${before.id}`)).json.members).toEqual([]);
    expect((await call("listUsers", { token: own.token })).status).toBe(403);
    const entry = db.selectFrom("audit").where("entity_id", "=", own.id).where("entity", "=", "user").selectAll();
    expect(await entry.executeTakeFirst()).toMatchObject({
      action: "changed",
      api_key: "Entra ID",
      changes: JSON.stringify([{ field: "staff", before: "Branch Inspector", after: "Clerks" }]),
    });
  });

  test("is the one of new users for who leaves, which keeps those who would leave itself", async () => {
    const { post, patch, find } = await withDirectory();
    const { json: user } = await post("/Users", newUser());
    const [rest] = (await find("/Groups", 'displayName eq "Accountant"')) as [{ id: string }];
    const { json } = await patch(`/Groups/${rest.id}`, { op: "remove", path: "members" });
    expect(idsOf(json)).toEqual([user.id]);
  });

  test("is changed and deleted only as the client knows it", async () => {
    const { post, put, remove } = await withDirectory();
    const { json } = await post("/Groups", newGroup());
    const path = `/Groups/${json.id}`;
    expect((await put(path, newGroup({ displayName: "Scribes" }), { "if-match": json.meta.version })).status).toBe(200);
    expect((await put(path, newGroup(), { "if-match": json.meta.version })).status).toBe(412);
    expect((await remove(path, { "if-match": json.meta.version })).status).toBe(412);
    expect((await remove(path)).status).toBe(204);
    expect((await remove(path)).status).toBe(404);
  });

  test("stays while a document names it, with its members, and so does the one of new users", async () => {
    const { post, remove, get, issue, admin, find } = await withDirectory();
    const { json: user } = await post("/Users", newUser());
    const { json } = await post("/Groups", newGroup({ members: [{ value: user.id }] }));
    await issue(admin.token, { users_access_group: "Clerks" });
    const refused = await remove(`/Groups/${json.id}`);
    expect([refused.status, refused.json.detail]).toEqual([409, expect.stringContaining("1 document names it")]);
    expect(idsOf((await get(`/Groups/${json.id}`)).json)).toEqual([user.id]);
    const [rest] = (await find("/Groups", 'displayName eq "Accountant"')) as [{ id: string }];
    expect((await remove(`/Groups/${rest.id}`)).status).toBe(409);
  });
});
