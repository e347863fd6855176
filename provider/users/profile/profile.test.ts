import { describe, expect, test } from "vitest";
import { hasDatabase, password, testProvider } from "#tests/fixtures/provider.ts";
import { issueToken } from "../../sessions/tokens.ts";

const suite = describe.runIf(hasDatabase());

const guessable = "This password is easy to guess: use three or four words that do not belong together";

const profileForm = {
  name: "Ada Other",
  email: "ada@company.example",
  phone: "0161 496 0000",
  country: "United Kingdom",
  city: "Preston",
  index: "PR1 3NA",
  address: "8 Winckley Street",
};

suite("GET /profile", () => {
  test("is one's own data, without any right", async () => {
    const { call, company, group, user } = await testProvider();
    const { id } = await company();
    await group(id, "Nothing", {});
    const nobody = await user(id, { group: "Nothing", name: "Nora None", role: "Clerk" });
    const { status, json } = await call("getProfile", { token: nobody.token });
    expect(status).toBe(200);
    const nothing = { pending_email: "", phone: "", country: "", city: "", index: "", address: "", imageUrl: "" };
    expect(json).toEqual({ id: nobody.id, name: "Nora None", email: nobody.email, ...nothing, version: 1 });
  });

  test("needs a token", async () => {
    const { call } = await testProvider();
    expect((await call("getProfile")).status).toBe(401);
  });
});

suite("PUT /profile", () => {
  test("changes one's own data and audits it", async () => {
    const { call, company, db } = await testProvider();
    const { admin } = await company();
    const { status, json } = await call("updateProfile", { token: admin.token, body: { ...profileForm, version: 1 } });
    const email = { email: admin.email, pending_email: profileForm.email };
    expect([status, json]).toEqual([200, { id: admin.id, ...profileForm, ...email, imageUrl: "", version: 2 }]);
    expect((await call("getProfile", { token: admin.token })).json).toEqual(json);
    expect((await call("currentUser", { token: admin.token })).json.name).toBe("Ada Other");
    expect((await call("login", { body: { email: profileForm.email, password } })).status).toBe(422);
    const entry = await db.selectFrom("audit").where("action", "=", "changed").selectAll().executeTakeFirstOrThrow();
    expect(entry).toMatchObject({ actor: "Ada Admin", entity: "user", entity_id: admin.id, entity_name: "Ada Other" });
    expect(JSON.parse(entry.changes)).toContainEqual({ field: "address", before: null, after: "8 Winckley Street" });
  });

  test("ignores other fields", async () => {
    const { call, company, branch, user, db } = await testProvider();
    const { id, admin } = await company();
    const { id: branchId } = await branch(id, "Preston");
    const clerk = await user(id, { group: "Accountant", role: "Clerk" });
    const row = () => db.selectFrom("users").where("id", "=", clerk.id).selectAll().executeTakeFirstOrThrow();
    const before = await row();
    const more = {
      id: admin.id,
      role: "Director",
      staff: "Administrator",
      staff_id: 1,
      access_group_id: 1,
      branch: "Preston",
      branch_id: branchId,
      company_id: 99,
      active: false,
      info: "mine",
      password: "a new and longer one",
      password_hash: "x",
      created_at: "2020-01-01",
    };
    expect((await call("updateProfile", { token: clerk.token, body: { ...profileForm, ...more } })).status).toBe(200);
    const name_key = "ada other";
    expect(await row()).toEqual({ ...before, ...profileForm, email: before.email, name_key, version: 2 });
    expect((await call("getProfile", { token: admin.token })).json.name).toBe("Ada Admin");
  });

  test("refuses an outdated version, whichever user changed it", async () => {
    const { call, company, user } = await testProvider();
    const { id, admin } = await company();
    const clerk = await user(id, { group: "Accountant" });
    const byAdmin = { ...profileForm, staff: "Accountant", version: 1 };
    await call("updateUser", { token: admin.token, params: { id: clerk.id }, body: byAdmin });
    const { status, json } = await call("updateProfile", { token: clerk.token, body: { ...profileForm, version: 1 } });
    expect([status, json.message]).toEqual([409, "Ada Admin changed this at 10:00"]);
    expect((await call("updateProfile", { token: clerk.token, body: { ...profileForm, version: 2 } })).status).toBe(
      200,
    );
  });

  test("keeps the address when an administrator changes the user", async () => {
    const { call, company, user } = await testProvider();
    const { id, admin } = await company();
    const clerk = await user(id, { group: "Accountant" });
    await call("updateProfile", { token: clerk.token, body: profileForm });
    const body = { ...profileForm, staff: "Accountant", city: "Leeds" };
    await call("updateUser", { token: admin.token, params: { id: clerk.id }, body });
    const { json } = await call("getProfile", { token: clerk.token });
    expect([json.city, json.address]).toEqual(["Leeds", "8 Winckley Street"]);
  });

  test("names missing fields, and refuses a taken address", async () => {
    const { call, company, user } = await testProvider();
    const { id, admin } = await company();
    const colleague = await user(id);
    const change = (body: object) => call("updateProfile", { token: admin.token, body });
    expect((await change({ name: " ", email: "x" })).json.errors).toEqual({
      name: ["Enter the name"],
      email: ["Enter an email address like name@company.example"],
    });
    const { status, json } = await change({ ...profileForm, email: colleague.email.toUpperCase() });
    expect([status, json.errors]).toEqual([422, { email: ["This email address is already used: enter another"] }]);
    expect((await call("updateProfile", { body: profileForm })).status).toBe(401);
  });

  test("keeps reset links to an unchanged address valid", async () => {
    const { call, company, db, clock } = await testProvider();
    const { admin } = await company();
    const reset = await issueToken(db, "reset", admin.id, clock.now);
    await call("updateProfile", { token: admin.token, body: { ...profileForm, email: admin.email } });
    expect((await call("signupLink", { token: reset })).status).toBe(200);
  });
});

suite("PUT /profile/password", () => {
  const newPassword = "a new and longer one";
  const passwords = (text = newPassword, old_password = password) => ({
    old_password,
    password: text,
    password_confirmation: text,
  });

  test("sets the password and revokes all other sessions and reset links", async () => {
    const { call, company, user, db, clock } = await testProvider();
    const { id, admin } = await company();
    const colleague = await user(id);
    const elsewhere = await issueToken(db, "session", admin.id, clock.now);
    const reset = await issueToken(db, "reset", admin.id, clock.now);
    expect((await call("changePassword", { token: admin.token, body: passwords() })).status).toBe(204);
    expect((await call("currentUser", { token: admin.token })).status).toBe(200);
    expect((await call("currentUser", { token: elsewhere })).status).toBe(401);
    expect((await call("signupLink", { token: reset })).status).toBe(401);
    expect((await call("currentUser", { token: colleague.token })).status).toBe(200);
    expect((await call("login", { body: { email: admin.email, password } })).status).toBe(422);
    expect((await call("login", { body: { email: admin.email, password: newPassword } })).status).toBe(200);
  });

  test("is audited without any secret", async () => {
    const { call, company, db } = await testProvider();
    const { admin } = await company();
    await call("changePassword", { token: admin.token, body: passwords() });
    const entries = await db.selectFrom("audit").where("action", "=", "password changed").selectAll().execute();
    expect(entries).toMatchObject([{ actor: "Ada Admin", entity: "user", entity_id: admin.id, changes: "[]" }]);
  });

  test("reports a wrong old and an invalid new password together", async () => {
    const { call, company } = await testProvider();
    const { admin } = await company();
    const change = (body: object) => call("changePassword", { token: admin.token, body });
    const wrong = await change(passwords("aaaaaaaaaaaa", "not the password"));
    expect([wrong.status, wrong.json.errors]).toEqual([
      422,
      {
        old_password: ["The old password is not right: type it again"],
        password: [guessable],
      },
    ]);
    expect((await change(passwords(admin.email))).json.errors.password).toHaveLength(1);
    expect((await change({})).json.errors).toEqual({
      old_password: ["Enter the old password"],
      password: ["Enter a password"],
      password_confirmation: ["Enter the password again"],
    });
    const different = await change({ ...passwords(), password_confirmation: "another" });
    expect(different.json.errors).toEqual({
      password_confirmation: ["The two passwords are not the same: type both again"],
    });
    expect((await call("login", { body: { email: admin.email, password } })).status).toBe(200);
    expect((await call("changePassword", { body: passwords() })).status).toBe(401);
  });

  test("limits guesses of the old password for this user; a right one resets the limit", async () => {
    const { call, company, user } = await testProvider();
    const { id, admin } = await company();
    const colleague = await user(id);
    const guess = (token: string) => call("changePassword", { token, body: passwords(newPassword, "guess") });
    for (let n = 0; n < 9; n++) expect((await guess(admin.token)).status).toBe(422);
    const right = await call("changePassword", { token: admin.token, body: passwords(newPassword) });
    expect(right.status).toBe(204);
    for (let n = 0; n < 10; n++) expect((await guess(admin.token)).status).toBe(422);
    const refused = await call("changePassword", { token: admin.token, body: passwords(password, newPassword) });
    expect(refused.status).toBe(429);
    expect(Number(refused.headers.get("retry-after"))).toBeGreaterThan(0);
    expect((await guess(colleague.token)).status).toBe(422);
  });

  test("of two changes at once, one succeeds", async () => {
    const { call, company } = await testProvider();
    const { admin } = await company();
    const both = ["the first of both", "the second of both"].map((text) =>
      call("changePassword", { token: admin.token, body: passwords(text) }),
    );
    const statuses = (await Promise.all(both)).map(({ status }) => status);
    expect(statuses.toSorted()).toEqual([204, 422]);
  });
});
