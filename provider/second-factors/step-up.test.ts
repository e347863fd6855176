import { describe, expect, test } from "vitest";
import { addKey } from "#tests/fixtures/api-keys.ts";
import { importForm, table } from "#tests/fixtures/imports.ts";
import { clientId, clientSecret, testIssuer } from "#tests/fixtures/issuer.ts";
import { withSecondFactor } from "#tests/fixtures/one-time-codes.ts";
import { hasDatabase, password, testProvider } from "#tests/fixtures/provider.ts";
import { minutesInMs } from "#lib/units.ts";
import { type CallName, calls } from "../contract/calls.ts";
import type { Call } from "../contract/call.ts";
import { updateProfile } from "../contract/profile.ts";
import { updateUser } from "../contract/users.ts";
import { companySigner } from "../seal/keys/signer.ts";
import { tokenHash } from "../sessions/tokens.ts";
import { changeUser } from "../users/change-user.ts";
import { changeProfile } from "../users/profile/profile.ts";

/** What needs a user who signed in, or proved to be present, within the last ten minutes. */

const suite = describe.runIf(hasDatabase());

const proofNeeded = { message: "Confirm first that it is you", kind: "proof" };
const secret = { password: "a long password for two", password_confirmation: "a long password for two" };

/** An administrator whose sign-in is so many minutes ago, and a colleague. */
async function afterMinutes(minutes: number) {
  const resolve = async () => [{ address: "93.184.215.14", family: 4 }];
  const issuer = await testIssuer();
  const singleSignOn = { passwordsOff: false, allowedHosts: [new URL(issuer.url).host] };
  const provider = await testProvider({ webhooks: { allowedHosts: [], resolve }, singleSignOn });
  const { call, company, user, group, clock, db } = provider;
  const { id, admin } = await company();
  const spare = await group(id, "Spare", {});
  const clerk = await user(id, { group: "Accountant", name: "Cora Clerk" });
  const keys = { own: (await addKey(provider, admin.id)).id, clerk: (await addKey(provider, clerk.id)).id };
  const hook = { name: "Ledger", url: "https://hooks.example/sealdesk", events: ["document.issued"] };
  const params = { id: (await call("createWebhook", { token: admin.token, body: hook })).json.id };
  await call("disableWebhook", { token: admin.token, params });
  await companySigner(provider.services, id);
  const { id: sealKey } = (await call("listSealKeys", { token: admin.token })).json[0];
  const emails = table([
    ["ID", "Email"],
    [`${clerk.id}`, "imported@company.example"],
  ]);
  const { json: imported } = await call("createImport", { token: admin.token, body: importForm("users", emails) });
  const removed = await user(id, { group: "Administrator", name: "Rosa Removed" });
  await call("removeUser", { token: admin.token, params: { id: removed.id } });
  const groups = { act: "group", ids: String(clerk.id), group: "Branch Inspector" };
  const { json: regrouped } = await call("startUserActions", { token: admin.token, body: groups });
  clock.now = new Date(clock.now.getTime() + minutesInMs(minutes));
  const before = { name: clerk.name, email: clerk.email, staff: "Branch Inspector" };
  const spareGroup = { params: { id: spare.id }, body: { name: "Renamed" } };
  const clerkWith = (change: object) => ({ params: { id: clerk.id }, body: { ...before, ...change } });
  const sensitiveCalls: [CallName, object][] = [
    ["createOwnKey", { body: { name: "Ledger", expires_on: "2027-01-01", scope: "read", areas: ["docs"] } }],
    ["revokeOwnKey", { params: { id: keys.own } }],
    ["revokeUserKey", { params: { id: clerk.id, key: keys.clerk } }],
    ["createAccessGroup", { body: { name: "Another" } }],
    ["updateAccessGroup", spareGroup],
    ["changeTariff", { body: { tariff: 5 } }],
    ["updateUser", clerkWith({ staff: "Administrator" })],
    ["updateUser", clerkWith({ staff: "Administrator", ...secret })],
    ["createUser", { body: { name: "New", email: "new@company.example", staff: "Accountant", ...secret } }],
    ["undoBulkAction", { params: { id: regrouped.id } }],
    ["startUserActions", { body: { act: "group", ids: String(clerk.id), group: "Accountant" } }],
    ["createUser", { body: { name: "Nora", email: "nora@company.example", staff: "Administrator" } }],
    ["reactivateUser", { params: { id: removed.id } }],
    ["startUserActions", { body: { act: "reactivate", ids: String(removed.id) } }],
    ["removeAccessGroup", { params: { id: spare.id } }],
    ["createWebhook", { body: { ...hook, name: "Other" } }],
    ["updateWebhook", { params, body: { ...hook, name: "Renamed" } }],
    ["rotateWebhookKey", { params, body: {} }],
    ["enableWebhook", { params }],
    ["removeWebhook", { params }],
    ["changeEmail", { body: { email: "ada@new.example" } }],
    ["updateProfile", { body: { name: "Ada", email: "ada@other.example" } }],
    ["updateUser", clerkWith({ staff: "Administrator", email: "cora@new.example" })],
    ["applyImport", { params: { id: imported.id } }],
    ["rotateSealKey", {}],
    ["revokeSealKey", { params: { id: sealKey }, body: { revoked_reason: "superseded" } }],
    ["setIdentityProvider", { body: { issuer: issuer.url, client_id: clientId, client_secret: clientSecret } }],
    ["removeIdentityProvider", {}],
  ];
  const send = async (name: CallName, input: object) => {
    const { status, json } = await provider.call(name, { token: admin.token, ...input });
    return { status, json };
  };
  const state = async () =>
    JSON.stringify([
      await db.selectFrom("access_groups").selectAll().orderBy("id").execute(),
      await db.selectFrom("users").selectAll().orderBy("id").execute(),
      await db.selectFrom("companies").select("tariff_id").execute(),
      await db.selectFrom("api_keys").selectAll().orderBy("id").execute(),
      await db.selectFrom("webhooks").selectAll().orderBy("id").execute(),
      await db.selectFrom("webhook_keys").selectAll().orderBy("id").execute(),
      await db.selectFrom("email_changes").selectAll().execute(),
      await db.selectFrom("imports").select(["id", "status"]).execute(),
      await db.selectFrom("seal_keys").selectAll().orderBy("id").execute(),
      await db.selectFrom("identity_providers").selectAll().execute(),
    ]);
  return { ...provider, companyId: id, admin, clerk, clerkWith, sent: sensitiveCalls, send, state };
}

suite("A sign-in of more than ten minutes ago", () => {
  test("is not enough for rights, passwords, emails, the tariff, keys, webhooks and single sign-on: nothing changes", async () => {
    const { sent: sensitiveCalls, send, state } = await afterMinutes(10);
    const before = await state();
    for (const [name, input] of sensitiveCalls) {
      expect(await send(name, input), name).toEqual({ status: 403, json: proofNeeded });
    }
    expect(await state()).toBe(before);
  });

  test("is enough with a proof, and just before", async () => {
    for (const minutes of [9, 60]) {
      const { call, admin, sent: sensitiveCalls, send } = await afterMinutes(minutes);
      if (minutes > 10) await call("prove", { token: admin.token, body: { current_password: password } });
      for (const [name, input] of sensitiveCalls) expect((await send(name, input)).status, name).toBeLessThan(300);
    }
  });

  test("is enough for other changes of users and of oneself, and to invite one", async () => {
    const { send, clerkWith, admin } = await afterMinutes(60);
    expect((await send("updateProfile", { body: { name: "Ada Other", email: admin.email } })).status).toBe(200);
    expect((await send("updateUser", clerkWith({ role: "Porter" }))).status).toBe(200);
    const invited = { name: "New", email: "new@company.example", staff: "Accountant" };
    expect((await send("createUser", { body: invited })).status).toBe(201);
  });

  test("is not enough to invite again who may do what needs a proof, or at another address", async () => {
    const { call, admin, clock, send } = await afterMinutes(0);
    const pending = { name: "Nora", email: "nora@company.example", staff: "Administrator" };
    const { json } = await call("createUser", { token: admin.token, body: pending });
    clock.now = new Date(clock.now.getTime() + minutesInMs(10));
    const params = { id: json.id };
    expect(await send("inviteUser", { params })).toEqual({ status: 403, json: proofNeeded });
    const elsewhere = { ...pending, email: "mallory@company.example" };
    expect(await send("updateUser", { params, body: elsewhere })).toEqual({ status: 403, json: proofNeeded });
  });

  test.each([
    ["changes an access group", "", "Administrator", true],
    ["adds who may do what needs a proof", "new@company.example", "Administrator", true],
    ["adds another user", "new@company.example", "Accountant", false],
  ])("is known to an import that %s", async (_, newEmail, staff, needsProof) => {
    const { call, company, user } = await testProvider();
    const { id, admin } = await company();
    const clerk = await user(id, { group: "Accountant", name: "Cora Clerk" });
    const rows = table([
      ["Name", "Email", "Access group"],
      [clerk.name, newEmail || clerk.email, staff],
    ]);
    const { json } = await call("createImport", { token: admin.token, body: importForm("users", rows) });
    expect(json).toMatchObject({ needs_proof: needsProof, counts: { refused: 0 } });
  });

  test("is not enough in the transaction that changes an email either", async () => {
    const { services, companyId, admin, clerk, clerkWith } = await afterMinutes(10);
    const caller = { company_id: companyId, session: tokenHash(admin.token), access: "signed-in" } as const;
    const own = { input: updateProfile.body.parse({ name: "Ada", email: "ada@new.example" }), image: {} };
    await expect(changeProfile(services, caller, own)).rejects.toMatchObject({ kind: "proof" });
    const input = updateUser.body.parse(clerkWith({ email: "cora@new.example" }).body);
    await expect(changeUser(services, caller, clerk.id, { input, image: {} })).rejects.toMatchObject({ kind: "proof" });
  });

  test("needs the second factor as well if the password used to be enough", async () => {
    const { call, admin, clock } = await afterMinutes(0);
    const factor = await withSecondFactor({ call, clock }, admin);
    clock.now = new Date(clock.now.getTime() + minutesInMs(60));
    const change = { token: admin.token, body: { email: "other@company.example" } };
    expect((await call("changeEmail", change)).json).toEqual(proofNeeded);
    const alone = await call("prove", { token: admin.token, body: { current_password: password } });
    expect([alone.status, Object.keys(alone.json.errors)]).toEqual([422, ["code"]]);
    expect((await call("changeEmail", change)).json).toEqual(proofNeeded);
    const proof = { current_password: password, code: factor.showsNow() };
    expect((await call("prove", { token: admin.token, body: proof })).status).toBe(204);
    expect((await call("changeEmail", change)).status).toBe(204);
  });

  test("is said to the web app, which asks for a proof before it sends files of many rows", async () => {
    const { call, admin, clock } = await afterMinutes(60);
    const until = async () => (await call("currentUser", { token: admin.token })).json.proved_until;
    expect(await until()).toBe("2026-11-21T10:10:00.000Z");
    await call("prove", { token: admin.token, body: { current_password: password } });
    expect(await until()).toBe(new Date(clock.now.getTime() + minutesInMs(10)).toISOString());
  });

  test("is refused in the OpenAPI document's words: x-proof", async () => {
    const { call } = await testProvider();
    const { paths } = (await call("openapi")).json;
    const declared = Object.values<Call>(calls).filter(({ proof }) => proof);
    expect(declared.length).toBeGreaterThan(5);
    for (const { method, path } of declared) {
      expect(paths[`/api${path}`][method.toLowerCase()], path).toHaveProperty("x-proof", true);
    }
  });
});
