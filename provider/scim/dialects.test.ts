import { describe, expect, test } from "vitest";
import { hasDatabase } from "#tests/fixtures/provider.ts";
import { urns, withDirectory } from "#tests/fixtures/scim.ts";

/** Request bodies as the documentation of Entra ID and Okta has them. */

const suite = describe.runIf(hasDatabase());

const entraUser = {
  schemas: [urns.user, urns.enterprise],
  externalId: "0a21f0f2-8d2a-4f8e-bf98-7363c4aed4ef",
  userName: "Test_User_ab6490ee@contoso.example",
  active: true,
  emails: [{ primary: true, type: "work", value: "Test_User_fd0ea19b@testuser.example" }],
  meta: { resourceType: "User" },
  name: { formatted: "givenName familyName", familyName: "familyName", givenName: "givenName" },
  roles: [],
};
const entraGroup = {
  schemas: [urns.group, "http://schemas.microsoft.com/2006/11/ResourceManagement/ADSCIM/2.0/Group"],
  externalId: "8aa1a0c0-c4c3-4bc0-b4a5-2ef676900159",
  displayName: "Inspectors of Entra",
  meta: { resourceType: "Group" },
};

suite("Entra ID", () => {
  test("looks for a user that is not there, adds it, and finds it", async () => {
    const { get, post, find } = await withDirectory();
    const { status, json } = await get('/Users?filter=userName eq "Test_User_ab6490ee@contoso.example"');
    expect([status, json.totalResults, json.Resources]).toEqual([200, 0, []]);
    const created = await post("/Users", entraUser);
    expect(created.status).toBe(201);
    expect(created.json).toMatchObject({ userName: entraUser.userName, displayName: "givenName familyName" });
    for (const filter of [`userName eq "${entraUser.userName}"`, `externalId eq "${entraUser.externalId}"`]) {
      expect(await find("/Users", filter)).toMatchObject([{ id: created.json.id }]);
    }
  });

  test("changes a user with capitals in op, paths with filters, and booleans as texts", async () => {
    const { post, patch } = await withDirectory();
    const path = `/Users/${(await post("/Users", entraUser)).json.id}`;
    const { status, json } = await patch(
      path,
      { op: "Replace", path: 'emails[type eq "work"].value', value: "updatedEmail@microsoft.example" },
      { op: "Replace", path: "name.familyName", value: "updatedFamilyName" },
      { op: "Add", path: 'phoneNumbers[type eq "work"].value', value: "+1 425" },
      { op: "Add", path: 'phoneNumbers[type eq "mobile"].value', value: "+1 999" },
      { op: "Add", path: 'addresses[type eq "work"].locality', value: "Redmond" },
      { op: "Add", path: 'addresses[type eq "work"].streetAddress', value: "1 Way" },
      { op: "Add", path: "preferredLanguage", value: "en-GB" },
      { op: "Add", path: 'roles[primary eq "True"].value', value: "Admin" },
      { op: "Add", path: `${urns.enterprise}:department`, value: "Sales" },
      { op: "Add", path: `${urns.enterprise}:manager`, value: "12" },
    );
    expect(status).toBe(200);
    expect(json).toMatchObject({
      displayName: "givenName updatedFamilyName",
      name: { familyName: "updatedFamilyName", givenName: "givenName" },
      emails: [{ value: "updatedEmail@microsoft.example", type: "work", primary: true }],
      phoneNumbers: [{ value: "+1 425" }],
      addresses: [{ locality: "Redmond", type: "work" }],
      [urns.enterprise]: { department: "Sales" },
      groups: [{ display: "Accountant" }],
    });
    expect((await patch(path, { op: "Replace", path: "active", value: "False" })).json.active).toBe(false);
    expect((await patch(path, { op: "Replace", path: "active", value: "True" })).json.active).toBe(true);
    const { json: old } = await patch(path, {
      op: "Replace",
      value: { "name.givenName": "Old", 'emails[type eq "work"].value': "old@microsoft.example", active: "False" },
    });
    expect(old).toMatchObject({
      name: { givenName: "Old" },
      emails: [{ value: "old@microsoft.example" }],
      active: false,
    });
  });

  test("adds a group, finds it without its members, changes these by lists, renames and deletes it", async () => {
    const { post, patch, get, remove } = await withDirectory();
    const [one, two] = [await post("/Users", entraUser), await post("/Users", { ...entraUser, ...second })];
    const created = await post("/Groups", entraGroup);
    expect([created.status, created.json.members]).toEqual([201, []]);
    const path = `/Groups/${created.json.id}`;
    const filter = encodeURIComponent('displayName eq "Inspectors of Entra"');
    const { json: found } = await get(`/Groups?excludedAttributes=members&filter=${filter}`);
    expect(found.Resources).toEqual([expect.not.objectContaining({ members: expect.anything() })]);
    const ids = [one, two].map(({ json }) => json.id as string);
    const value = ids.map((id) => ({ $ref: null, value: id }));
    const { json: filled } = await patch(path, { op: "Add", path: "members", value });
    expect(filled.members.map((member: { value: string }) => member.value)).toEqual(ids);
    const { json: left } = await patch(path, { op: "Remove", path: "members", value: [{ $ref: null, value: ids[0] }] });
    expect(left.members.map((member: { value: string }) => member.value)).toEqual([ids[1]]);
    expect((await get(`/Users/${ids[0]}`)).json.groups).toMatchObject([{ display: "Accountant" }]);
    const renamed = await patch(path, { op: "Replace", path: "displayName", value: "Renamed" });
    expect(renamed.json).toMatchObject({ displayName: "Renamed", externalId: entraGroup.externalId });
    expect((await remove(path)).status).toBe(204);
    expect((await get(path)).status).toBe(404);
    expect((await get(`/Users/${ids[1]}`)).json.groups).toMatchObject([{ display: "Accountant" }]);
  });
});

const second = { userName: "Second@contoso.example", externalId: "2", emails: [] };

const oktaUser = {
  schemas: [urns.user],
  userName: "test.user@okta.example",
  name: { givenName: "Test", familyName: "User" },
  emails: [{ primary: true, value: "test.user@okta.example", type: "work" }],
  displayName: "Test User",
  locale: "en-US",
  externalId: "00ujl29u0le5T6Aj10h7",
  groups: [],
  password: "1mz050nq",
  active: true,
};

suite("Okta", () => {
  test("adds a user, replaces it whole, deactivates it by a PATCH without a path, and reactivates it by PUT", async () => {
    const { get, post, put, patch } = await withDirectory();
    expect((await get("/Users?startIndex=1&count=2")).json.Resources).toHaveLength(1);
    const { status, json } = await post("/Users", oktaUser);
    expect(status).toBe(201);
    const path = `/Users/${json.id}`;
    const changed = {
      schemas: [urns.user],
      id: json.id,
      userName: oktaUser.userName,
      name: { givenName: "Another", middleName: "", familyName: "User" },
      emails: oktaUser.emails,
      displayName: "Another User",
      active: true,
      groups: [],
      meta: { resourceType: "User" },
    };
    expect((await put(path, changed)).json).toMatchObject({
      displayName: "Another User",
      externalId: oktaUser.externalId,
    });
    const off = await patch(path, { op: "replace", value: { active: false } });
    expect([off.status, off.json.active]).toEqual([200, false]);
    expect((await put(path, { ...changed, active: true })).json.active).toBe(true);
    expect((await put(path, { ...changed, active: false })).json.active).toBe(false);
  });

  test("pushes a group, its name with the id, and members one by one", async () => {
    const { post, patch, put, get } = await withDirectory();
    const { json: user } = await post("/Users", oktaUser);
    const { json: group } = await post("/Groups", { schemas: [urns.group], displayName: "Test SCIMv2", members: [] });
    const path = `/Groups/${group.id}`;
    const name = { id: group.id, displayName: "Test SCIMv2.0" };
    expect((await patch(path, { op: "replace", value: name })).json.displayName).toBe("Test SCIMv2.0");
    const member = { value: user.id, display: oktaUser.userName };
    expect((await patch(path, { op: "add", path: "members", value: [member] })).json.members).toHaveLength(1);
    expect((await get(`/Users/${user.id}`)).json.groups).toMatchObject([{ value: group.id, display: "Test SCIMv2.0" }]);
    const away = await patch(path, { op: "remove", path: `members[value eq "${user.id}"]` });
    expect(away.json.members).toEqual([]);
    const whole = await put(path, { schemas: [urns.group], displayName: "Test SCIMv2", members: [member] });
    expect(whole.json.members).toMatchObject([{ value: user.id }]);
    expect((await put(path, { schemas: [urns.group], displayName: "Test" })).json.members).toHaveLength(1);
    expect((await patch(path, { op: "replace", path: "members", value: [] })).json.members).toEqual([]);
  });
});

suite("A PATCH", () => {
  test.each([
    [{ op: "replace", path: "shoeSize", value: 1 }, "invalidPath"],
    [{ op: "replace", path: "emails[", value: 1 }, "invalidPath"],
    [{ op: "replace", path: 'emails[type eq "work"', value: 1 }, "invalidPath"],
    [{ op: "replace", path: "emails[type is]", value: 1 }, "invalidPath"],
    [{ op: "replace", path: "__proto__.active", value: false }, "invalidPath"],
    [{ op: "replace", path: "x".repeat(1001), value: 1 }, "invalidPath"],
    [{ op: "replace", value: { [`emails[${"(".repeat(1001)}`]: "x" } }, "invalidPath"],
    [{ op: "replace", path: 7, value: 1 }, "invalidPath"],
    [{ op: "replace", path: "id", value: "2" }, "mutability"],
    [{ op: "replace", path: "meta.version", value: "2" }, "mutability"],
    [{ op: "add", path: "groups", value: [{ value: "1" }] }, "mutability"],
    [{ op: "remove", path: "userName" }, "mutability"],
    [{ op: "remove", path: "emails" }, "mutability"],
    [{ op: "replace", path: 'emails[value eq "other@x.example"].value', value: "a@x.example" }, "noTarget"],
    [{ op: "replace", path: 'emails[value eq "type@x.example"].value', value: "a@x.example" }, "noTarget"],
    [{ op: "remove" }, "noTarget"],
    [{ op: "replace", value: "x" }, "invalidValue"],
    [{ op: "add", path: "title" }, "invalidValue"],
    [{ op: "add", path: "title", value: { a: 1 } }, "invalidValue"],
    [{ op: "replace", path: "active", value: "maybe" }, "invalidValue"],
    [{ op: "move", path: "title", value: "x" }, "invalidSyntax"],
    ["remove", "invalidSyntax"],
  ])("of a user is refused: %j", async (operation, scimType) => {
    const { post, send, get } = await withDirectory();
    const { json } = await post("/Users", entraUser);
    const good = { op: "replace", path: "title", value: "Never" };
    const body = { schemas: [urns.patch], Operations: [good, operation] };
    const refused = await send("PATCH", `/Users/${json.id}`, body);
    expect([refused.status, refused.json.scimType]).toEqual([400, scimType]);
    expect((await get(`/Users/${json.id}`)).json, "nothing is changed in part").toEqual(json);
  });

  test.each([
    [{ schemas: [urns.patch] }, 400],
    [{ schemas: [urns.patch], Operations: [] }, 400],
    [{ schemas: [urns.user], Operations: [{ op: "remove", path: "title" }] }, 400],
    [{ schemas: [urns.patch], Operations: Array.from({ length: 1001 }, () => ({ op: "remove", path: "title" })) }, 413],
  ])("without operations, with another schema or with too many is refused", async (body, status) => {
    const { post, send } = await withDirectory();
    const { json } = await post("/Users", entraUser);
    expect((await send("PATCH", `/Users/${json.id}`, body)).status).toBe(status);
  });

  test.each([
    ["title", "Clerk", { title: "Clerk" }],
    [`${urns.user}:title`, "Clerk", { title: "Clerk" }],
    ["TITLE", 7, { title: "7" }],
    ["name", { givenName: "A", familyName: "B" }, { name: { givenName: "A", familyName: "B" } }],
    [
      "emails",
      [{ value: "a@x.example", type: "work" }],
      { emails: [{ value: "a@x.example", type: "work", primary: true }] },
    ],
    [
      'addresses[type eq "work"]',
      { country: "Peru" },
      { addresses: [{ country: "Peru", type: "work", primary: true }] },
    ],
    [urns.enterprise, { department: "Sales" }, { [urns.enterprise]: { department: "Sales" } }],
  ])("adds, replaces and removes %s", async (path, value, expected) => {
    const { post, patch } = await withDirectory();
    const { json: before } = await post("/Users", entraUser);
    for (const op of ["add", "replace"]) {
      expect((await patch(`/Users/${before.id}`, { op, path, value })).json).toMatchObject(expected);
    }
    const [key] = Object.keys(expected) as [string];
    const removed = await patch(`/Users/${before.id}`, { op: "remove", path });
    if (path === "emails") return expect(removed.json.scimType).toBe("mutability");
    expect(removed.json[key]).toBeUndefined();
    const version = async () => (await patch(`/Users/${before.id}`, { op: "remove", path })).json.meta.version;
    expect(await version(), "the same again changes nothing").toBe(removed.json.meta.version);
  });
});
