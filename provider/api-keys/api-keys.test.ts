import { describe, expect, test } from "vitest";
import { addKey } from "#tests/fixtures/api-keys.ts";
import { hasDatabase, password, testProvider } from "#tests/fixtures/provider.ts";
import { minutesInMs } from "#lib/units.ts";
import { issueToken } from "../sessions/tokens.ts";

const suite = describe.runIf(hasDatabase());

const form = { name: "Reports", expires_on: "2027-11-21", scope: "read", areas: ["docs", "alerts"] };

async function withClerk() {
  const provider = await testProvider();
  const { id, admin } = await provider.company();
  const clerk = await provider.user(id, { name: "Cora Clerk", group: "Accountant" });
  return { ...provider, company: id, admin, clerk };
}

suite("POST /profile/api-keys", () => {
  test("makes a key, which is shown once and stored as a hash", async () => {
    const { call, db, admin } = await withClerk();
    const { status, json } = await call("createOwnKey", { token: admin.token, body: form });
    expect(status).toBe(201);
    expect(json).toMatchObject({ name: "Reports", scope: "read", areas: ["docs", "alerts"], last_used_at: null });
    expect(json.key).toMatch(/^sd_live_[0-9A-Za-z]{38}$/);
    expect(json.ending).toBe(json.key.slice(-4));
    const stored = JSON.stringify([
      await db.selectFrom("api_keys").selectAll().execute(),
      await db.selectFrom("audit").selectAll().execute(),
    ]);
    expect(stored).not.toContain(json.key);
    expect((await call("currentUser", { token: json.key })).json).toMatchObject({ email: admin.email });
  });

  test("is audited with its scope", async () => {
    const { call, admin } = await withClerk();
    await call("createOwnKey", { token: admin.token, body: form });
    const { json } = await call("listAudit", { token: admin.token });
    expect(json[0]).toMatchObject({ action: "API key made", entity_id: admin.id });
    expect(json[0].changes).toContainEqual({ field: "api_key", before: null, after: "Reports" });
    expect(json[0].changes).toContainEqual({ field: "areas", before: null, after: "Docs, Alerts" });
  });

  test.each([
    ["without a name", { name: "" }, "name", "Enter the name"],
    ["without a last day", { expires_on: "" }, "expires_on", "Enter the last day on which the key is valid"],
    ["that ends today", { expires_on: "2026-11-21" }, "expires_on", "Enter a day after today, up to 21-11-2027"],
    ["for more than a year", { expires_on: "2027-11-22" }, "expires_on", "Enter a day after today, up to 21-11-2027"],
    ["with a day that is none", { expires_on: "2027-02-30" }, "expires_on", "There is no 30 February in 2027"],
    ["without an area", { areas: [] }, "areas", "Choose at least one area"],
    ["with an unknown scope", { scope: "admin" }, "scope", "Choose what the key may do"],
  ])("refuses a key %s", async (_, change, field, message) => {
    const { call, admin } = await withClerk();
    const { status, json } = await call("createOwnKey", { token: admin.token, body: { ...form, ...change } });
    expect(status).toBe(422);
    expect(json.errors[field][0]).toContain(message);
  });

  test("refuses areas in which the user has no right", async () => {
    const { call, group, user, company } = await withClerk();
    await group(company, "Readers", { docs: "B:R" });
    const { token } = await user(company, { group: "Readers" });
    const { json } = await call("createOwnKey", { token, body: { ...form, areas: ["docs", "users", "roles"] } });
    expect(json.errors.areas).toEqual(["Leave out Users, Roles: you have no rights there yourself"]);
  });

  test("makes ten for a user at most", async () => {
    const { call, admin } = await withClerk();
    const make = () => call("createOwnKey", { token: admin.token, body: form });
    for (let n = 0; n < 10; n++) expect((await make()).status).toBe(201);
    const refused = await make();
    expect([refused.status, refused.json.message]).toEqual([409, "You have 10 API keys: revoke one first"]);
  });
});

suite("GET /profile/api-keys", () => {
  test("lists one’s own keys without the keys, and their last use to within five minutes", async () => {
    const provider = await withClerk();
    const { call, admin, clerk, clock } = provider;
    const { key } = await addKey(provider, admin.id);
    await addKey(provider, clerk.id, { name: "Another’s" });
    const list = async () => (await call("listOwnKeys", { token: admin.token })).json;
    expect(await list()).toMatchObject([{ name: "Reports", last_used_at: null, expired: false, exposed_at: null }]);
    const use = async (minutes: number) => {
      clock.now = new Date(clock.now.getTime() + minutesInMs(minutes));
      await call("currentUser", { token: key });
      return (await list())[0].last_used_at;
    };
    expect(await use(0)).toBe("2026-11-21T10:00:00.000Z");
    expect(await use(4)).toBe("2026-11-21T10:00:00.000Z");
    expect(await use(2)).toBe("2026-11-21T10:06:00.000Z");
    expect(JSON.stringify(await list())).not.toContain(key);
  });
});

suite("DELETE /profile/api-keys/{id}", () => {
  test("revokes a key, which then opens nothing", async () => {
    const provider = await withClerk();
    const { call, admin } = provider;
    const { id, key } = await addKey(provider, admin.id);
    const revoke = () => call("revokeOwnKey", { token: admin.token, params: { id } });
    expect((await revoke()).status).toBe(204);
    const { status, json } = await call("currentUser", { token: key });
    expect([status, json.message]).toEqual([401, "This API key is unknown, has expired or was revoked"]);
    expect((await revoke()).status).toBe(404);
    const { json: trail } = await call("listAudit", { token: admin.token });
    expect(trail[0].changes).toEqual([{ field: "api_key", before: "Reports", after: null }]);
  });

  test("can’t revoke another user’s", async () => {
    const provider = await withClerk();
    const { call, admin, clerk } = provider;
    const { id } = await addKey(provider, clerk.id);
    expect((await call("revokeOwnKey", { token: admin.token, params: { id } })).status).toBe(404);
  });
});

suite("GET /users/{id}/api-keys", () => {
  test("shows a user’s keys to those who may change the user", async () => {
    const provider = await withClerk();
    const { call, admin, clerk } = provider;
    await addKey(provider, clerk.id);
    const params = { id: clerk.id };
    expect((await call("listUserKeys", { token: admin.token, params })).json).toMatchObject([{ name: "Reports" }]);
    expect((await call("listUserKeys", { token: clerk.token, params })).status).toBe(403);
  });
});

suite("DELETE /users/{id}/api-keys/{key}", () => {
  test("is for administrators of users, within their rights", async () => {
    const provider = await withClerk();
    const { call, admin, clerk, group, user, company } = provider;
    await group(company, "Personnel", { users: "C:R/W", docs: "C:R" });
    const { token } = await user(company, { group: "Personnel" });
    const { id: key } = await addKey(provider, clerk.id);
    const { id: own } = await addKey(provider, admin.id);
    const revoke = (token: string, params: { id: number; key: number }) => call("revokeUserKey", { token, params });
    expect((await revoke(token, { id: admin.id, key: own })).status).toBe(403);
    expect((await revoke(admin.token, { id: admin.id, key })).status).toBe(404);
    expect((await revoke(admin.token, { id: clerk.id, key })).status).toBe(204);
  });
});

suite("A user’s keys", () => {
  test("end with the user, and do not return with them", async () => {
    const provider = await withClerk();
    const { call, admin, clerk } = provider;
    const { key } = await addKey(provider, clerk.id);
    await call("removeUser", { token: admin.token, params: { id: clerk.id } });
    expect((await call("currentUser", { token: key })).status).toBe(401);
    await call("reactivateUser", { token: admin.token, params: { id: clerk.id } });
    expect((await call("currentUser", { token: key })).status).toBe(401);
  });

  test("end with a password reset, and stay when the user changes the password", async () => {
    const provider = await withClerk();
    const { call, db, clerk, clock } = provider;
    const { key } = await addKey(provider, clerk.id);
    const [one, other] = [`${password} one`, `${password} two`];
    const change = { old_password: password, password: one, password_confirmation: one };
    expect((await call("changePassword", { token: clerk.token, body: change })).status).toBe(204);
    expect((await call("currentUser", { token: key })).status).toBe(200);
    const link = await issueToken(db, "reset", clerk.id, clock.now);
    const reset = await call("signup", { token: link, body: { password: other, password_confirmation: other } });
    expect(reset.status).toBe(200);
    expect((await call("currentUser", { token: key })).status).toBe(401);
  });

  test("end after their last day in the company’s time zone", async () => {
    const provider = await withClerk();
    const { call, admin, clock, db, company } = provider;
    await db.updateTable("companies").set({ timezone: "America/New_York" }).where("id", "=", company).execute();
    const { key } = await addKey(provider, admin.id, { expires_on: "2026-11-22" });
    const statusAt = async (now: string) => {
      clock.now = new Date(now);
      return (await call("currentUser", { token: key })).status;
    };
    expect(await statusAt("2026-11-23T04:59:00Z")).toBe(200);
    expect(await statusAt("2026-11-23T05:00:00Z")).toBe(401);
    const session = await issueToken(db, "session", admin.id, clock.now);
    expect((await call("listOwnKeys", { token: session })).json).toMatchObject([{ expired: true }]);
  });
});
