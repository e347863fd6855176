import { describe, expect, test } from "vitest";
import { clientId, clientSecret } from "#tests/fixtures/issuer.ts";
import { hasDatabase, password } from "#tests/fixtures/provider.ts";
import { withIssuer } from "#tests/fixtures/single-sign-on.ts";
import { secretKey } from "#lib/seal/wrapping.ts";
import { rewrapKeys } from "../seal/keys/re-encrypt.ts";

const suite = describe.runIf(hasDatabase());
const verified = { email_verified: true };

/** A company that configured its own identity provider; the operator has none. */
async function withOwn() {
  const fixture = await withIssuer({ operator: undefined });
  const { json } = await fixture.configure();
  const address = new URL(json.sign_in_address).pathname.split("/").at(-1)!;
  return { ...fixture, address, saved: json };
}

suite("GET /company/single-sign-on", () => {
  test("is for administrators, empty at first, and never has the secret", async () => {
    const { call, admin, companyId, group, user, configure } = await withIssuer();
    const first = (await call("getIdentityProvider", { token: admin.token })).json;
    expect(first).toMatchObject({ issuer: "", has_secret: false, sign_in_address: "", version: 0 });
    await configure();
    const { json } = await call("getIdentityProvider", { token: admin.token });
    expect(json).toMatchObject({ has_secret: true, sign_out_address: "https://sealdesk.example/login", version: 1 });
    expect(JSON.stringify(json)).not.toContain(clientSecret);
    await group(companyId, "Almost", { co_profile: "C:R/W", roles: "C:R/C", users: "C:R/W/C" });
    const almost = await user(companyId, { group: "Almost" });
    expect((await call("getIdentityProvider", { token: almost.token })).status).toBe(403);
  });
});

suite("PUT /company/single-sign-on", () => {
  test("lets the company's users sign in at its own unguessable address", async () => {
    const { admin, address, saved, signIn, call, issuer, me } = await withOwn();
    expect(address).toMatch(/^[\w-]{22}$/);
    expect(saved.return_address).toBe(`https://sealdesk.example/login/sso/return/${address}`);
    const { host } = new URL(issuer.url);
    expect((await call("signInWays", { query: { address } })).json.identity_provider).toBe(host);
    expect((await call("signInWays")).json.identity_provider).toBeNull();
    const { json } = await signIn({ sub: "ada", email: admin.email, ...verified }, { address });
    expect((await me(json.token)).id).toBe(admin.id);
  });

  test("stores the secret encrypted, and in no audit entry; it follows a new SEAL_SECRET", async () => {
    const { db, call, admin, services, signIn, address } = await withOwn();
    const stored = async () =>
      (await db.selectFrom("identity_providers").select("client_secret").executeTakeFirstOrThrow()).client_secret!;
    expect(await stored()).not.toContain(clientSecret);
    const { json } = await call("listAudit", { token: admin.token, query: { trail: "changes" } });
    expect(json[0]).toMatchObject({ action: "single sign-on changed", entity: "company" });
    expect(JSON.stringify(json)).not.toContain(clientSecret);
    const before = await stored();
    services.seals.wrappingKeys.unshift(secretKey("the next secret of the seal keys of these tests"));
    await rewrapKeys(db, services.seals.wrappingKeys);
    expect(await stored()).not.toBe(before);
    services.seals.wrappingKeys.pop();
    expect((await signIn({ sub: "ada", email: admin.email, ...verified }, { address })).status).toBe(200);
    services.seals.wrappingKeys.splice(0, 1, secretKey("another secret that decrypts nothing of this"));
    expect((await signIn({ sub: "ada" }, { address })).json.message).toContain("not set up correctly");
  });

  test("keeps the address and the stored secret, and notices another administrator's change", async () => {
    const { configure, saved, admin, signIn, address } = await withOwn();
    const { json } = await configure({ client_secret: "", groups_claim: "", version: 1 });
    expect(json).toMatchObject({ sign_in_address: saved.sign_in_address, groups_claim: "", version: 2 });
    expect((await signIn({ sub: "ada", email: admin.email, ...verified }, { address })).status).toBe(200);
    expect((await configure({ version: 1 })).status).toBe(409);
  });

  test("reports missing values by field", async () => {
    const { configure } = await withIssuer();
    const { json } = await configure({ issuer: "", client_id: "", client_secret: "" });
    expect(Object.keys(json.errors)).toEqual(expect.arrayContaining(["issuer", "client_id"]));
    expect(Object.keys((await configure({ client_secret: "" })).json.errors)).toEqual(["client_secret"]);
    for (const issuer of [
      "ftp://login.example",
      "login.example",
      "https://a:b@login.example",
      "https://login.example?x=1",
    ]) {
      expect((await configure({ issuer })).json.errors).toHaveProperty("issuer");
    }
  });

  test.each([
    "https://169.254.169.254",
    "https://[::ffff:127.0.0.1]",
    "https://127.0.0.1:1",
    "https://0x7f.1",
    "https://2130706433",
    "https://10.0.0.1",
    "https://[::1]",
    "https://[fe80::1]",
    "https://[fc00::1]",
    "https://[64:ff9b::7f00:1]",
    "https://100.64.0.1",
    "https://0.0.0.0",
    "https://localhost",
    "http://login.example",
  ])("does not connect to %s", async (issuer) => {
    const { configure, logged } = await withIssuer();
    const { status, json } = await configure({ issuer });
    expect([status, Object.keys(json.errors)]).toEqual([422, ["issuer"]]);
    expect(logged.at(-1)).toMatchObject({
      event: { reason: expect.stringContaining("public") },
      message: "identity provider not accepted",
    });
  });

  test("refuses an identity provider that leads elsewhere later on", async () => {
    const { issuer, signIn, address, admin } = await withOwn();
    const other = await withOwn();
    // A company's own server may name the address of a private one.
    other.issuer.faults.metadata = { token_endpoint: "http://127.0.0.1:1/token" };
    const { json } = await other.configure({ version: 1 });
    expect(json.version).toBe(2);
    const ended = await other.signIn({ sub: "ada", email: other.admin.email, ...verified }, { address: other.address });
    expect(ended.json.message).toContain("not set up correctly");
    expect(other.logged.at(-1)!.event.reason).toContain("not a public address");
    issuer.faults.answers = {
      "/token": (response) => void response.writeHead(307, { location: "http://127.0.0.1:1" }).end(),
    };
    expect((await signIn({ sub: "ada", email: admin.email, ...verified }, { address })).status).toBe(422);
  });

  test("knows no user of another company: one with an email address of theirs is another user", async () => {
    const { company, signIn, address, mapGroup, call, companyId, me } = await withOwn();
    const other = await company();
    await mapGroup("Administrator", "Owners");
    const { status, json } = await signIn(
      { sub: "spy", name: "Sam Spy", email: other.admin.email, ...verified, groups: ["Owners"] },
      { address },
    );
    expect([status, json.user.id === other.admin.id]).toEqual([200, false]);
    expect((await me(json.token)).company.id).toBe(companyId);
    expect((await call("login", { body: { email: other.admin.email, password } })).json.user.id).toBe(other.admin.id);
    expect((await call("listUsers", { token: other.admin.token })).json).toHaveLength(1);
  });

  test("an answer to one company's sign-in is none to another's, nor is a person", async () => {
    const { signIn, address, call, issuer, company, configure, admin, logged } = await withOwn();
    const other = await company();
    const second = (await configure({}, other.admin.token)).json;
    const otherAddress = new URL(second.sign_in_address).pathname.split("/").at(-1)!;
    const person = { sub: "ada", email: admin.email, ...verified };
    expect((await signIn(person, { address })).status).toBe(200);
    expect((await signIn(person, { address: otherAddress })).status).toBe(422);
    const attempt = (await call("beginSingleSignOn", { body: { address } })).json;
    const body = { address: otherAddress, attempt: attempt.attempt, answer: issuer.authorize(attempt.url, person) };
    expect((await call("endSingleSignOn", { body })).json.message).toContain("Begin again");
    expect(logged.at(-1)!.event.reason).toContain("no such attempt");
  });

  test("switches passwords off for its own users once an administrator came in by it", async () => {
    const { configure, signIn, address, admin, call, company, mails } = await withOwn();
    expect((await configure({ passwords_off: true })).json.errors).toHaveProperty("passwords_off");
    const { token } = (await signIn({ sub: "ada", email: admin.email, ...verified }, { address })).json;
    expect((await configure({ passwords_off: true }, token)).json.passwords_off).toBe(true);
    const sole = `https://sealdesk.example/login/at/${address}`;
    const signInBy = (email: string, issuer: string) => call("login", { body: { email, password: issuer } });
    expect((await signInBy(admin.email, password)).json.message).toContain(sole);
    // Only who knows the password learns of it.
    expect((await signInBy(admin.email, "not the password")).json.message).not.toContain("single sign-on");
    const other = await company();
    expect((await signInBy(other.admin.email, password)).status).toBe(200);
    await call("forgotPassword", { body: { email: admin.email } });
    expect(mails.at(-1)!.text).toContain(sole);
  });

  test("forgets who is who at an identity provider that is no longer the company's", async () => {
    const { db, configure, signIn, address, admin } = await withOwn();
    await signIn({ sub: "ada", email: admin.email, ...verified }, { address });
    const identities = async () => (await db.selectFrom("identities").select("id").execute()).length;
    await configure({ client_id: clientId });
    expect(await identities()).toBe(1);
    await db.updateTable("identity_providers").set({ issuer: "https://earlier.example" }).execute();
    await configure();
    expect(await identities()).toBe(0);
  });

  test("needs a proof when the sign-in is older than ten minutes, before it asks the identity provider", async () => {
    const { configure, call, admin, clock, db } = await withIssuer();
    clock.now = new Date(clock.now.getTime() + 11 * 60_000);
    expect((await configure({ issuer: "https://169.254.169.254" })).json.kind).toBe("proof");
    expect(await db.selectFrom("identity_providers").selectAll().execute()).toEqual([]);
    await call("prove", { token: admin.token, body: { current_password: password } });
    expect((await configure()).status).toBe(200);
  });
});

suite("POST /company/single-sign-on/remove", () => {
  test("gives the company's users passwords again, and closes the old address", async () => {
    const { call, admin, address, signIn, db } = await withOwn();
    await signIn({ sub: "ada", email: admin.email, ...verified }, { address });
    for (const _ of [1, 2]) {
      expect((await call("removeIdentityProvider", { token: admin.token })).status).toBe(204);
    }
    expect((await call("beginSingleSignOn", { body: { address } })).status).toBe(422);
    expect((await call("login", { body: { email: admin.email, password } })).status).toBe(200);
    expect(await db.selectFrom("identities").select("id").execute()).toEqual([]);
    const { json } = await call("listAudit", { token: admin.token, query: { trail: "changes" } });
    expect(json.filter(({ action }: { action: string }) => action === "single sign-on removed")).toHaveLength(1);
  });
});
