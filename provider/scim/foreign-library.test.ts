import SCIMMY from "scimmy";
import { describe, expect, test } from "vitest";
import { hasDatabase } from "#tests/fixtures/provider.ts";
import { newUser, urns, withDirectory } from "#tests/fixtures/scim.ts";

/** What another implementation of SCIM, SCIMMY, makes of our replies. */

const suite = describe.runIf(hasDatabase());

const user = newUser({
  title: "Clerk",
  phoneNumbers: [{ value: "+44 1", type: "work", primary: true }],
  addresses: [{ locality: "Leeds", type: "work", primary: true }],
});

/** As plain JSON, without what the library adds and what is not the client's to set. */
const plain = (resource: object) => {
  const { meta: _, schemas: __, id: ___, groups: ____, ...rest } = JSON.parse(JSON.stringify(resource));
  return rest;
};

suite("SCIMMY", () => {
  test("reads users, groups, lists and errors of ours as what its schemas say", async () => {
    const { post, get } = await withDirectory();
    const { json: made } = await post("/Users", user);
    expect(plain(new SCIMMY.Schemas.User(made, "in"))).toMatchObject(plain(user));
    const members = [{ value: made.id }];
    const { json: group } = await post("/Groups", { schemas: [urns.group], displayName: "Clerks", members });
    expect(plain(new SCIMMY.Schemas.Group(group, "in"))).toMatchObject({ displayName: "Clerks", members });
    const { json: list } = await get("/Users");
    expect(new SCIMMY.Messages.ListResponse(list).totalResults).toBe(2);
    const { json: error } = await post("/Users", user);
    expect(() => new SCIMMY.Messages.ErrorResponse(error)).toThrow(/already/);
  });

  test.each<{ op: string; path?: string; value?: unknown }[]>([
    [{ op: "replace", path: "title", value: "Judge" }],
    [{ op: "add", path: "name.givenName", value: "Sal" }],
    [{ op: "remove", path: "title" }],
    [{ op: "remove", path: "addresses" }],
    [{ op: "replace", path: 'phoneNumbers[type eq "work"].value', value: "2" }],
    [{ op: "replace", value: { active: false, title: "Judge" } }],
    [
      { op: "replace", path: 'emails[type eq "work"].value', value: "new@company.example" },
      { op: "replace", path: "externalId", value: "other" },
    ],
  ])("patches a user to the same as Sealdesk: %j", async (...Operations) => {
    const { post, patch } = await withDirectory();
    const { json: made } = await post("/Users", user);
    // Names follow their parts here (`users.ts`).
    const { json: ours } = await patch(
      `/Users/${made.id}`,
      { op: "replace", path: "displayName", value: "S" },
      ...Operations,
    );
    const { json: before } = await post("/Users", newUser({ ...user, userName: "other", emails: newUser().emails }));
    const all = [{ op: "replace", path: "displayName", value: "S" }, ...Operations];
    const message = new SCIMMY.Messages.PatchOp({ schemas: [urns.patch], Operations: all } as never);
    const theirs = await message.apply(new SCIMMY.Schemas.User({ ...made, id: before.id }, "in"));
    expect(plain(new SCIMMY.Schemas.User(ours, "in"))).toEqual(plain(theirs!));
  });
});
