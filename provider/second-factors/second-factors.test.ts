import { describe, expect, test } from "vitest";
import { addKey } from "#tests/fixtures/api-keys.ts";
import { oathToolCode, oneTimeCode, withSecondFactor } from "#tests/fixtures/one-time-codes.ts";
import { hasDatabase, password, testProvider } from "#tests/fixtures/provider.ts";
import { secretKey } from "#lib/seal/wrapping.ts";
import { minutesInMs, secondsInMs } from "#lib/units.ts";

const suite = describe.runIf(hasDatabase());

const firefox = { token: "a browser’s token", label: "Firefox on Windows" };
const safari = { token: "another’s", label: "Safari on iPhone" };

/** An administrator with an authenticator app. */
async function withFactor(...options: Parameters<typeof testProvider>) {
  const provider = await testProvider(...options);
  const { id, admin } = await provider.company();
  const factor = await withSecondFactor(provider, admin);
  const { call, clock } = provider;
  const later = (ms: number) => void (clock.now = new Date(clock.now.getTime() + ms));
  /** Gives the password, and returns the token of the second step. */
  const firstStep = async (browser?: typeof firefox): Promise<string> => {
    const { json } = await call("login", { body: { email: admin.email, password }, ...(browser && { browser }) });
    expect(json).toEqual({ second_factor: "one-time code", token: expect.any(String) });
    return json.token;
  };
  const secondStep = (token: string, code: string, more = {}) =>
    call("confirmSignIn", { token, body: { code }, ...more });
  return { ...provider, companyId: id, admin, factor, later, firstStep, secondStep };
}

suite("POST /login/second-factor", () => {
  test("opens the session that the password alone does not", async () => {
    const { call, admin, factor, firstStep, secondStep } = await withFactor();
    const token = await firstStep();
    expect((await call("currentUser", { token })).status).toBe(401);
    const { status, json } = await secondStep(token, factor.next());
    expect(status).toBe(200);
    expect(json).toEqual({ user: expect.objectContaining({ id: admin.id }), token: expect.any(String) });
    expect((await call("currentUser", { token: json.token })).status).toBe(200);
    expect((await secondStep(token, factor.next())).status).toBe(401);
  });

  test("accepts the codes of the step before and the step after, and of no other", async () => {
    for (const [steps, status] of [
      [-2, 422],
      [-1, 200],
      [1, 200],
      [2, 422],
    ] as const) {
      const { factor, firstStep, secondStep, clock, later } = await withFactor();
      later(minutesInMs(5));
      const code = oneTimeCode(factor.secret, new Date(clock.now.getTime() + steps * secondsInMs(30)));
      expect((await secondStep(await firstStep(), code)).status, `${steps}`).toBe(status);
    }
  });

  test("refuses a code that was used before, and one of an earlier step", async () => {
    const { factor, firstStep, secondStep, clock } = await withFactor();
    // The code that confirmed the set-up.
    expect((await secondStep(await firstStep(), factor.showsNow())).status).toBe(422);
    const used = factor.next();
    expect((await secondStep(await firstStep(), used)).status).toBe(200);
    expect((await secondStep(await firstStep(), used)).status).toBe(422);
    const earlier = oneTimeCode(factor.secret, new Date(clock.now.getTime() - secondsInMs(30)));
    expect((await secondStep(await firstStep(), earlier)).status).toBe(422);
  });

  test("accepts a code once of ten that come at once", async () => {
    const { factor, firstStep, secondStep } = await withFactor();
    const tokens = [];
    for (let n = 0; n < 10; n++) tokens.push(await firstStep());
    const code = factor.next();
    const replies = await Promise.all(tokens.map((token) => secondStep(token, code)));
    expect(replies.filter(({ status }) => status === 200)).toHaveLength(1);
  });

  test("accepts what oathtool shows, digits in groups as well", async ({ skip }) => {
    const { factor, firstStep, secondStep, clock, later } = await withFactor();
    later(secondsInMs(60));
    const code = oathToolCode(factor.secret, clock.now);
    if (code === undefined) return skip("oathtool is not installed");
    expect((await secondStep(await firstStep(), `${code.slice(0, 3)} ${code.slice(3)}`)).status).toBe(200);
  });

  test("accepts each recovery code once, in capitals and without dashes, and notifies the user", async () => {
    const { factor, firstStep, secondStep, mails, admin } = await withFactor();
    const [first, second] = factor.recoveryCodes as [string, string];
    const { status, json } = await secondStep(await firstStep(), first);
    expect([status, json.recovery_codes]).toEqual([200, 9]);
    expect(mails.at(-1)).toMatchObject({
      to: admin.email,
      subject: "A recovery code of your Sealdesk account was used",
    });
    expect(mails.at(-1)!.text).toContain("Recovery codes left: 9");
    expect((await secondStep(await firstStep(), first)).status).toBe(422);
    const input = second.toUpperCase().replaceAll("-", "");
    expect((await secondStep(await firstStep(), input)).json.recovery_codes).toBe(8);
  });

  test("says what to do if SEAL_SECRET is another one, and logs it; a recovery code works", async () => {
    const { services, factor, firstStep, secondStep } = await withFactor();
    const logged: string[] = [];
    services.log.error = (_, message) => void logged.push(message);
    services.seals.wrappingKeys = [secretKey("another secret than that of the tests")];
    const { status, json } = await secondStep(await firstStep(), factor.next());
    expect([status, json.errors?.code]).toEqual([422, [expect.stringContaining("use a recovery code")]]);
    expect(logged).toEqual(["second factor can't be decrypted"]);
    expect((await secondStep(await firstStep(), factor.recoveryCodes[0]!)).status).toBe(200);
  });

  test("is bound to the browser that gave the password", async () => {
    const { factor, firstStep, secondStep } = await withFactor();
    const token = await firstStep(firefox);
    expect((await secondStep(token, factor.next(), { browser: safari })).status).toBe(401);
    expect((await secondStep(token, factor.showsNow())).status).toBe(401);
    expect((await secondStep(token, factor.showsNow(), { browser: firefox })).status).toBe(200);
  });

  test("ends ten minutes after the password, with a new password, and with the user", async () => {
    const { db, admin, factor, later, firstStep, secondStep } = await withFactor();
    const lateStep = await firstStep();
    later(minutesInMs(10));
    expect((await secondStep(lateStep, factor.next())).status).toBe(401);
    const removed = await firstStep();
    await db.updateTable("users").set({ active: 0 }).where("id", "=", admin.id).execute();
    expect((await secondStep(removed, factor.next())).status).toBe(401);
  });

  test("limits the codes of a user in a network, and the right one resets the count", async () => {
    const { factor, firstStep, secondStep } = await withFactor();
    const token = await firstStep();
    for (let n = 0; n < 9; n++) expect((await secondStep(token, "000000")).status).toBe(422);
    expect((await secondStep(token, factor.next())).status).toBe(200);
    const another = await firstStep();
    for (let n = 0; n < 10; n++) expect((await secondStep(another, "000000")).status).toBe(422);
    expect((await secondStep(another, factor.next())).status).toBe(429);
    // Another network is not concerned, unless the whole account has had fifty.
    expect((await secondStep(another, factor.showsNow(), { address: "198.51.100.7" })).status).toBe(200);
  });

  test("asks nothing of a stranger: without the password there is no attempt to count", async () => {
    const { call, factor, firstStep, secondStep, admin } = await withFactor();
    for (let n = 0; n < 30; n++) expect((await secondStep("made-up", "000000")).status).toBe(401);
    expect((await secondStep(admin.token, "000000")).status).toBe(401);
    expect((await call("confirmSignIn", { body: { code: "000000" } })).status).toBe(401);
    expect((await secondStep(await firstStep(), factor.next())).status).toBe(200);
  });

  test("records failures for the administrator", async () => {
    const { call, admin, firstStep, secondStep } = await withFactor();
    await secondStep(await firstStep(), "000000");
    const { json } = await call("listAudit", { token: admin.token, query: { trail: "access" } });
    expect(json[0]).toMatchObject({ action: "second factor failed", entity_id: admin.id });
  });

  test("is required after a password reset as well: the link proves the mailbox alone", async () => {
    const { call, db, mails, admin, factor } = await withFactor();
    await call("forgotPassword", { body: { email: admin.email } });
    const link = /token=(\S+)/.exec(mails.at(-1)!.text)![1]!;
    const body = { password: "a new and longer one", password_confirmation: "a new and longer one" };
    const { json } = await call("signup", { token: link, body });
    expect(json).toEqual({ second_factor: "one-time code", token: expect.any(String) });
    expect(await db.selectFrom("second_factors").selectAll().execute()).toHaveLength(1);
    expect((await call("confirmSignIn", { token: json.token, body: { code: factor.next() } })).status).toBe(200);
  });
});

suite("GET /profile/second-factor", () => {
  test("says whether there is one, whether it is required, and how many recovery codes are left", async () => {
    const { call, company } = await testProvider();
    const { admin } = await company();
    const signsIn = { has_password: true, passwords_off: false };
    const none = { set_up_at: null, recovery_codes: 0, required: false, ...signsIn, pending: null };
    expect((await call("getSecondFactor", admin)).json).toEqual(none);
    const { call: other, admin: another, clock } = await withFactor();
    const set = { ...none, set_up_at: clock.now.toISOString(), recovery_codes: 10 };
    expect((await other("getSecondFactor", { token: another.token })).json).toEqual(set);
  });

  test("shows the secret that is being set up for an hour, and to no session that was left alone", async () => {
    const { call, company, user, clock } = await testProvider();
    const { id, admin } = await company();
    const { json: enrolment } = await call("beginSecondFactor", { token: admin.token });
    const pending = async (token = admin.token) => (await call("getSecondFactor", { token })).json.pending;
    expect(await pending()).toEqual(enrolment);
    expect(await pending((await user(id)).token)).toBeNull();
    clock.now = new Date(clock.now.getTime() + minutesInMs(10));
    expect(await pending()).toBeNull();
    await call("prove", { token: admin.token, body: { current_password: password } });
    expect(await pending()).toEqual(enrolment);
    clock.now = new Date(clock.now.getTime() + minutesInMs(51));
    await call("prove", { token: admin.token, body: { current_password: password } });
    expect(await pending()).toBeNull();
  });
});

suite("POST /profile/second-factor", () => {
  test("makes a secret for authenticator apps, the same until it is confirmed", async () => {
    const { call, company } = await testProvider();
    const { admin } = await company();
    const { status, json } = await call("beginSecondFactor", { token: admin.token });
    expect(status).toBe(201);
    expect(json.secret).toMatch(/^[A-Z2-7]{32}$/);
    const { protocol, host, searchParams } = new URL(json.address);
    expect([protocol, host]).toEqual(["otpauth:", "totp"]);
    expect(Object.fromEntries(searchParams)).toMatchObject({ issuer: "Sealdesk", secret: json.secret });
    expect((await call("beginSecondFactor", { token: admin.token })).json).toEqual(json);
  });

  test("needs a user who is present, and asks for no second factor before it is confirmed", async () => {
    const { call, company, clock } = await testProvider();
    const { admin } = await company();
    await call("beginSecondFactor", { token: admin.token });
    expect((await call("login", { body: { email: admin.email, password } })).json).toHaveProperty("user");
    clock.now = new Date(clock.now.getTime() + minutesInMs(10));
    const { status, json } = await call("beginSecondFactor", { token: admin.token });
    expect([status, json]).toEqual([403, { message: "Confirm first that it is you", kind: "proof" }]);
  });
});

suite("PUT /profile/second-factor", () => {
  test("confirms by a first one-time code, gives ten recovery codes, and ends the other sessions", async () => {
    const { call, company, clock, db, mails } = await testProvider();
    const { admin } = await company();
    const { json: other } = await call("login", { body: { email: admin.email, password } });
    const { recoveryCodes } = await withSecondFactor({ call, clock }, admin);
    expect(new Set(recoveryCodes).size).toBe(10);
    for (const code of recoveryCodes) expect(code).toMatch(/^([a-z2-9]{5}-){4}[a-z2-9]{5}$/);
    expect((await call("currentUser", { token: other.token })).status).toBe(401);
    expect((await call("currentUser", { token: admin.token })).status).toBe(200);
    expect(mails.at(-1)!.subject).toBe("A second factor was set up for your Sealdesk account");
    const rows = db.selectFrom("audit").where("action", "=", "second factor set up").select("entity_id");
    expect(await rows.execute()).toEqual([{ entity_id: admin.id }]);
  });

  test("refuses another code than the app's, and one without a set-up", async () => {
    const { call, company } = await testProvider();
    const { admin } = await company();
    const body = { code: "000000" };
    expect((await call("confirmSecondFactor", { token: admin.token, body })).status).toBe(409);
    await call("beginSecondFactor", { token: admin.token });
    for (const code of ["000000", "abc", "١٢٣٤٥٦", "0".repeat(100)]) {
      const { status, json } = await call("confirmSecondFactor", { token: admin.token, body: { code } });
      expect([status, Object.keys(json.errors)]).toEqual([422, ["code"]]);
    }
  });

  test("replaces an app, whose codes and recovery codes then no longer work", async () => {
    const { call, clock, admin, factor, firstStep, secondStep, mails } = await withFactor();
    const replaced = await withSecondFactor({ call, clock }, admin);
    expect(mails.at(-1)!.subject).toBe("The second factor of your Sealdesk account was replaced");
    const old = factor.next();
    expect((await secondStep(await firstStep(), old)).status).toBe(422);
    expect((await secondStep(await firstStep(), factor.recoveryCodes[0]!)).status).toBe(422);
    expect((await secondStep(await firstStep(), replaced.showsNow())).status).toBe(200);
  });

  test("stores secrets encrypted and recovery codes hashed, and never shows them again", async () => {
    const { call, db, admin, factor } = await withFactor();
    await call("beginSecondFactor", { token: admin.token });
    const tables = ["second_factors", "recovery_codes", "audit", "outbox", "tokens"] as const;
    const rows = await Promise.all(
      tables.map((table) =>
        db
          .selectFrom(table as "audit")
          .selectAll()
          .execute(),
      ),
    );
    const user = await call("getUser", { token: admin.token, params: { id: admin.id } });
    const replies = JSON.stringify([rows, user.json, (await call("currentUser", { token: admin.token })).json]);
    for (const secret of [factor.secret, ...factor.recoveryCodes]) expect(replies).not.toContain(secret);
    expect(rows[0]).toHaveLength(1);
    expect(rows[1]).toHaveLength(10);
  });
});

suite("DELETE /profile/second-factor", () => {
  test("removes it, so that the password is enough, and notifies the user", async () => {
    const { call, admin, mails, db } = await withFactor();
    expect((await call("removeSecondFactor", { token: admin.token })).status).toBe(204);
    expect(mails.at(-1)!.subject).toBe("The second factor of your Sealdesk account was removed");
    expect((await call("login", { body: { email: admin.email, password } })).json).toHaveProperty("user");
    expect(await db.selectFrom("recovery_codes").selectAll().execute()).toEqual([]);
    expect((await call("removeSecondFactor", { token: admin.token })).status).toBe(409);
  });

  test("is refused while the access group requires one, and to a session that was left alone", async () => {
    const { call, admin, db, later } = await withFactor();
    await db.updateTable("access_groups").set({ requires_second_factor: 1 }).execute();
    const { status, json } = await call("removeSecondFactor", { token: admin.token });
    expect([status, json.message]).toEqual([
      409,
      "Your access group requires a second factor: set up another authenticator app instead",
    ]);
    later(minutesInMs(10));
    expect((await call("removeSecondFactor", { token: admin.token })).json.kind).toBe("proof");
  });
});

suite("POST /profile/second-factor/recovery-codes", () => {
  test("makes ten new ones in place of the earlier ones", async () => {
    const { call, admin, factor, firstStep, secondStep, mails } = await withFactor();
    const { status, json } = await call("createRecoveryCodes", { token: admin.token });
    expect([status, json.recovery_codes]).toEqual([201, expect.any(Array)]);
    expect(mails.at(-1)!.subject).toBe("New recovery codes were made for your Sealdesk account");
    expect((await secondStep(await firstStep(), factor.recoveryCodes[0]!)).status).toBe(422);
    expect((await secondStep(await firstStep(), json.recovery_codes[9])).json.recovery_codes).toBe(9);
  });

  test("needs an authenticator app", async () => {
    const { call, company } = await testProvider();
    const { admin } = await company();
    expect((await call("createRecoveryCodes", { token: admin.token })).status).toBe(409);
  });
});

suite("DELETE /users/{id}/second-factor", () => {
  test("removes the factor of a user who lost it, who is signed out and notified", async () => {
    const { call, admin, companyId, user, clock, mails, db } = await withFactor();
    const clerk = await user(companyId, { group: "Accountant" });
    await withSecondFactor({ call, clock }, clerk);
    const params = { id: clerk.id };
    expect((await call("getUser", { token: admin.token, params })).json.second_factor).toBe(true);
    expect((await call("clearUserSecondFactor", { token: admin.token, params })).status).toBe(204);
    expect(mails.at(-1)).toMatchObject({
      to: clerk.email,
      subject: "The second factor of your Sealdesk account was removed",
    });
    expect((await call("currentUser", { token: clerk.token })).status).toBe(401);
    expect((await call("login", { body: { email: clerk.email, password } })).json).toHaveProperty("user");
    expect((await call("getUser", { token: admin.token, params })).json.second_factor).toBe(false);
    const entries = db.selectFrom("audit").where("action", "=", "second factor cleared");
    expect(await entries.select(["actor_id", "entity_id"]).execute()).toEqual([
      { actor_id: admin.id, entity_id: clerk.id },
    ]);
    expect((await call("clearUserSecondFactor", { token: admin.token, params })).status).toBe(409);
  });

  test("is refused for oneself, for users with more rights, and in other companies", async () => {
    const { call, admin, companyId, user, group, company, later } = await withFactor();
    const own = { token: admin.token, params: { id: admin.id } };
    expect((await call("clearUserSecondFactor", own)).status).toBe(409);
    await group(companyId, "Desk", { users: "C:R/W" });
    const desk = await user(companyId, { group: "Desk" });
    expect((await call("clearUserSecondFactor", { ...own, token: desk.token })).status).toBe(403);
    const { admin: stranger } = await company();
    expect((await call("clearUserSecondFactor", { ...own, token: stranger.token })).status).toBe(404);
    later(minutesInMs(10));
    expect((await call("clearUserSecondFactor", own)).json.kind).toBe("proof");
  });
});

suite("POST /profile/proof", () => {
  test("proves for ten minutes that the user is present, by the password", async () => {
    const { call, company, clock } = await testProvider();
    const { admin } = await company();
    const begin = async () => (await call("beginSecondFactor", { token: admin.token })).status;
    clock.now = new Date(clock.now.getTime() + minutesInMs(60));
    expect(await begin()).toBe(403);
    const wrong = await call("prove", { token: admin.token, body: { current_password: "not it" } });
    expect([wrong.status, Object.keys(wrong.json.errors)]).toEqual([422, ["current_password"]]);
    expect(await begin()).toBe(403);
    expect((await call("prove", { token: admin.token, body: { current_password: password } })).status).toBe(204);
    expect(await begin()).toBe(201);
    clock.now = new Date(clock.now.getTime() + minutesInMs(10));
    expect(await begin()).toBe(403);
  });

  test("requires a one-time code as well if there is an app, once each", async () => {
    const { call, admin, factor, later } = await withFactor();
    later(minutesInMs(60));
    const proved = async (code?: string) => {
      const { status, json } = await call("prove", { token: admin.token, body: { current_password: password, code } });
      return [status, json?.errors?.code?.[0]];
    };
    expect(await proved()).toEqual([422, "Enter the one-time code"]);
    const code = factor.next();
    expect((await proved("000000"))[0]).toBe(422);
    expect(await proved(code)).toEqual([204, undefined]);
    expect((await proved(code))[0]).toBe(422);
    expect(await proved(factor.recoveryCodes[3])).toEqual([204, undefined]);
  });

  test("limits guesses in a session", async () => {
    const { call, company } = await testProvider();
    const { admin } = await company();
    const proved = async (current_password: string) =>
      (await call("prove", { token: admin.token, body: { current_password } })).status;
    for (let n = 0; n < 10; n++) expect(await proved("not it")).toBe(422);
    expect(await proved(password)).toBe(429);
  });
});

suite("an access group that requires a second factor", () => {
  test("keeps its members' API keys from reading and writing until they have one", async () => {
    const provider = await testProvider();
    const { call, company, clock, db } = provider;
    const { admin } = await company();
    const { key: token } = await addKey(provider, admin.id);
    const read = async () => (await call("listDocuments", { token })).json.kind;
    const body = { name: "Depot", country: "United Kingdom", city: "Preston" };
    const write = async () => (await call("createBranch", { token, body })).json.kind;
    expect([await read(), await write()]).toEqual([undefined, undefined]);
    await db.updateTable("access_groups").set({ requires_second_factor: 1 }).execute();
    expect([await read(), await write()]).toEqual(["second factor", "second factor"]);
    await withSecondFactor({ call, clock }, admin);
    expect([await read(), await write()]).toEqual([undefined, undefined]);
  });

  test("keeps its members from every call but setting one up", async () => {
    const { call, company, user, clock, db } = await testProvider();
    const { id, admin } = await company();
    const clerk = await user(id, { group: "Accountant" });
    const { json: groups } = await call("listAccessGroups", { token: admin.token, query: { name: "Accountant" } });
    const [{ version, members: _, id: group, ...parameters }] = groups;
    const body = { ...parameters, requires_second_factor: true };
    const changed = await call("updateAccessGroup", { token: admin.token, params: { id: group }, body });
    expect(changed.json).toMatchObject({ requires_second_factor: true, version: version + 1 });
    const { json: session } = await call("login", { body: { email: clerk.email, password } });
    for (const token of [clerk.token, session.token]) {
      const { status, json } = await call("listDocuments", { token });
      expect([status, json.kind]).toEqual([403, "second factor"]);
      expect((await call("updateProfile", { token, body: { name: "Cora", email: clerk.email } })).status).toBe(403);
      expect((await call("currentUser", { token })).json.must_set_up_second_factor).toBe(true);
    }
    await withSecondFactor({ call, clock }, { token: session.token });
    expect((await call("listDocuments", { token: session.token })).status).toBe(200);
    expect((await call("currentUser", { token: session.token })).json).not.toHaveProperty("must_set_up_second_factor");
    expect((await call("listDocuments", { token: admin.token })).status).toBe(200);
    const access = db.selectFrom("audit").where("action", "=", "access refused").select("id");
    expect(await access.execute()).toEqual([]);
  });

  test("still requires it after a change without that field", async () => {
    const { call, company } = await testProvider();
    const { admin } = await company();
    const groupForm = { name: "Desk", docs: "C:R", requires_second_factor: "1" };
    const { status, json } = await call("createAccessGroup", { token: admin.token, body: groupForm });
    expect([status, json.requires_second_factor]).toEqual([201, true]);
    const change = { token: admin.token, params: { id: json.id }, body: { name: "Front desk", docs: "C:R" } };
    expect((await call("updateAccessGroup", change)).json.requires_second_factor).toBe(true);
    const off = { ...change, body: { ...change.body, requires_second_factor: "0" } };
    expect((await call("updateAccessGroup", off)).json.requires_second_factor).toBe(false);
    const { json: history } = await call("accessGroupHistory", { token: admin.token, params: { id: json.id } });
    expect(history[0].changes).toEqual([{ field: "requires_second_factor", before: true, after: false }]);
    expect(history[1].changes).toEqual([{ field: "name", before: "Desk", after: "Front desk" }]);
  });
});
