import { describe, expect, test } from "vitest";
import { hasDatabase } from "#tests/fixtures/provider.ts";
import { newUser, urns, withDirectory } from "#tests/fixtures/scim.ts";

const suite = describe.runIf(hasDatabase());

suite("A user of a directory", () => {
  test("is added without a password, into the token’s access group, and read back", async () => {
    const { post, get, db, call, admin } = await withDirectory();
    const body = newUser({ title: "Clerk", phoneNumbers: [{ type: "work", value: "+44 1772 1" }] });
    const created = await post("/Users", body);
    expect(created.status).toBe(201);
    expect(created.json).toMatchObject({
      ...body,
      phoneNumbers: [{ value: "+44 1772 1", type: "work", primary: true }],
      groups: [{ display: "Accountant" }],
      meta: { resourceType: "User", location: `https://sealdesk.example/scim/v2/Users/${created.json.id}` },
    });
    expect(created.headers.get("location")).toBe(created.json.meta.location);
    expect(created.headers.get("etag")).toBe(created.json.meta.version);
    expect((await get(`/Users/${created.json.id}`)).json).toEqual(created.json);
    const row = db.selectFrom("users").where("id", "=", Number(created.json.id)).select("password_hash");
    expect(await row.executeTakeFirst()).toEqual({ password_hash: null });
    const { json } = await call("getUser", { token: admin.token, params: { id: created.json.id } });
    expect(json).toMatchObject({ name: body.displayName, email: body.userName, staff: "Accountant", role: "Clerk" });
  });

  test("is invited, unless the company has single sign-on", async () => {
    const { post, mails, db, companyId, services } = await withDirectory();
    await post("/Users", newUser({ userName: "invited@company.example", emails: undefined }));
    await expect.poll(() => mails.map(({ to }) => to)).toEqual(["invited@company.example"]);
    const row = {
      address: "a",
      issuer: "https://i.example",
      client_id: "c",
      groups_claim: "",
      version: 1,
      client_secret: null,
      passwords_off: 0,
    };
    await db
      .insertInto("identity_providers")
      .values({ ...row, company_id: companyId })
      .execute();
    expect((await post("/Users", newUser())).status).toBe(201);
    expect(await db.selectFrom("outbox").select("recipient").execute()).toEqual([]);
    expect(services.singleSignOn).toBeUndefined();
    expect(mails).toHaveLength(1);
  });

  test.each([
    ["the display name", { displayName: "Ann Other", name: { formatted: "A. Other" } }, "Ann Other"],
    ["the formatted name", { displayName: undefined, name: { formatted: "A. Other" } }, "A. Other"],
    ["its parts", { displayName: "", name: { givenName: "Ann", familyName: "Other" } }, "Ann Other"],
    ["the user name", { displayName: undefined, name: undefined }, expect.stringMatching(/^scim-/)],
  ])("is called by %s", async (_, names, expected) => {
    const { post } = await withDirectory();
    expect((await post("/Users", newUser(names))).json.displayName).toEqual(expected);
  });

  test("is in the branch that the department names, and stays there with another department", async () => {
    const { post, patch, branch, companyId, call, admin } = await withDirectory();
    await branch(companyId, "Leeds");
    const { json } = await post("/Users", newUser({ [urns.enterprise]: { department: "LEEDS" } }));
    const branchOf = async () =>
      (await call("getUser", { token: admin.token, params: { id: json.id } })).json.branch as string;
    expect(await branchOf()).toBe("Leeds");
    const path = `${urns.enterprise}:department`;
    const changed = await patch(`/Users/${json.id}`, { op: "replace", path, value: "Sales" });
    expect(changed.json[urns.enterprise]).toEqual({ department: "Sales" });
    expect(await branchOf()).toBe("Leeds");
  });

  test.each([
    ["no user name", { userName: undefined }, "invalidValue"],
    ["an empty user name", { userName: "" }, "invalidValue"],
    ["no email address", { userName: "bjensen", emails: [] }, "invalidValue"],
    ["a wrong email address", { emails: [{ value: "nobody" }] }, "invalidValue"],
    ["a name that is a list", { displayName: ["A", "B"] }, "invalidValue"],
    ["a name that is a number of letters too long", { displayName: "x".repeat(101) }, "invalidValue"],
    ["a doubtful activity", { active: "perhaps" }, "invalidValue"],
    ["emails that are a number", { emails: 7 }, "invalidValue"],
    ["no schema", { schemas: [] }, "invalidSyntax"],
    ["another schema", { schemas: [urns.group] }, "invalidSyntax"],
  ])("is refused with %s", async (_, fields, scimType) => {
    const { post, db } = await withDirectory();
    const { status, json } = await post("/Users", newUser(fields));
    expect([status, json.scimType, json.status]).toEqual([400, scimType, "400"]);
    expect(await db.selectFrom("users").select("id").execute()).toHaveLength(1);
  });

  test.each(["{", "[]", "7", "null", ""])("is refused with the body %j", async (body) => {
    const { send } = await withDirectory();
    const { status, json } = await send("POST", "/Users", body);
    expect([status, json.scimType]).toEqual([400, "invalidSyntax"]);
  });

  test("is refused with a body of more than a megabyte", async () => {
    const { post } = await withDirectory();
    expect((await post("/Users", newUser({ title: "x".repeat(1_100_000) }))).status).toBe(413);
  });

  test("ignores id, groups, roles, password and prototypes without an error", async () => {
    const { send, db } = await withDirectory();
    const { schemas, ...rest } = newUser();
    const text = JSON.stringify({ schemas, id: "1", groups: [{ value: "1" }], password: "secret", roles: [], ...rest });
    const { status, json } = await send("POST", "/Users", text.replace("{", '{"__proto__":{"active":false},'));
    expect([status, json.active, json.groups[0].display]).toEqual([201, true, "Accountant"]);
    expect(json.id).not.toBe("1");
    expect({}).not.toHaveProperty("active");
    expect(await db.selectFrom("users").where("password_hash", "is", null).select("id").execute()).toHaveLength(1);
  });

  test("is one of a name, in any case, also beside users of the company itself", async () => {
    const { post, put, admin } = await withDirectory();
    const first = newUser();
    const { json } = await post("/Users", first);
    for (const userName of [first.userName.toUpperCase(), admin.email]) {
      const refused = await post("/Users", newUser({ userName }));
      expect([refused.status, refused.json.scimType]).toEqual([409, "uniqueness"]);
    }
    const other = await post("/Users", newUser());
    const reply = await put(`/Users/${other.json.id}`, newUser({ userName: first.userName }));
    expect([reply.status, reply.json.scimType]).toEqual([409, "uniqueness"]);
    const sameEmail = await post("/Users", newUser({ emails: first.emails }));
    expect([sameEmail.status, sameEmail.json.scimType]).toEqual([409, "uniqueness"]);
    expect((await put(`/Users/${json.id}`, { ...first, title: "Clerk" })).json.title).toBe("Clerk");
  });

  test("has a user name that is no email address", async () => {
    const { post, find } = await withDirectory();
    const { json } = await post("/Users", newUser({ userName: "bjensen" }));
    expect(json.userName).toBe("bjensen");
    expect((await find("/Users", 'userName eq "BJensen"')).map(({ id }) => id)).toEqual([json.id]);
  });

  test("is replaced; what is not sent stays", async () => {
    const { post, put } = await withDirectory();
    const body = newUser({ title: "Clerk" });
    const { json } = await post("/Users", body);
    const { title: _, ...rest } = body;
    const replaced = await put(`/Users/${json.id}`, {
      ...rest,
      id: json.id,
      displayName: "New Name",
      emails: [
        { type: "home", value: "home@elsewhere.example" },
        { type: "work", value: "new-work@company.example" },
      ],
      meta: json.meta,
    });
    expect(replaced.json).toMatchObject({ displayName: "New Name", title: "Clerk", id: json.id });
    expect(replaced.json.emails).toEqual([{ value: "new-work@company.example", type: "work", primary: true }]);
    expect((await put(`/Users/${json.id}`, { ...rest, title: "" })).json).not.toHaveProperty("title");
  });

  test("is changed only as the client knows it", async () => {
    const { post, put, patch, get, send, remove } = await withDirectory();
    const body = newUser();
    const { json } = await post("/Users", body);
    const path = `/Users/${json.id}`;
    const old = json.meta.version;
    expect((await get(path, { "if-none-match": `"x", ${old}` })).status).toBe(304);
    const { json: changed } = await patch(path, { op: "add", path: "title", value: "Clerk" });
    expect(changed.meta.version).not.toBe(old);
    expect((await get(path, { "if-none-match": old })).status).toBe(200);
    const operation = { schemas: [urns.patch], Operations: [{ op: "remove", path: "title" }] };
    for (const headers of [{ "if-match": old }]) {
      expect((await put(path, body, headers)).status).toBe(412);
      expect((await send("PATCH", path, operation, headers)).status).toBe(412);
      expect((await remove(path, headers)).status).toBe(412);
    }
    expect((await get(path)).json.title).toBe("Clerk");
    expect((await send("PATCH", path, operation, { "if-match": changed.meta.version })).status).toBe(200);
    expect((await remove(path, { "if-match": "*" })).status).toBe(204);
  });

  test("keeps address and sessions of its own when the directory changes the address", async () => {
    const { user, companyId, find, patch, call, db, mails } = await withDirectory();
    const own = await user(companyId, { name: "Molly Married" });
    const [{ id }] = (await find("/Users", `userName eq "${own.email}"`)) as [{ id: string }];
    const path = 'emails[type eq "work"].value';
    expect((await patch(`/Users/${id}`, { op: "replace", path, value: "molly@new.example" })).status).toBe(200);
    expect((await call("currentUser", { token: own.token })).json.email).toBe("molly@new.example");
    const row = db.selectFrom("users").where("id", "=", own.id).select(["email_proved", "password_hash"]);
    expect(await row.executeTakeFirst()).toEqual({ email_proved: 0, password_hash: expect.any(String) });
    await expect.poll(() => mails.map(({ to }) => to)).toEqual([own.email]);
  });
});

suite("A deactivated user", () => {
  test("loses sessions and API keys at once, is still found, and comes back", async () => {
    const { user, companyId, find, patch, call, db, ...provider } = await withDirectory();
    const own = await user(companyId);
    const { addKey } = await import("#tests/fixtures/api-keys.ts");
    const { key } = await addKey({ db }, own.id);
    const [{ id }] = (await find("/Users", `userName eq "${own.email}"`)) as [{ id: string }];
    const deactivated = await patch(`/Users/${id}`, { op: "replace", path: "active", value: false });
    expect(deactivated.json.active).toBe(false);
    for (const token of [own.token, key]) expect((await call("currentUser", { token })).status).toBe(401);
    expect(await find("/Users", `userName eq "${own.email}"`)).toMatchObject([{ id, active: false }]);
    expect(await find("/Users", "active eq false")).toHaveLength(1);
    const back = await patch(`/Users/${id}`, { op: "replace", path: "active", value: true });
    expect(back.json.active).toBe(true);
    expect((await call("currentUser", { token: own.token })).status).toBe(401);
    const entries = await db
      .selectFrom("audit")
      .where("entity_id", "=", own.id)
      .where("entity", "=", "user")
      .select(["action", "actor", "api_key", "changes"])
      .execute();
    expect(entries).toMatchObject([
      { action: "changed", actor: "Ada Admin", api_key: "Entra ID", changes: expect.stringContaining("active") },
      { action: "changed", api_key: "Entra ID", changes: expect.stringContaining("active") },
    ]);
    expect(provider.mails).toEqual([]);
  });

  test("is deleted for the directory alone: the name can be used again, and the history stays", async () => {
    const { post, get, patch, remove, find, put, call, admin } = await withDirectory();
    const body = newUser();
    const { json } = await post("/Users", body);
    const path = `/Users/${json.id}`;
    expect((await remove(path)).status).toBe(204);
    const replies = [get(path), put(path, body), patch(path, { op: "remove", path: "title" }), remove(path)];
    expect((await Promise.all(replies)).map(({ status }) => status)).toEqual([404, 404, 404, 404]);
    expect(await find("/Users", `externalId eq "${body.externalId}"`)).toEqual([]);
    expect((await call("getUser", { token: admin.token, params: { id: json.id } })).json.active).toBe(false);
    const again = await post("/Users", body);
    expect(again.status).toBe(201);
    expect(again.json.id).not.toBe(json.id);
  });

  test("stays as the directory knows it if no administrator would remain, and an inactive one is forgotten", async () => {
    const { post, put, patch, remove, find, get, admin, db } = await withDirectory();
    const [{ id }] = (await find("/Users", `userName eq "${admin.email}"`)) as [{ id: string }];
    const { json } = await put(`/Users/${id}`, newUser({ userName: admin.email, emails: [{ value: admin.email }] }));
    expect((await remove(`/Users/${id}`)).status).toBe(409);
    expect((await get(`/Users/${id}`)).json).toEqual(json);
    const { json: other } = await post("/Users", newUser());
    await patch(`/Users/${other.id}`, { op: "replace", path: "active", value: false });
    expect((await remove(`/Users/${other.id}`)).status).toBe(204);
    expect(await find("/Users", 'externalId eq ""')).toEqual([]);
    const entries = db.selectFrom("audit").where("entity_id", "=", Number(other.id)).where("action", "=", "removed");
    expect(await entries.select("changes").execute()).toHaveLength(1);
  });

  test("comes back into the access group of new users, and no branch, if its own were removed meanwhile", async () => {
    const { post, patch, db, companyId, branch } = await withDirectory();
    const { id } = await branch(companyId, "Preston");
    const { json } = await post("/Users", newUser({ [urns.enterprise]: { department: "Preston" } }));
    const { json: group } = await post("/Groups", {
      schemas: [urns.group],
      displayName: "Clerks",
      members: [{ value: json.id }],
    });
    await patch(`/Users/${json.id}`, { op: "replace", path: "active", value: false });
    await db.updateTable("access_groups").set({ active: 0 }).where("id", "=", Number(group.id)).execute();
    await db.updateTable("branches").set({ active: 0 }).where("id", "=", id).execute();
    const back = await patch(`/Users/${json.id}`, { op: "replace", path: "active", value: true });
    expect(back.json).toMatchObject({ active: true, groups: [{ display: "Accountant" }] });
    const row = db.selectFrom("users").where("id", "=", Number(json.id)).select("branch_id");
    expect(await row.executeTakeFirst()).toEqual({ branch_id: null });
  });

  test("may be added inactive, without an invitation, is invited once active, and deleted", async () => {
    const { post, patch, remove, mails } = await withDirectory();
    const { status, json } = await post("/Users", newUser({ active: false }));
    expect([status, json.active, mails]).toEqual([201, false, []]);
    await patch(`/Users/${json.id}`, { op: "replace", path: "active", value: true });
    await expect.poll(() => mails.map(({ to }) => to)).toEqual([json.userName]);
    expect((await remove(`/Users/${json.id}`)).status).toBe(204);
  });

  test.each(["0", "-1", "x", "1e3", "99999999999", "%00"])("has no id like %s", async (id) => {
    const { get } = await withDirectory();
    expect((await get(`/Users/${id}`)).status).toBe(404);
  });
});
