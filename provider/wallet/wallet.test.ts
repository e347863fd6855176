import { createHash, randomBytes } from "node:crypto";
import { exportJWK, generateKeyPair, SignJWT } from "jose";
import { describe, expect, test } from "vitest";
import { hasDatabase } from "#tests/fixtures/provider.ts";
import { alteredAt, payloadOf } from "#tests/fixtures/credentials.ts";
import { withWallet } from "#tests/fixtures/wallets.ts";
import { makeCredential } from "#lib/seal/sd-jwt.ts";
import { minutesInMs } from "#lib/units.ts";
import { companySigner } from "../seal/keys/signer.ts";
import { keyOf } from "./issuers.ts";

const suite = describe.runIf(hasDatabase());

suite("GET /company/wallet", () => {
  test("says that wallets are off until the company turns them on", async () => {
    const { company, call } = await withWallet();
    const { admin } = await company();
    expect((await call("getWallet", { token: admin.token })).json).toEqual({ active: false, fields: [] });
  });
});

suite("PUT /company/wallet", () => {
  test("turns wallets on, with an entry of the audit trail", async () => {
    const { call, admin } = await withWallet(["code", "branch"]);
    const { token } = admin;
    expect((await call("getWallet", { token })).json).toEqual({ active: true, fields: ["branch", "code"] });
    const { json } = await call("listAudit", { token, query: { action: "wallets changed" } });
    expect(json[0].changes).toEqual([
      { field: "wallet", before: false, after: true },
      { field: "wallet_fields", before: null, after: "branch, code" },
    ]);
  });

  test("makes no offers any more, and redeems none, once they are off again; what is in wallets stays genuine", async () => {
    const { call, admin, document, credential, tokenFor, proof, fetchBy } = await withWallet();
    const [held, { issuer, token }] = [await credential(), await tokenFor()];
    await call("updateWallet", { token: admin.token, body: { active: false } });
    const offer = await call("createWalletOffer", { token: admin.token, params: { id: document.id } });
    expect([offer.status, offer.json.message]).toEqual([409, expect.stringContaining("turned off")]);
    const fetched = await fetchBy(token, await proof(issuer));
    expect([fetched.status, fetched.json.error]).toEqual([400, "credential_request_denied"]);
    const params = { issuer: issuer.split("/").at(-1)!, metadata: "openid-credential-issuer" };
    expect((await call("walletMetadata", { params })).status).toBe(404);
    expect((await call("checkCredential", { body: { credential: held } })).json.verdict).toBe("in force");
  });
});

suite("POST /documents/{id}/wallet-offers", () => {
  test("offers a document in force alone, and records who made the offer", async () => {
    const { call, admin, document, offer } = await withWallet();
    const { token } = admin;
    await offer();
    const { json } = await call("listAudit", { token, query: { action: "wallet offer made" } });
    expect(json).toMatchObject([{ entity: "document", entity_id: document.id, changes: [] }]);
    await call("exitDocument", { token, params: { id: document.id }, body: {} });
    const refused = await call("createWalletOffer", { token, params: { id: document.id } });
    expect([refused.status, refused.json.message]).toEqual([409, "Only a document in force can be added to a wallet"]);
  });

  test("stores digests of codes and tokens alone", async () => {
    const { db, offer, codeOf, tokenFor } = await withWallet();
    const secrets = [codeOf(await offer())["pre-authorized_code"], (await tokenFor()).token];
    const stored = JSON.stringify(await db.selectFrom("wallet_secrets").selectAll().execute());
    for (const secret of secrets) expect(stored).not.toContain(secret);
    expect(secrets.map((secret) => Buffer.from(secret, "base64url").length)).toEqual([32, 32]);
  });
});

suite("GET /wallet/issuers/{issuer}/{metadata}", () => {
  test("names the company that an issuer is, its own keys and no other’s", async () => {
    const { company, call, offer, metadata, db, companyId } = await withWallet();
    const other = await company();
    await call("updateWallet", { token: other.admin.token, body: { active: true } });
    const { credential_issuer: issuer } = await offer();
    const { name } = await db
      .selectFrom("companies")
      .where("id", "=", companyId)
      .select("name")
      .executeTakeFirstOrThrow();
    const { display, credential_issuer } = await metadata("openid-credential-issuer", issuer);
    expect({ display, credential_issuer }).toEqual({ display: [{ name }], credential_issuer: issuer });
    const { jwks } = await metadata("jwt-vc-issuer", issuer);
    const keys = await db.selectFrom("seal_keys").where("company_id", "=", companyId).select("thumbprint").execute();
    expect(jwks.keys.map(({ kid }: { kid: string }) => kid)).toEqual(keys.map(({ thumbprint }) => thumbprint));
    expect(Object.keys(jwks.keys[0])).not.toContain("iss_name");
  });

  test("knows no company that has never turned wallets on", async () => {
    const { call, company, db, services, run } = await withWallet();
    const { id } = await company();
    await companySigner(services, id);
    await run("status lists");
    const key = db.selectFrom("seal_keys").where("company_id", "=", id).select("thumbprint");
    const { thumbprint: issuer } = await key.executeTakeFirstOrThrow();
    for (const metadata of ["type", "jwt-vc-issuer", "openid-credential-issuer", "oauth-authorization-server"]) {
      expect((await call("walletMetadata", { params: { issuer, metadata } })).status).toBe(404);
    }
  });

  test("says which claims of its type holders may leave out", async () => {
    const { offer, metadata } = await withWallet(["code", "custom_fields"]);
    const { vct, claims } = await metadata("type", (await offer()).credential_issuer);
    expect(vct).toBe(`${(await offer()).credential_issuer}/document`);
    const sd = Object.fromEntries(claims.map(({ path, sd }: { path: string[]; sd: string }) => [path[0], sd]));
    expect(sd).toMatchObject({ number: "never", branch: "never", code: "always", custom_fields: "always" });
    expect(sd).not.toHaveProperty("name");
  });
});

suite("POST /wallet/token", () => {
  test("redeems a code once, whoever of two at once was first", async () => {
    const { call, offer, codeOf } = await withWallet();
    const body = codeOf(await offer());
    const replies = await Promise.all([1, 2].map(() => call("redeemWalletOffer", { body })));
    expect(replies.map(({ status }) => status).toSorted()).toEqual([200, 400]);
    expect((await call("redeemWalletOffer", { body })).json.error).toBe("invalid_grant");
  });

  test("refuses a code after ten minutes, one that is made up, and other grants", async () => {
    const { call, offer, codeOf, clock } = await withWallet();
    const body = codeOf(await offer());
    const errorOf = async (other: object) =>
      (await call("redeemWalletOffer", { body: { ...body, ...other } })).json.error;
    expect(await errorOf({ "pre-authorized_code": randomBytes(32).toString("base64url") })).toBe("invalid_grant");
    expect(await errorOf({ grant_type: "authorization_code" })).toBe("unsupported_grant_type");
    clock.now = new Date(clock.now.getTime() + minutesInMs(10));
    expect(await errorOf({})).toBe("invalid_grant");
  });

  test("is limited by network", async () => {
    const { call } = await withWallet([], { points: (limit, usual) => (limit === "wallets" ? 2 : usual) });
    const tries = [1, 2, 3].map(() => call("redeemWalletOffer", { body: { grant_type: "made-up" } }));
    expect((await Promise.all(tries)).map(({ status }) => status)).toContain(429);
  });
});

suite("POST /wallet/nonce", () => {
  test("gives nonces that hold for five minutes, here alone", async () => {
    const { call, clock, tokenFor, proof, fetchBy } = await withWallet();
    const { issuer, token } = await tokenFor();
    const { c_nonce: nonce } = (await call("createWalletNonce")).json;
    const [seconds, code] = (nonce as string).split(".");
    const later = `${Number(seconds) + 1}.${code}`;
    for (const made of [later, `${seconds}.${randomBytes(32).toString("base64url")}`, "", "1", seconds]) {
      expect((await fetchBy(token, await proof(issuer, { claims: { nonce: made } }))).json.error).toBe("invalid_nonce");
    }
    clock.now = new Date(clock.now.getTime() + minutesInMs(4));
    expect((await fetchBy(token, await proof(issuer, { claims: { nonce } }))).status).toBe(200);
  });
});

suite("POST /wallet/credential", () => {
  test("issues the document once, bound to the wallet’s key, with what nobody can leave out in sight", async () => {
    const { tokenFor, proof, fetchBy, key, companyId, db } = await withWallet(["branch", "name", "custom_fields"]);
    const { issuer, token } = await tokenFor();
    const { json, status } = await fetchBy(token, await proof(issuer));
    expect(status).toBe(200);
    const [{ credential }] = json.credentials;
    const { cnf, exp, ...claims } = payloadOf(credential);
    expect(cnf.jwk).toEqual(await exportJWK(key.publicKey));
    expect(new Date(exp * 1000).toISOString()).toBe("2027-11-22T00:00:00.000Z");
    expect(claims).toMatchObject({ iss: issuer, vct: `${issuer}/document`, number: "NM-7", document_type: "Contract" });
    for (const hidden of ["branch", "name", "custom_fields"]) expect(claims).not.toHaveProperty(hidden);
    const disclosures = (credential as string).split("~").slice(1, -1);
    const shown = disclosures.map((text) => JSON.parse(Buffer.from(text, "base64url").toString()) as unknown[]);
    expect(shown.map(([, name, value]) => [name, value])).toEqual([
      ["name", "Lease of a hall"],
      ["custom_fields", { Bank: "North" }],
    ]);
    expect((await fetchBy(token, await proof(issuer))).status).toBe(401);
    const held = db.selectFrom("wallet_credentials").where("company_id", "=", companyId);
    expect(await held.select("idx").execute()).toEqual([{ idx: claims.status.status_list.idx }]);
  });

  test("never has a document’s name and custom properties unless the company chose them", async () => {
    const { credential } = await withWallet();
    const held = await credential();
    expect(held.split("~")).toHaveLength(2);
    expect(Object.keys(payloadOf(held))).not.toContain("name");
    expect(Object.keys(payloadOf(held))).not.toContain("custom_fields");
  });

  test("takes Ed25519 keys as well", async () => {
    const { tokenFor, proof, fetchBy } = await withWallet();
    const { issuer, token } = await tokenFor();
    const by = await generateKeyPair("EdDSA");
    const { json } = await fetchBy(token, await proof(issuer, { by, alg: "EdDSA" }));
    expect(payloadOf(json.credentials[0].credential).cnf.jwk).toEqual(await exportJWK(by.publicKey));
  });

  test("signs nothing of a wallet’s key but the key", async () => {
    const { tokenFor, proof, fetchBy, key } = await withWallet();
    const { issuer, token } = await tokenFor();
    const jwk = await exportJWK(key.publicKey);
    const { json } = await fetchBy(
      token,
      await proof(issuer, { header: { jwk: { ...jwk, x: `${jwk.x}= Paid in full` } } }),
    );
    expect(payloadOf(json.credentials[0].credential).cnf.jwk).toEqual(jwk);
  });

  test("refuses proofs of another key, for another issuer, of another time or kind, and keeps the token for a right one", async () => {
    const { tokenFor, proof, fetchBy, clock, key } = await withWallet();
    const { issuer, token } = await tokenFor();
    const now = Math.floor(clock.now.getTime() / 1000);
    const another = await generateKeyPair("ES256", { extractable: true });
    const privateJwk = await exportJWK(another.privateKey);
    const weak = await generateKeyPair("RS256");
    const none = [await proof(issuer)].map((jwt) => {
      const [, payload] = jwt.split(".");
      const header = Buffer.from(JSON.stringify({ alg: "none", typ: "openid4vci-proof+jwt" })).toString("base64url");
      return `${header}.${payload}.`;
    });
    const wrong: string[][] = [
      [],
      none,
      [await proof(issuer), await proof(issuer)],
      ["made.up.proof"],
      [await proof(issuer, { header: { jwk: await exportJWK(another.publicKey) } })],
      [await proof(issuer, { by: another, header: { jwk: privateJwk } })],
      [await proof(issuer, { header: { jwk: undefined } })],
      [await proof(issuer, { header: { typ: "JWT" } })],
      [await proof(issuer, { header: { kid: "did:key:of-another" } })],
      [await proof(issuer, { header: { x5c: ["MIIB"] } })],
      // Of an extension that must be understood.
      [await proof(issuer, { header: { crit: ["b64"], b64: true } })],
      [await proof(`${issuer}x`)],
      [await proof(issuer, { claims: { iat: now - 301 } })],
      [await proof(issuer, { claims: { iat: now + 301 } })],
      [await proof(issuer, { claims: { iat: "now" } })],
      [await proof(issuer, { by: weak, alg: "RS256" })],
      [alteredAt(await proof(issuer), 400)],
    ];
    for (const jwt of wrong) {
      const { status, json } = await fetchBy(token, ...jwt);
      expect([status, json.error]).toEqual([400, "invalid_proof"]);
    }
    expect((await fetchBy(token, await proof(issuer, { by: key }))).status).toBe(200);
  });

  test("takes the only proof of a wallet that follows an earlier draft", async () => {
    const { call, tokenFor, proof } = await withWallet();
    const { issuer, token } = await tokenFor();
    const fetched = async (more: object) =>
      call("issueCredential", { token, body: { credential_configuration_id: "document", ...more } });
    const jwt = await proof(issuer);
    const both = await fetched({ proof: { proof_type: "jwt", jwt }, proofs: { jwt: [jwt] } });
    expect(both.json.error, "one key for one document").toBe("invalid_proof");
    expect((await fetched({ proof: { proof_type: "jwt", jwt } })).status).toBe(200);
  });

  test("answers each malformed request with an error code of its standard, and an unknown token with a challenge", async () => {
    const { call, tokenFor, proof } = await withWallet();
    const { issuer, token } = await tokenFor();
    const errorOf = async (body: object, bearer = token) => {
      const { status, json, headers } = await call("issueCredential", { token: bearer, body });
      return [status, json.error, headers.get("www-authenticate")];
    };
    const [jwt, right] = [await proof(issuer), { credential_configuration_id: "document" }];
    expect(await errorOf({ ...right, proofs: { jwt: Array(3).fill(jwt) } })).toEqual([400, "invalid_proof", null]);
    expect(await errorOf({ ...right, proofs: { jwt: ["a".repeat(5001)] } })).toEqual([400, "invalid_proof", null]);
    expect(await errorOf({ ...right, proofs: "jwt" })).toEqual([400, "invalid_proof", null]);
    for (const credential_configuration_id of ["other", "d".repeat(201), 5, ""]) {
      const error = "unknown_credential_configuration";
      expect(await errorOf({ credential_configuration_id, proofs: { jwt: [jwt] } })).toEqual([400, error, null]);
    }
    const unknown = [401, "invalid_token", 'Bearer error="invalid_token"'];
    expect(await errorOf({ ...right, proofs: { jwt: [jwt] } }, "made-up")).toEqual(unknown);
    const long = { grant_type: "g".repeat(201), "pre-authorized_code": "made-up" };
    expect((await call("redeemWalletOffer", { body: long })).json.error).toBe("unsupported_grant_type");
  });

  test("may be called by a wallet in a browser, which asks first", async () => {
    const { provider, tokenFor, proof, fetchBy } = await withWallet();
    for (const path of ["token", "nonce", "credential"]) {
      const request = new Request(`http://provider/api/wallet/${path}`, { method: "OPTIONS" });
      const { status, headers } = await provider.fetch(request, { clientAddress: "192.0.2.1" });
      expect([status, headers.get("access-control-allow-headers")]).toEqual([
        204,
        expect.stringContaining("Authorization"),
      ]);
    }
    const { issuer, token } = await tokenFor();
    const { headers } = await fetchBy(token, await proof(issuer));
    expect([headers.get("access-control-allow-origin"), headers.get("cache-control")]).toEqual(["*", "no-store"]);
  });

  test("refuses a document that was withdrawn meanwhile", async () => {
    const { call, admin, document, tokenFor, proof, fetchBy } = await withWallet();
    const { issuer, token } = await tokenFor();
    await call("exitDocument", { token: admin.token, params: { id: document.id }, body: {} });
    expect((await fetchBy(token, await proof(issuer))).json.error).toBe("credential_request_denied");
  });

  test("gives no two credentials of a company the same place in its list", async () => {
    const { credential, db } = await withWallet();
    const held = [await credential(), await credential()];
    const places = held.map((one) => payloadOf(one).status.status_list as { idx: number; uri: string });
    expect(places[0]!.uri).toBe(places[1]!.uri);
    expect(places[0]!.idx).not.toBe(places[1]!.idx);
    const [row] = await db.selectFrom("wallet_credentials").selectAll().execute();
    const { id: _, ...same } = row!;
    await expect(db.insertInto("wallet_credentials").values(same).execute()).rejects.toThrow();
  });
});

suite("POST /verify/credential", () => {
  test("gives the verdict of the code, and shows no more than the holder does", async () => {
    const { call, admin, document, credential } = await withWallet([
      "document_type",
      "branch",
      "pages",
      "code",
      "name",
    ]);
    const whole = await credential();
    const [jwt, ...disclosures] = whole.split("~");
    const check = async (text: string) => (await call("checkCredential", { body: { credential: text } })).json;
    const facts = { verdict: "in force", number: "NM-7", date: "2026-11-21", expire_date: "2027-11-21" };
    expect(await check(whole)).toMatchObject({
      ...facts,
      code: document.code,
      document_type: "Contract",
      pages: 1,
      name: "Lease of a hall",
    });
    const hidden = { code: "", document_type: "", branch: "", pages: 0, name: "", open_pages: [] };
    expect(await check(`${jwt}~`)).toMatchObject({ ...facts, ...hidden });
    expect(Object.keys(await check(`${jwt}~`))).not.toContain("log_entry");
    expect(await check(`${jwt}~${disclosures[1]}~`)).toMatchObject({ ...hidden, ...facts, pages: 1 });
    await call("exitDocument", { token: admin.token, params: { id: document.id }, body: {} });
    const byCode = await call("verify", { params: { code: document.code } });
    expect((await check(`${jwt}~`)).verdict).toBe(byCode.json.verdict);
    expect(byCode.json.verdict).toBe("withdrawn");
  });

  test("accepts none of 200 altered credentials", { timeout: 60_000 }, async () => {
    const { call, credential } = await withWallet(["branch", "code", "name", "custom_fields"], {
      points: (limit, usual) => (limit === "verify_signature" ? 1000 : usual),
    });
    const whole = await credential();
    const altered = Array.from({ length: 200 }, (_, n) => alteredAt(whole, Math.floor((n * (whole.length - 1)) / 200)));
    const replies = [];
    for (const text of altered) replies.push(await call("checkCredential", { body: { credential: text } }));
    expect(replies.filter(({ status }) => status !== 422)).toEqual([]);
    expect((await call("checkCredential", { body: { credential: whole } })).status).toBe(200);
  });

  test("does not know the document of a credential that a restored backup lacks, and calls it genuine", async () => {
    const { call, credential, db } = await withWallet();
    const held = await credential();
    await db.deleteFrom("wallet_credentials").execute();
    const { status, json } = await call("checkCredential", { body: { credential: held } });
    expect([status, json.message]).toEqual([404, expect.stringContaining("is genuine, but its document is not known")]);
  });

  test("accepts no disclosure twice, none of another credential, and no other form of a signature", async () => {
    const { call, credential } = await withWallet(["code", "name"]);
    const [whole, other] = [await credential(), await credential()];
    const [jwt, first, second] = whole.split("~") as [string, string, string];
    // The last character of 64 bytes has four bits that say nothing.
    const last = { A: "B", Q: "R", g: "h", w: "x" }[jwt.at(-1)!];
    const wrong = [
      `${jwt}~${first}~${first}~`,
      `${jwt}~${other.split("~")[1]}~`,
      `${jwt}~${first}`,
      jwt,
      `${jwt.slice(0, -1)}${last}~`,
      `${jwt}=~`,
      `${jwt}~~`,
      "~".repeat(20_000),
      "eyJ".repeat(7000),
    ];
    for (const credential of wrong) expect((await call("checkCredential", { body: { credential } })).status).toBe(422);
    expect((await call("checkCredential", { body: { credential: ` ${jwt}~${second}~\n` } })).status).toBe(200);
  });

  test("accepts a holder’s proof of the same key and claims, and no other", async () => {
    const { call, credential, key } = await withWallet(["code"]);
    const presented = await credential();
    const bound = async (by: CryptoKey, text: string) => {
      const sd_hash = createHash("sha256").update(text).digest("base64url");
      const jwt = new SignJWT({ sd_hash, nonce: "1", aud: "me" }).setIssuedAt();
      return presented + (await jwt.setProtectedHeader({ alg: "ES256", typ: "kb+jwt" }).sign(by));
    };
    const statusOf = async (text: string) => (await call("checkCredential", { body: { credential: text } })).status;
    expect(await statusOf(await bound(key.privateKey, presented))).toBe(200);
    expect(await statusOf(await bound(key.privateKey, `${presented.split("~")[0]}~`))).toBe(422);
    expect(await statusOf(await bound((await generateKeyPair("ES256")).privateKey, presented))).toBe(422);
  });

  test("accepts none by a revoked key, nor one that another company signed as this one", async () => {
    const { call, credential, db, companyId, company, services } = await withWallet();
    const held = await credential();
    const other = await company();
    const { kid, sign } = await keyOf(services, other.id);
    const forged = await makeCredential(kid, payloadOf(held), {}, sign);
    expect((await call("checkCredential", { body: { credential: forged } })).status).toBe(422);
    const revoked = { revoked_at: "2026-11-21T10:00:00.000Z", revoked_reason: "compromised" as const };
    await db.updateTable("seal_keys").set(revoked).where("company_id", "=", companyId).execute();
    expect((await call("checkCredential", { body: { credential: held } })).status).toBe(422);
  });
});
