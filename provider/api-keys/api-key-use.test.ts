import { describe, expect, test } from "vitest";
import { addKey } from "#tests/fixtures/api-keys.ts";
import { hasDatabase, password, testProvider } from "#tests/fixtures/provider.ts";
import { makeKey } from "./key-text.ts";
import type { CallName } from "../contract/calls.ts";
import type { Area } from "../contract/permissions.ts";

const suite = describe.runIf(hasDatabase());

const logged: [object, string][] = [];
const log = { info: () => {}, warn: (event: object, text: string) => void logged.push([event, text]), error: () => {} };

async function withKey(options: { scope?: "read" | "write"; areas?: Area[] } = {}, limits = {}) {
  const provider = await testProvider({ log }, limits);
  const { id, admin } = await provider.company();
  return { ...provider, company: id, admin, ...(await addKey(provider, admin.id, options)) };
}

suite("An API key", () => {
  test("issues a document as its user, and the audit trail names it", async () => {
    const { call, issue, admin, key } = await withKey({ areas: ["docs"] });
    const { status, json: document } = await issue(key);
    expect(status).toBe(201);
    expect(document).toMatchObject({ user: "Ada Admin", email: admin.email });
    const { json: trail } = await call("listAudit", { token: admin.token });
    expect(trail[0]).toMatchObject({ actor: "Ada Admin", action: "issued", api_key: "Reports" });
    await issue(admin.token);
    const { json: later } = await call("listAudit", { token: admin.token });
    expect(later[0]).toMatchObject({ actor: "Ada Admin", action: "issued", api_key: "" });
  });

  test("that only reads changes nothing, and its refusal is audited", async () => {
    const { call, issue, admin, key } = await withKey({ scope: "read" });
    const { json: document } = await issue(admin.token);
    expect((await call("getDocument", { token: key, params: { id: document.id } })).status).toBe(200);
    const refused = await call("archiveDocument", { token: key, params: { id: document.id } });
    expect([refused.status, refused.json.message]).toEqual([403, "The scope of this API key does not allow this"]);
    const { json: trail } = await call("listAudit", { token: admin.token });
    expect(trail[0]).toMatchObject({ action: "access refused", api_key: "Reports" });
  });

  test("tells what it may do, within its areas", async () => {
    const { call, key } = await withKey({ scope: "read", areas: ["docs"] });
    const { json } = await call("currentUser", { token: key });
    expect(json.permissions).toMatchObject({ docs: "C:R", users: "", roles: "" });
  });

  test("acts with its user’s rights of the moment", async () => {
    const { call, db, group, company, admin, key } = await withKey({ areas: ["docs"] });
    const { id: access_group_id } = await group(company, "Own only", { docs: "P:R" });
    await db.updateTable("users").set({ access_group_id }).where("id", "=", admin.id).execute();
    expect((await call("currentUser", { token: key })).json.permissions.docs).toBe("P:R");
    expect((await call("listUsers", { token: key })).status).toBe(403);
  });

  test("sees no restricted documents by its user’s being an administrator, unless it has that area", async () => {
    const provider = await withKey({ areas: ["docs"] });
    const { call, issue, group, company, admin, key } = provider;
    await group(company, "Secret", {});
    const other = await provider.user(company, { name: "Other" });
    const { json: document } = await issue(admin.token, { users_access_group: "Secret", email: other.email });
    const params = { id: document.id };
    expect((await call("getDocument", { token: admin.token, params })).status).toBe(200);
    expect((await call("getDocument", { token: key, params })).status).toBe(404);
    const { key: whole } = await addKey(provider, admin.id);
    expect((await call("getDocument", { token: whole, params })).status).toBe(200);
  });

  test.each<[CallName, object]>([
    ["createOwnKey", { body: { name: "More", expires_on: "2027-11-21", scope: "read", areas: ["docs"] } }],
    ["listOwnKeys", {}],
    ["changePassword", { body: { old_password: password, password: "x", password_confirmation: "x" } }],
    ["updateProfile", { body: { name: "Changed", email: "changed@company.example" } }],
    ["listOwnSessions", {}],
    ["logout", {}],
    ["createCalendarFeed", {}],
    ["createUser", { body: { name: "New", email: "new@company.example", staff: "Administrator" } }],
    ["updateAccessGroup", { params: { id: 1 }, body: { name: "All", docs: "C:R/W/C" } }],
    ["changeTariff", { body: { tariff: 5 } }],
    ["rotateSealKey", {}],
    ["startDocumentActions", { body: { act: "archive", ids: "1" } }],
  ])("of all areas may not make the call %s", async (name, input) => {
    const { call, key } = await withKey();
    const { status, json } = await call(name, { token: key, ...input });
    expect([status, json.message]).toEqual([403, "API keys may not do this: sign in to do it"]);
  });

  test("that is revoked while a body arrives changes nothing", async () => {
    const { call, db, provider, id, key } = await withKey();
    const form = new URLSearchParams({ name: "Leeds", country: "United Kingdom", city: "Leeds" });
    const parts = [...String(form).matchAll(/.{1,20}/g)].map(([part]) => new TextEncoder().encode(part));
    const body = new ReadableStream<Uint8Array>(
      {
        async pull(controller) {
          if (parts.length === 1) await db.deleteFrom("api_keys").where("id", "=", id).execute();
          controller.enqueue(parts.shift()!);
          if (parts.length === 0) controller.close();
        },
      },
      { highWaterMark: 0 },
    );
    const type = "application/x-www-form-urlencoded";
    const headers = { authorization: `Bearer ${key}`, "content-type": type };
    const init = { method: "POST", headers, body, duplex: "half" } as RequestInit;
    const request = new Request("http://provider/api/branches", init);
    expect((await provider.fetch(request, { clientAddress: "192.0.2.1" })).status).toBe(401);
    expect(await db.selectFrom("branches").select("id").execute()).toEqual([]);
    expect((await call("currentUser", { token: key })).status).toBe(401);
  });
});

suite("A request with an API key that is none", () => {
  test("is refused without a query if it is mistyped", async () => {
    const { call, db, key } = await withKey();
    await db.deleteFrom("api_keys").execute();
    for (const token of [
      key.slice(0, -1),
      `${key.slice(0, -1)}${key.endsWith("0") ? "1" : "0"}`,
      "sd_live_",
      `${key}0`,
    ]) {
      const { status, json } = await call("currentUser", { token });
      expect([status, json.message]).toEqual([
        401,
        "This API key is not complete or has a wrong character: copy it again",
      ]);
    }
  });

  test("is limited by network, which leaves others their keys", async () => {
    const { call, key } = await withKey();
    const tried = async () => (await call("currentUser", { token: makeKey() })).status;
    for (let n = 0; n < 30; n++) expect(await tried()).toBe(401);
    expect(await tried()).toBe(429);
    expect((await call("currentUser", { token: key })).status).toBe(200);
  });
});

suite("The limit of an API key", () => {
  test("is stated by each reply, also by refusals, and ends with 429", async () => {
    const points = (name: string, usual: number) => (name === "api_key" ? 3 : usual);
    const { call, key } = await withKey({ scope: "read" }, { points });
    const headers = async (name: CallName) => {
      const reply = await call(name, { token: key, ...(name === "getDocument" && { params: { id: 9 } }) });
      const rateLimitHeaders = ["ratelimit-policy", "ratelimit", "retry-after"].map((header) =>
        reply.headers.get(header),
      );
      return [reply.status, ...rateLimitHeaders];
    };
    const policy = '"api_key";q=3;w=60';
    expect(await headers("currentUser")).toEqual([200, policy, expect.stringMatching(/^"api_key";r=2;t=\d+$/), null]);
    expect(await headers("getDocument")).toEqual([404, policy, expect.stringMatching(/^"api_key";r=1;t=\d+$/), null]);
    expect(await headers("logout")).toEqual([403, policy, expect.stringMatching(/^"api_key";r=0;t=\d+$/), null]);
    const [status, , remaining, retry] = await headers("currentUser");
    expect([status, remaining]).toEqual([429, `"api_key";r=0;t=${retry}`]);
  });

  test("is the key’s own, and counts a request with a body once", async () => {
    const provider = await withKey();
    const { call, admin, key, issue } = provider;
    const { headers } = await issue(key);
    // Before it, the fixture asked who the user is.
    expect(headers.get("ratelimit")).toMatch(/^"api_key";r=298;/);
    const { key: other } = await addKey(provider, admin.id);
    expect((await call("currentUser", { token: other })).headers.get("ratelimit")).toMatch(/r=299;/);
    expect((await call("currentUser", { token: admin.token })).headers.has("ratelimit")).toBe(false);
  });
});

suite("An API key in an address", () => {
  test.each([
    ["a query", (key: string) => `documents?api_key=${key}`],
    ["a query of a public call", (key: string) => `health?token=${key}`],
    ["a path", (key: string) => `documents/${key}`],
    ["a path that is none of ours", (key: string) => `${key}/documents`],
    ["percent-encoding", (key: string) => `documents?token=${key.replace("_live_", "%5Flive%5F")}`],
  ])("as %s is refused with a warning, logged without the key, and marked", async (_, addressOf) => {
    const { call, provider, admin, key } = await withKey();
    logged.length = 0;
    const headers = { authorization: `Bearer ${key}` };
    const request = new Request(`http://provider/api/${addressOf(key)}`, { headers });
    const reply = await provider.fetch(request, { clientAddress: "192.0.2.1" });
    const { message } = (await reply.json()) as { message: string };
    expect(reply.status).toBe(401);
    expect(message).toContain("revoke it, make another one, and send that in the header");
    const { json: keys } = await call("listOwnKeys", { token: admin.token });
    expect(keys).toMatchObject([{ exposed_at: "2026-11-21T10:00:00.000Z" }]);
    expect(logged).toEqual([[{ key: keys[0].id }, "API key in an address refused"]]);
    expect(JSON.stringify(logged)).not.toContain(key);
  });
});
