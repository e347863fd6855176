import { X509Certificate } from "node:crypto";
import { generate } from "selfsigned";
import { describe, expect, test } from "vitest";
import { withSecondFactor } from "#tests/fixtures/one-time-codes.ts";
import { hasDatabase, password, testProvider } from "#tests/fixtures/provider.ts";
import { softPasskey } from "#tests/fixtures/soft-passkey.ts";
import { minutesInMs } from "#lib/units.ts";

const suite = describe.runIf(hasDatabase());

const firefox = { token: "a browser’s token", label: "Firefox on Windows" };
const safari = { token: "another’s", label: "Safari on iPhone" };
const ours = { host: "sealdesk.example", origin: "https://sealdesk.example" };
type Behaviour = Parameters<ReturnType<typeof softPasskey>["get"]>[1];

/** An administrator with a passkey. */
async function withPasskey() {
  const provider = await testProvider();
  const { call, clock, company } = provider;
  const { id, admin } = await company();
  const key = softPasskey(ours);
  const { token } = admin;
  const add = async (one = key, behaviour: Behaviour = {}, name = "Work laptop") => {
    const { json } = await call("passkeyOptions", { token, browser: firefox });
    const body = { name, response: one.create(json.options, behaviour) };
    return call("addPasskey", { token, browser: firefox, body });
  };
  const added = await add();
  expect(added.status, JSON.stringify(added.json)).toBe(201);
  const requestOptions = async () => (await call("signInOptions", { browser: firefox })).json.options;
  const signIn = (response: string, browser = firefox) => call("signInByPasskey", { browser, body: { response } });
  const later = (ms: number) => void (clock.now = new Date(clock.now.getTime() + ms));
  return { ...provider, companyId: id, admin, key, add, added: added.json, requestOptions, signIn, later };
}

suite("POST /login/passkey/options", () => {
  test("asks for any passkey of this site, and a check of the user", async () => {
    const { requestOptions } = await withPasskey();
    const options = await requestOptions();
    expect(options).toMatchObject({ rpId: ours.host, userVerification: "required" });
    expect(options.allowCredentials ?? []).toEqual([]);
    expect((await requestOptions()).challenge).not.toBe(options.challenge);
  });

  test("is not offered if browsers have no passkeys", async () => {
    for (const publicUrl of ["http://sealdesk.example", "https://192.0.2.7"]) {
      const { call } = await testProvider({ publicUrl });
      expect((await call("signInOptions")).status).toBe(404);
    }
  });
});

suite("POST /login/passkey", () => {
  test("signs in without a password, and counts as both factors", async () => {
    const { call, db, clock, admin, key, requestOptions, signIn } = await withPasskey();
    await withSecondFactor({ call, clock }, admin);
    await db.updateTable("access_groups").set({ requires_second_factor: 1 }).execute();
    const { status, json } = await signIn(key.get(await requestOptions()));
    expect([status, json.user?.id]).toEqual([200, admin.id]);
    expect((await call("listDocuments", { token: json.token })).status).toBe(200);
    expect((await call("listPasskeys", { token: json.token })).json[0].last_used_at).toBe(clock.now.toISOString());
  });

  test("refuses another site's, an unverified user, a used or late challenge, and another browser's", async () => {
    const { key, requestOptions, signIn, later } = await withPasskey();
    const refuses = async (response: string, browser = firefox) =>
      expect((await signIn(response, browser)).status).toBe(422);
    await refuses(key.get(await requestOptions(), { origin: "https://sealdesk.example.evil.example" }));
    await refuses(key.get(await requestOptions(), { origin: "http://sealdesk.example" }));
    await refuses(key.get(await requestOptions(), { host: "evil.example" }));
    await refuses(key.get(await requestOptions(), { isUserVerified: false }));
    await refuses(key.get(await requestOptions()), safari);
    await refuses(key.get({ challenge: "bWFkZS11cA" }));
    const response = key.get(await requestOptions());
    expect((await signIn(response)).status).toBe(200);
    await refuses(response);
    const lateAssertion = key.get(await requestOptions());
    later(minutesInMs(5));
    await refuses(lateAssertion);
  });

  test("refuses unknown keys, wrong signatures, and invalid replies", async () => {
    const { key, requestOptions, signIn } = await withPasskey();
    expect((await signIn(softPasskey(ours).get(await requestOptions()))).status).toBe(422);
    const forged = JSON.parse(key.get(await requestOptions()));
    forged.response.signature = JSON.parse(key.get(await requestOptions())).response.signature;
    for (const response of [JSON.stringify(forged), "{}", "null", "[]", "not JSON", '{"id":7}', '{"id":"a"}']) {
      expect((await signIn(response)).status, response.slice(0, 20)).toBe(422);
    }
    expect((await signIn("x".repeat(20_001))).status).toBe(422);
  });

  test("refuses a counter that goes back, as that of a copied key", async () => {
    const { key, requestOptions, signIn } = await withPasskey();
    expect((await signIn(key.get(await requestOptions(), { counter: 7 }))).status).toBe(200);
    expect((await signIn(key.get(await requestOptions(), { counter: 6 }))).status).toBe(422);
    expect((await signIn(key.get(await requestOptions(), { counter: 8 }))).status).toBe(200);
  });

  test("refuses those of removed users", async () => {
    const { db, admin, key, requestOptions, signIn } = await withPasskey();
    await db.updateTable("users").set({ active: 0 }).where("id", "=", admin.id).execute();
    expect((await signIn(key.get(await requestOptions()))).status).toBe(422);
  });
});

suite("GET /profile/passkeys", () => {
  test("lists the caller's own, without their keys", async () => {
    const { call, admin, added, companyId, user } = await withPasskey();
    const { json } = await call("listPasskeys", { token: admin.token });
    expect(json).toEqual([added]);
    expect(added).toMatchObject({ name: "Work laptop", last_used_at: null });
    expect((await call("listPasskeys", { token: (await user(companyId)).token })).json).toEqual([]);
  });
});

suite("POST /profile/passkeys/options", () => {
  test("names the account, excludes known passkeys, and needs a user who is present", async () => {
    const { call, admin, key, later } = await withPasskey();
    const { json } = await call("passkeyOptions", { token: admin.token });
    const keyId = key.id;
    expect(json.options).toMatchObject({
      rp: { id: ours.host },
      user: { name: admin.email },
      excludeCredentials: [expect.objectContaining({ id: keyId })],
      authenticatorSelection: { userVerification: "required", residentKey: "required" },
    });
    later(minutesInMs(10));
    expect((await call("passkeyOptions", { token: admin.token })).json.kind).toBe("proof");
  });
});

suite("POST /profile/passkeys", () => {
  test("adds several, notifies the user, and records it", async () => {
    const { call, admin, add, mails, db } = await withPasskey();
    expect((await add(softPasskey(ours), {}, "Phone")).status).toBe(201);
    expect((await call("listPasskeys", { token: admin.token })).json).toHaveLength(2);
    expect(mails.at(-1)!.subject).toBe("A passkey was added to your Sealdesk account");
    const entries = db.selectFrom("audit").where("action", "=", "passkey added").select("entity_id");
    expect(await entries.execute()).toEqual([{ entity_id: admin.id }, { entity_id: admin.id }]);
  });

  test("refuses another site's, an unverified user, one that was added before, and a twenty-first", async () => {
    const { call, admin, add, key } = await withPasskey();
    expect((await add(softPasskey(ours), { origin: "https://evil.example" })).status).toBe(422);
    expect((await add(softPasskey(ours), { host: "evil.example" })).status).toBe(422);
    expect((await add(softPasskey(ours), { isUserVerified: false })).status).toBe(422);
    expect((await add(softPasskey(ours), {}, " ")).json.errors).toHaveProperty("name");
    expect((await add(key)).status).toBe(409);
    for (let n = 1; n < 20; n++) expect((await add(softPasskey(ours), {}, `Key ${n}`)).status).toBe(201);
    expect((await call("passkeyOptions", { token: admin.token })).status).toBe(409);
  });

  test("accepts a key that vouches for itself, and refuses the certificates of makers, which name addresses", async () => {
    const { add } = await withPasskey();
    expect((await add(softPasskey(ours), { attestation: "its own" })).status).toBe(201);
    const subject = Object.entries({ CN: "Key", O: "Maker", C: "DE", OU: "Authenticator Attestation" });
    const { cert, private: privateKey } = await generate(
      subject.map(([shortName, value]) => ({ shortName, value })),
      { keyType: "ec", curve: "P-256", algorithm: "sha256", extensions: [{ name: "basicConstraints", cA: false }] },
    );
    const attestation = { certificate: new X509Certificate(cert).raw, privateKey };
    expect((await add(softPasskey(ours), { attestation })).status).toBe(422);
  });

  test("refuses the challenge of another user", async () => {
    const { call, user, companyId, admin } = await withPasskey();
    const other = await user(companyId);
    const { json } = await call("passkeyOptions", { token: other.token });
    const body = { name: "Stolen", response: softPasskey(ours).create(json.options) };
    expect((await call("addPasskey", { token: admin.token, body })).status).toBe(422);
    expect((await call("addPasskey", { token: other.token, body })).status).toBe(201);
  });
});

suite("DELETE /profile/passkeys/{id}", () => {
  test("removes the caller's own alone, which then signs in no more", async () => {
    const { call, admin, added, user, companyId, key, requestOptions, signIn } = await withPasskey();
    const params = { id: added.id };
    const other = await user(companyId);
    expect((await call("removePasskey", { token: other.token, params })).status).toBe(404);
    expect((await call("removePasskey", { token: admin.token, params })).status).toBe(204);
    expect((await signIn(key.get(await requestOptions()))).status).toBe(422);
    expect((await call("removePasskey", { token: admin.token, params })).status).toBe(404);
  });

  test("is done by a colleague who clears the second factor, and not by a new password", async () => {
    const { call, db, user, companyId, admin } = await withPasskey();
    const colleague = await user(companyId);
    const body = {
      old_password: password,
      password: "a new and longer one",
      password_confirmation: "a new and longer one",
    };
    expect((await call("changePassword", { token: admin.token, body })).status).toBe(204);
    expect(await db.selectFrom("passkeys").selectAll().execute()).toHaveLength(1);
    const params = { id: admin.id };
    expect((await call("getUser", { token: colleague.token, params })).json.second_factor).toBe(true);
    expect((await call("clearUserSecondFactor", { token: colleague.token, params })).status).toBe(204);
    expect(await db.selectFrom("passkeys").selectAll().execute()).toEqual([]);
  });
});

suite("POST /profile/proof/passkey/options", () => {
  test("asks for the caller's own passkeys", async () => {
    const { call, admin, key } = await withPasskey();
    const { json } = await call("proofOptions", { token: admin.token });
    const id = key.id;
    expect(json.options.allowCredentials).toEqual([expect.objectContaining({ id })]);
  });
});

suite("POST /profile/proof/passkey", () => {
  test("proves that the user is present, in place of password and one-time code", async () => {
    const { call, admin, key, later, user, companyId } = await withPasskey();
    later(minutesInMs(60));
    const { token } = admin;
    const options = async () => (await call("proofOptions", { token, browser: firefox })).json.options;
    const prove = (response: string, by = token) =>
      call("proveByPasskey", { token: by, browser: firefox, body: { response } });
    const change = () => call("createAccessGroup", { token, body: { name: "Another" } });
    expect((await change()).json.kind).toBe("proof");
    expect((await prove(softPasskey(ours).get(await options()))).status).toBe(422);
    const other = await user(companyId);
    expect((await prove(key.get(await options()), other.token)).status).toBe(422);
    expect((await change()).json.kind).toBe("proof");
    expect((await prove(key.get(await options()))).status).toBe(204);
    expect((await change()).status).toBe(201);
  });
});
