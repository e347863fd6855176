import { X509Certificate, createHash, createPublicKey, verify } from "node:crypto";
import { describe, expect, test } from "vitest";
import { hasDatabase, testProvider } from "#tests/fixtures/provider.ts";
import { secretKey } from "#lib/seal/wrapping.ts";
import { daysInMs } from "#lib/units.ts";
import { useNextKeys } from "./next-keys.ts";
import { issueToken } from "../../sessions/tokens.ts";
import { companySigner } from "./signer.ts";

const suite = describe.runIf(hasDatabase());

/** A company that has sealed, and whose administrator has just signed in. */
async function fixture() {
  const provider = await testProvider();
  const { id, name, admin } = await provider.company("Hallam Surveyors");
  const signer = () => companySigner(provider.services, id);
  const { shortId } = await signer();
  const call = (name: Parameters<typeof provider.call>[0], input: object = {}) =>
    provider.call(name, { token: admin.token, ...input });
  const list = async () => (await call("listSealKeys")).json;
  const trail = async () =>
    (await provider.db.selectFrom("audit").where("action", "like", "seal key%").selectAll().execute()).map(
      ({ action, entity, entity_name, actor, changes }) => [action, entity, entity_name, actor, JSON.parse(changes)],
    );
  const advance = (ms: number) => void (provider.clock.now = new Date(provider.clock.now.getTime() + ms));
  const published = async () => (await provider.call("publishedSealKeys")).json.keys;
  const runJob = () => useNextKeys(provider.services, new AbortController().signal);
  /** Lets time pass, the job run, and the administrator sign in again. */
  const later = async (ms: number) => {
    advance(ms);
    await runJob();
    admin.token = await issueToken(provider.db, "session", admin.id, provider.clock.now);
  };
  const rotate = async () => {
    const { json } = await call("rotateSealKey");
    await later(daysInMs(1));
    return json;
  };
  const states = async () => (await list()).map(({ state }: { state: string }) => state);
  return {
    ...provider,
    runJob,
    later,
    rotate,
    states,
    id,
    name,
    admin,
    signer,
    shortId,
    call,
    list,
    trail,
    advance,
    published,
  };
}

suite("GET /company/seal-keys", () => {
  test("is empty before the first seal", async () => {
    const { call, company } = await testProvider();
    const { admin } = await company();
    expect((await call("listSealKeys", { token: admin.token })).json).toEqual([]);
  });

  test("shows the company's keys with the fingerprint of the certificate, never a private part", async () => {
    const { signer, list, company, services } = await fixture();
    await companySigner(services, (await company()).id);
    const [key, ...more] = await list();
    expect(more).toEqual([]);
    const { chain, shortId } = await signer();
    expect(key).toEqual({
      id: expect.any(Number),
      short_id: shortId,
      thumbprint: expect.stringMatching(/^[\w-]{43}$/),
      fingerprint: new X509Certificate(chain[0]!).fingerprint256,
      state: "active",
      since: "2026-11-21T10:00:00.000Z",
      used_from: "2026-11-21T10:00:00.000Z",
      ended_at: null,
      revoked_reason: null,
      is_outdated: false,
      reaches_readers: true,
    });
  });
});

suite("PUT /company/seal-keys/name", () => {
  test("has the published keys bear the company's name, and no longer, and is audited", async () => {
    const { call, published, company, services, db, name } = await fixture();
    await companySigner(services, (await company("Another Ltd")).id);
    const names = async () => (await published()).map(({ iss_name }: { iss_name?: string }) => iss_name);
    expect(await names(), "no company is named at first").toEqual([undefined, undefined]);
    expect((await call("nameSealKeys", { body: { name_beside_keys: true } })).status).toBe(204);
    await call("nameSealKeys", { body: { name_beside_keys: true } });
    expect(await names()).toEqual([name, undefined]);
    expect((await call("getCompany")).json.name_beside_keys).toBe(true);
    await call("nameSealKeys", { body: { name_beside_keys: false } });
    expect(await names()).toEqual([undefined, undefined]);
    const { json } = await call("listAudit", { query: { action: "seal key naming" } });
    expect(
      json.map(({ entity_name, changes }: { entity_name: string; changes: object[] }) => [entity_name, changes]),
    ).toEqual([
      [name, [{ field: "name_beside_keys", before: true, after: false }]],
      [name, [{ field: "name_beside_keys", before: false, after: true }]],
    ]);
    expect(await db.selectFrom("companies").where("name_beside_keys", "=", 1).selectAll().execute()).toEqual([]);
  });

  test("is not named as a change that came between, because it is none of the profile", async () => {
    const { call, user, id } = await fixture();
    const colleague = await user(id, { name: "Nora Namer", group: "Administrator" });
    const { email, phone, country, city, index, address, version } = (await call("getCompany")).json;
    const profile = { email, phone, country, city, index, address, version };
    await call("updateCompany", { body: { ...profile, name: "Hallam" } });
    await call("nameSealKeys", { token: colleague.token, body: { name_beside_keys: true } });
    const stale = await call("updateCompany", { body: { ...profile, name: "Hallam & Sons" } });
    expect([stale.status, stale.json.message]).toEqual([409, expect.stringContaining("Ada Admin changed this at")]);
  });
});

suite("POST /company/seal-keys/rotate", () => {
  test("publishes a new key, which signs a day later; the earlier one is retired then and stays published", async () => {
    const { call, list, states, signer, shortId, published, db, advance, runJob, later } = await fixture();
    advance(1000);
    const { status, json } = await call("rotateSealKey");
    expect([status, json.state, json.used_from]).toEqual([201, "next", "2026-11-22T10:00:01.000Z"]);
    expect(await published()).toMatchObject([{}, { kid: json.thumbprint, nbf: 1795341601 }]);
    await later(daysInMs(1) - 1);
    expect([await states(), (await signer()).shortId]).toEqual([["next", "active"], shortId]);
    advance(1);
    await Promise.all([runJob(), runJob()]);
    expect(await list()).toMatchObject([
      { short_id: json.short_id, state: "active", used_from: "2026-11-22T10:00:01.000Z" },
      { short_id: shortId, state: "retired", ended_at: "2026-11-22T10:00:01.000Z" },
    ]);
    expect((await signer()).shortId).toBe(json.short_id);
    expect(await published()).toHaveLength(2);
    const retired = db.selectFrom("seal_keys").where("short_id", "=", shortId).select("private_key");
    expect(await retired.executeTakeFirst()).toEqual({ private_key: null });
  });

  test("makes no other key while one is next", async () => {
    const { call, states } = await fixture();
    const { json } = await call("rotateSealKey");
    const refused = await call("rotateSealKey");
    expect([refused.status, refused.json.message]).toEqual([
      409,
      `Key ${json.short_id} is published already and will be used from 22-11-2026, 10:00`,
    ]);
    expect(await states()).toEqual(["next", "active"]);
  });

  test("makes the first key if there is none", async () => {
    const { call, company } = await testProvider();
    const { admin } = await company();
    const { status, json } = await call("rotateSealKey", { token: admin.token });
    expect([status, json.state]).toEqual([201, "active"]);
  });

  test("is audited with both keys", async () => {
    const { rotate, shortId, trail, name, call } = await fixture();
    const { short_id } = await rotate();
    const keyChanges = [{ field: "next_seal_key", before: null, after: short_id }];
    const used = [{ field: "seal_key", before: shortId, after: short_id }];
    expect(await trail()).toEqual([
      ["seal key made", "company", name, "Ada Admin", keyChanges],
      ["seal key rotated", "company", name, "Sealdesk", used],
    ]);
    const { json: entries } = await call("listAudit", { query: { action: "seal key" } });
    expect(entries.map(({ changes }: { changes: object[] }) => changes)).toEqual([used, keyChanges]);
  });

  test("is limited, because keys stay published for ever", async () => {
    const { call, company } = await fixture();
    for (let n = 0; n < 10; n++) await call("rotateSealKey");
    expect((await call("rotateSealKey")).json.message).toMatch(/^Too many new keys\. Try again in /);
    const { admin } = await company();
    expect((await call("rotateSealKey", { token: admin.token })).status).toBe(201);
  });

  test("leaves the key as it is when the operator has lost the secret, and says whom to ask", async () => {
    const errors: unknown[] = [];
    const log = { info: () => {}, warn: () => {}, error: (event: unknown) => void errors.push(event) };
    const { services, call, company } = await testProvider({ log });
    const { id, admin } = await company();
    await companySigner(services, id);
    services.seals.wrappingKeys = [secretKey("another secret of this test")];
    const refused = await call("rotateSealKey", { token: admin.token });
    expect([refused.status, refused.json.message]).toEqual([
      503,
      "New keys can’t be made now: ask the person who runs Sealdesk for you",
    ]);
    expect((await call("listSealKeys", { token: admin.token })).json[0].state).toBe("active");
    expect(JSON.stringify(errors)).toContain("encrypted with another SEAL_SECRET");
  });
});

suite("POST /company/seal-keys/{id}/revoke", () => {
  test("revokes the key in use, publishes when and why, and the next seal has a new one", async () => {
    const { call, list, signer, shortId, published, advance, trail, name } = await fixture();
    const [{ id }] = await list();
    advance(1000);
    const input = { params: { id }, body: { revoked_reason: "compromised" } };
    const { status, json } = await call("revokeSealKey", input);
    expect([status, json.state, json.revoked_reason]).toEqual([200, "revoked", "compromised"]);
    expect(await published()).toMatchObject([{ revoked_at: 1795255201, revoked_reason: "compromised" }]);
    expect((await signer()).shortId).not.toBe(shortId);
    const changes = [
      { field: "seal_key", before: shortId, after: null },
      { field: "revoked_reason", before: null, after: "compromised" },
    ];
    expect(await trail()).toEqual([["seal key revoked", "company", name, "Ada Admin", changes]]);
    expect((await call("revokeSealKey", input)).status).toBe(409);
  });

  test("revokes a retired key too", async () => {
    const { call, list, rotate, states } = await fixture();
    const [{ id }] = await list();
    await rotate();
    await call("revokeSealKey", { params: { id }, body: { revoked_reason: "unspecified" } });
    expect(await states()).toEqual(["active", "revoked"]);
  });

  test("uses the next key at once, if the one in use is revoked", async () => {
    const { call, list, shortId, states, signer, trail } = await fixture();
    const [{ id }] = await list();
    const { json: next } = await call("rotateSealKey");
    await call("revokeSealKey", { params: { id }, body: { revoked_reason: "compromised" } });
    expect(await states()).toEqual(["active", "revoked"]);
    expect((await signer()).shortId).toBe(next.short_id);
    const [, , , , changes] = (await trail()).at(-1)!;
    expect(changes).toContainEqual({ field: "seal_key", before: shortId, after: next.short_id });
  });

  test("revokes the next key alone, and another one can be made", async () => {
    const { call, states, signer, shortId, later } = await fixture();
    const { json: next } = await call("rotateSealKey");
    await call("revokeSealKey", { params: { id: next.id }, body: { revoked_reason: "superseded" } });
    await later(daysInMs(1));
    expect([await states(), (await signer()).shortId]).toEqual([["revoked", "active"], shortId]);
    expect((await call("rotateSealKey")).json.state).toBe("next");
  });

  test("needs a reason", async () => {
    const { call, list } = await fixture();
    const [{ id }] = await list();
    const unreasoned = await call("revokeSealKey", { params: { id }, body: { revoked_reason: "bored" } });
    expect([unreasoned.status, unreasoned.json.errors]).toEqual([422, { revoked_reason: ["Choose a reason"] }]);
    expect((await list())[0].state).toBe("active");
  });

  test("finds no key of another company", async () => {
    const { call, list, company } = await fixture();
    const [{ id }] = await list();
    const { admin } = await company();
    const input = { token: admin.token, params: { id }, body: { revoked_reason: "unspecified" } };
    expect((await call("revokeSealKey", input)).status).toBe(404);
    expect((await list())[0].state).toBe("active");
  });
});

suite("GET /seals/keys", () => {
  test("has what verifies a signed code, with the whole thumbprint and without the company's name", async () => {
    const { signer, published } = await fixture();
    const [key, ...more] = await published();
    expect(more).toEqual([]);
    expect(key).toEqual({
      kty: "EC",
      crv: "P-256",
      x: expect.any(String),
      y: expect.any(String),
      alg: "ES256",
      use: "sig",
      kid: createHash("sha256").update(`{"crv":"P-256","kty":"EC","x":"${key.x}","y":"${key.y}"}`).digest("base64url"),
      "x5t#S256": expect.stringMatching(/^[\w-]{43}$/),
      status_list: `https://sealdesk.example/.well-known/status-lists/${key.kid}`,
      nbf: 1795255200,
    });
    const message = Buffer.from("a code");
    const signature = await (await signer()).signCode(message);
    const publicKey = createPublicKey({ key, format: "jwk" });
    expect(verify("sha256", message, { key: publicKey, dsaEncoding: "ieee-p1363" }, signature)).toBe(true);
  });

  test("is limited for each network", async () => {
    const { call } = await testProvider({}, { points: (limit, usual) => (limit === "seal_keys" ? 2 : usual) });
    const statuses = [];
    for (let n = 0; n < 3; n++) statuses.push((await call("publishedSealKeys")).status);
    expect(statuses).toEqual([200, 200, 429]);
  });
});

suite("GET /seals/roots", () => {
  test("has the certificates that a reader can trust, the newest first", async () => {
    const { signer, call } = await fixture();
    const { json } = await call("publishedSealRoots");
    const root = new X509Certificate((await signer()).chain[1]!);
    expect(json).toEqual([
      {
        subject: "Root certificate of sealdesk.example",
        certificate: root.toString(),
        fingerprint: root.fingerprint256,
        since: "2026-11-21T10:00:00.000Z",
        retired_at: null,
      },
    ]);
  });
});
