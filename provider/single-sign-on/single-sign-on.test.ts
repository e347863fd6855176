import type { ServerResponse } from "node:http";
import { describe, expect, test } from "vitest";
import { readReply, requestOf } from "#tests/fixtures/call.ts";
import { clientId, type Faults } from "#tests/fixtures/issuer.ts";
import { hasDatabase, password, testProvider } from "#tests/fixtures/provider.ts";
import { withIssuer } from "#tests/fixtures/single-sign-on.ts";
import { createProvider } from "../provider.ts";

const suite = describe.runIf(hasDatabase());

const verified = { email_verified: true };

suite("GET /single-sign-on", () => {
  test("says whether passwords are on, and the host of the operator's identity provider", async () => {
    const { call, issuer } = await withIssuer();
    const { host } = new URL(issuer.url);
    expect((await call("signInWays")).json).toEqual({ passwords: true, identity_provider: host, company: null });
    const { call: callWithout } = await testProvider();
    expect((await callWithout("signInWays")).json).toEqual({ passwords: true, identity_provider: null, company: null });
  });

  test("tells strangers nothing of addresses that are no company's", async () => {
    const { call } = await withIssuer();
    expect((await call("signInWays", { query: { address: "guessed" } })).json.identity_provider).toBeNull();
  });
});

suite("POST /single-sign-on/begin", () => {
  test("sends the browser to the identity provider with PKCE, state and nonce, and another each time", async () => {
    const { call, issuer } = await withIssuer();
    const [one, other] = [await call("beginSingleSignOn", { body: {} }), await call("beginSingleSignOn", { body: {} })];
    const { origin, pathname, searchParams } = new URL(one.json.url);
    expect([origin, pathname]).toEqual([issuer.url, "/authorize"]);
    expect(Object.fromEntries(searchParams)).toEqual({
      client_id: clientId,
      response_type: "code",
      redirect_uri: "https://sealdesk.example/login/sso/return",
      scope: "openid profile email groups",
      code_challenge_method: "S256",
      code_challenge: expect.stringMatching(/^[\w-]{43}$/),
      state: expect.stringMatching(/^[\w-]{43}$/),
      nonce: expect.stringMatching(/^[\w-]{43}$/),
    });
    for (const name of ["state", "nonce", "code_challenge"]) {
      expect(new URL(other.json.url).searchParams.get(name)).not.toBe(searchParams.get(name));
    }
    // Published facts are fetched once.
    expect(issuer.requests).toEqual(["/.well-known/openid-configuration"]);
  });

  test("is not offered without an identity provider, and says so", async () => {
    const { call, company } = await testProvider();
    await company();
    const { status, json } = await call("beginSingleSignOn", { body: {} });
    expect([status, json.message]).toEqual([
      422,
      "There is no single sign-on here. Sign in with your email and password.",
    ]);
    expect((await call("beginSingleSignOn", { body: { address: "guessed" } })).json.errors).toHaveProperty("address");
  });

  test.each([
    ["answers with a page", { "content-type": "text/html" }, "<h1>Welcome</h1>", 422],
    ["answers with half of an object", { "content-type": "application/json" }, "{", 422],
    ["is out of order", { "content-type": "application/json" }, "{}", 503],
  ])("says in words and in the log that the identity provider %s", async (_, headers, body, status) => {
    const { call, issuer, logged } = await withIssuer();
    const path = "/.well-known/openid-configuration";
    issuer.faults.answers = {
      [path]: (response) => void response.writeHead(status === 503 ? 500 : 200, headers).end(body),
    };
    const reply = await call("beginSingleSignOn", { body: {} });
    expect(reply.status).toBe(status);
    expect(reply.json.message).toContain(status === 503 ? "did not answer in time" : "not set up correctly");
    expect(logged).toEqual([
      { event: { issuer: issuer.url, reason: expect.any(String) }, message: expect.any(String) },
    ]);
    issuer.faults.answers = {};
    expect((await call("beginSingleSignOn", { body: {} })).status).toBe(200);
  });

  test("refuses an identity provider that names another issuer, or stands for all of its customers", async () => {
    const { call, issuer, logged } = await withIssuer();
    for (const named of ["https://other.example", `${issuer.url}/{tenantid}/v2.0`]) {
      issuer.faults.metadata = { issuer: named };
      expect((await call("beginSingleSignOn", { body: {} })).status).toBe(422);
    }
    expect(logged).toHaveLength(2);
  });

  test("does not read an endless answer, nor follow a redirect", async () => {
    const { call, issuer } = await withIssuer();
    const path = "/.well-known/openid-configuration";
    let written = 0;
    issuer.faults.answers = {
      [path](response) {
        response.writeHead(200, { "content-type": "application/json" });
        const go = () => {
          while (!response.destroyed && response.write(" ".repeat(65_536))) written++;
        };
        response.on("drain", go);
        go();
      },
    };
    expect((await call("beginSingleSignOn", { body: {} })).status).toBe(422);
    expect(written).toBeLessThan(1000);
    issuer.faults.answers = { [path]: (response) => void response.writeHead(302, { location: "/jwks" }).end() };
    expect((await call("beginSingleSignOn", { body: {} })).status).toBe(422);
    expect(issuer.requests).toEqual([path, path]);
  });

  test("limits the attempts of a network, and stores none for long", async () => {
    const { call, db, clock } = await withIssuer();
    await call("beginSingleSignOn", { body: {} });
    clock.now = new Date(clock.now.getTime() + 11 * 60_000);
    await call("beginSingleSignOn", { body: {} });
    expect(await db.selectFrom("sign_in_attempts").select("hash").execute()).toHaveLength(1);
    for (let n = 2; n < 100; n++) expect((await call("beginSingleSignOn", { body: {} })).status).toBe(200);
    expect((await call("beginSingleSignOn", { body: {} })).status).toBe(429);
    expect((await call("beginSingleSignOn", { body: {}, address: "198.51.100.7" })).status).toBe(200);
  });
});

suite("POST /single-sign-on/end", () => {
  const untrusted = "could not be trusted";

  test("finds a user by their verified email once, and by issuer and subject from then on", async () => {
    const { admin, signIn, me, mails, db } = await withIssuer();
    const first = await signIn({ sub: "ada", email: admin.email.toUpperCase(), ...verified });
    expect([first.status, first.json.user.id]).toEqual([200, admin.id]);
    expect((await me(first.json.token)).email).toBe(admin.email);
    expect(mails.map(({ to, subject }) => [to, subject])).toEqual([
      [admin.email, "Single sign-on was connected to your Sealdesk account"],
    ]);
    // Whatever email the person has at the identity provider later on.
    const later = await signIn({ sub: "ada", email: "married@company.example", email_verified: false });
    expect(later.json.user.id).toBe(admin.id);
    expect((await me(later.json.token)).email).toBe(admin.email);
    expect(mails).toHaveLength(1);
    const stored = await db.selectFrom("identities").select(["user_id", "subject", "configured_by"]).execute();
    expect(stored).toEqual([{ user_id: admin.id, subject: "ada", configured_by: 0 }]);
  });

  test("refuses an email that is not verified, in words, and says why in the log", async () => {
    const { admin, signIn, logged, issuer } = await withIssuer();
    for (const claim of [{ email_verified: false }, {}, { email_verified: "no" }, { email_verified: 1 }]) {
      const { status, json } = await signIn({ sub: "mallory", email: admin.email, ...claim });
      expect([status, json.message]).toEqual([422, expect.stringContaining("gave no verified email address")]);
    }
    expect(logged[0]).toEqual({
      event: { issuer: issuer.url, reason: "no verified email address, and the subject is not known" },
      message: "single sign-on refused",
    });
  });

  test("refuses a second person with the email of a user who is connected", async () => {
    const { admin, signIn } = await withIssuer();
    await signIn({ sub: "ada", email: admin.email, ...verified });
    const { status, json } = await signIn({ sub: "another", email: admin.email, ...verified });
    expect([status, json.message]).toEqual([422, expect.stringContaining("connected to another user")]);
  });

  test("requests claims that the token lacks, and believes the token if they differ", async () => {
    const { admin, signIn, issuer } = await withIssuer();
    issuer.faults.info = { sub: "ada", email: admin.email, ...verified };
    expect((await signIn({ sub: "ada" })).json.user.id).toBe(admin.id);
    expect((await signIn({ sub: "bob", email: admin.email, ...verified })).json.message).toContain(untrusted);
  });

  test("opens a session that counts like any other, known by browser and in the trail", async () => {
    const { admin, signIn, call } = await withIssuer();
    const browser = { token: "token of a browser", label: "Firefox on Windows" };
    const { json } = await signIn({ sub: "ada", email: admin.email, ...verified }, { more: { browser } });
    expect(json.sign_out_origin).toMatch(/^http:\/\/127/);
    const sessions = await call("listOwnSessions", { token: json.token });
    expect(sessions.json.find(({ current }: { current: boolean }) => current).browser).toBe("Firefox on Windows");
    const { json: trail } = await call("listAudit", { token: admin.token, query: { trail: "access" } });
    expect(trail[0]).toMatchObject({ action: "signed in", browser: "Firefox on Windows" });
    const { json: changes } = await call("listAudit", { token: admin.token, query: { trail: "changes" } });
    expect(changes[0]).toMatchObject({ action: "identity connected", entity: "user", entity_id: admin.id });
  });

  test.each([
    ["another issuer", { iss: "https://evil.example" }],
    ["another client", { aud: "another" }],
    ["another nonce", { nonce: "another" }],
    ["no nonce", { nonce: undefined }],
    ["no subject", { sub: undefined }],
    ["an hour ago", { iat: Math.floor(Date.now() / 1000) - 4000, exp: Math.floor(Date.now() / 1000) - 3600 }],
    ["a time to come", { nbf: Math.floor(Date.now() / 1000) + 3600 }],
    ["several clients without saying for which", { aud: [clientId, "another"] }],
  ])("does not trust a token for or from %s", async (_, claims) => {
    const { admin, signIn, issuer, logged } = await withIssuer();
    issuer.faults.claims = claims;
    const { status, json } = await signIn({ sub: "ada", email: admin.email, ...verified });
    expect([status, json.message]).toEqual([422, expect.stringContaining(untrusted)]);
    expect(logged.at(-1)!.message).toBe("single sign-on refused");
  });

  const json =
    (content: unknown, status = 200) =>
    (response: ServerResponse) =>
      void response.writeHead(status, { "content-type": "application/json" }).end(JSON.stringify(content));
  const oddKeys = [
    { kty: "RSA", kid: "one", alg: "RS256" },
    { kty: "RSA", kid: "one", alg: "RS256", key_ops: 5 },
  ];
  const oddAnswers: [string, Faults][] = [
    ["an empty subject", { claims: { sub: "", email: undefined } }],
    ...oddKeys.map((key): [string, Faults] => ["a broken key", { answers: { "/jwks": json({ keys: [key] }) } }]),
    ...["/jwks", "/token", "/userinfo", "/.well-known/openid-configuration"].map((path): [string, Faults] => [
      `no status of HTTP at ${path}`,
      { answers: { [path]: json({}, 999) } },
    ]),
    ...["login", "\0", "http://["].map((issuer): [string, Faults] => [
      `the issuer ${issuer}`,
      { metadata: { issuer } },
    ]),
  ];

  test.each(oddAnswers)("says in words and in the log that an answer with %s is none", async (_, faults) => {
    const { admin, signIn, issuer, logged } = await withIssuer();
    Object.assign(issuer.faults, faults);
    expect((await signIn({ sub: "ada", email: admin.email, ...verified })).status).toBe(422);
    expect(logged.at(-1)).toMatchObject({ event: { reason: expect.any(String) }, message: "single sign-on refused" });
  });

  test.each([null, 5, "groups", {}, [null, 5]])("takes a list that is %j for an empty one", async (list) => {
    const { call, issuer } = await withIssuer();
    issuer.faults.metadata = { scopes_supported: list, token_endpoint_auth_methods_supported: list };
    const { status, json } = await call("beginSingleSignOn", { body: {} });
    expect([status, new URL(json.url).searchParams.get("scope")]).toEqual([200, "openid profile email"]);
  });

  test("accepts a clock that is half a minute wrong", async () => {
    const { admin, signIn, issuer } = await withIssuer();
    const now = Math.floor(Date.now() / 1000);
    issuer.faults.claims = { iat: now + 30, nbf: now + 30, exp: now + 330 };
    expect((await signIn({ sub: "ada", email: admin.email, ...verified })).status).toBe(200);
    issuer.faults.claims = { iat: now - 330, exp: now - 30 };
    expect((await signIn({ sub: "ada", email: admin.email, ...verified })).status).toBe(200);
  });

  test.each(["none", "another key", "HS256"] as const)("does not trust a token signed by %s", async (signing) => {
    const { admin, signIn, issuer } = await withIssuer();
    issuer.faults.signing = signing;
    issuer.faults.metadata = { id_token_signing_alg_values_supported: ["RS256", "none", "HS256"] };
    const { status, json } = await signIn({ sub: "ada", email: admin.email, ...verified });
    expect([status, json.message]).toEqual([422, expect.stringContaining(untrusted)]);
  });

  test.each([
    ["another state", { state: "another" }, untrusted],
    ["no issuer of the answer", { iss: "" }, untrusted],
    ["another issuer of the answer", { iss: "https://evil.example" }, untrusted],
    ["a code that was never issued", { code: "guessed" }, "Begin again"],
    ["a refusal", { code: "", error: "access_denied", error_description: "secret words" }, "did not sign you in"],
  ])("refuses an answer with %s", async (_, changed, words) => {
    const { admin, signIn, logged } = await withIssuer();
    const { status, json } = await signIn({ sub: "ada", email: admin.email, ...verified }, { changed });
    expect([status, json.message]).toEqual([422, expect.stringContaining(words)]);
    expect(JSON.stringify(logged)).not.toContain("secret words");
  });

  test("works once for an attempt, within ten minutes, and in no other browser", async () => {
    const { admin, call, issuer, clock } = await withIssuer();
    const person = { sub: "ada", email: admin.email, ...verified };
    const begin = async () => (await call("beginSingleSignOn", { body: {} })).json;
    const end = (attempt: string, answer: string) => call("endSingleSignOn", { body: { attempt, answer } });
    const one = await begin();
    const answer = issuer.authorize(one.url, person);
    // A stranger's attempt with another user's answer, and the other way round.
    expect((await end((await begin()).attempt, answer)).status).toBe(422);
    expect((await end("guessed", answer)).status).toBe(422);
    expect((await end(one.attempt, answer)).status).toBe(200);
    expect((await end(one.attempt, issuer.authorize(one.url, person))).json.message).toContain("has ended before");
    const lateAttempt = await begin();
    clock.now = new Date(clock.now.getTime() + 10 * 60_000 + 1);
    expect((await end(lateAttempt.attempt, issuer.authorize(lateAttempt.url, person))).status).toBe(422);
    const both = await begin();
    const answers = [issuer.authorize(both.url, person), issuer.authorize(both.url, person)];
    const replies = await Promise.all(answers.map((claims) => end(both.attempt, claims)));
    expect(replies.map(({ status }) => status).toSorted()).toEqual([200, 422]);
  });

  test("may come to another process than the one that began", async () => {
    const { admin, call, issuer, services } = await withIssuer();
    const { attempt, url } = (await call("beginSingleSignOn", { body: {} })).json;
    const answer = issuer.authorize(url, { sub: "ada", email: admin.email, ...verified });
    const another = createProvider({ ...services });
    const response = await another.fetch(...requestOf("endSingleSignOn", { body: { attempt, answer } }));
    expect((await readReply("endSingleSignOn", response)).json.user.id).toBe(admin.id);
  });

  test("refuses users who were removed, and those of a company that is closed", async () => {
    const { signIn, user, companyId, db, call, admin } = await withIssuer();
    const removedUser = await user(companyId, { group: "Accountant" });
    const knownUser = await user(companyId, { group: "Accountant" });
    await signIn({ sub: "known", email: knownUser.email, ...verified });
    for (const { id } of [removedUser, knownUser]) await call("removeUser", { token: admin.token, params: { id } });
    for (const [sub, { email }] of Object.entries({ gone: removedUser, known: knownUser })) {
      const { status, json } = await signIn({ sub, email, ...verified, groups: ["all"] });
      expect([status, json.message]).toEqual([422, expect.stringContaining("Your account was removed")]);
    }
    await db.updateTable("companies").set({ active: 0 }).execute();
    const { json } = await signIn({ sub: "ada", email: admin.email, ...verified });
    expect(json.message).toContain("can’t sign in at the moment");
  });
});

suite("POST /single-sign-on/sign-out", () => {
  test("ends the session and returns the sign-out address at the identity provider", async () => {
    const { call, admin, signIn, issuer } = await withIssuer();
    const { token } = (await signIn({ sub: "ada", email: admin.email, ...verified })).json;
    const { json } = await call("singleSignOut", { token });
    const { origin, pathname, searchParams } = new URL(json.url);
    expect([origin, pathname, searchParams.get("from")]).toEqual([issuer.url, "/end", "sealdesk"]);
    expect(searchParams.get("client_id")).toBe(clientId);
    expect(searchParams.get("post_logout_redirect_uri")).toBe("https://sealdesk.example/login");
    expect(searchParams.get("id_token_hint")!.split(".")).toHaveLength(3);
    expect((await call("currentUser", { token })).status).toBe(401);
    expect((await call("singleSignOut", { token })).status).toBe(401);
  });

  test("says nothing of one for a session that a password opened", async () => {
    const { call, admin } = await withIssuer();
    const { token } = (await call("login", { body: { email: admin.email, password } })).json;
    expect((await call("singleSignOut", { token })).json).toEqual({ url: null });
  });
});
