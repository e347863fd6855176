import { describe, expect, test } from "vitest";
import { hasDatabase, password, testProvider } from "#tests/fixtures/provider.ts";
import { issueToken } from "./tokens.ts";

const suite = describe.runIf(hasDatabase());
const newPassword = "a new and longer one";
const guessable = "This password is easy to guess: use three or four words that do not belong together";
const ownTexts =
  "Leave out the name, email address, company and branch: use three or four words that do not belong together";

suite("POST /login", () => {
  test("returns a token for other calls", async () => {
    const { call, company } = await testProvider();
    const { admin } = await company();
    const { status, json } = await call("login", { body: { email: admin.email.toUpperCase(), password } });
    expect(status).toBe(200);
    expect(json.user).toMatchObject({ id: admin.id, name: "Ada Admin", staff: "Administrator" });
    expect((await call("currentUser", { token: json.token })).status).toBe(200);
  });

  test("refuses a wrong password and an unknown address with the same words", async () => {
    const { call, company } = await testProvider();
    const { admin } = await company();
    const wrong = await call("login", { body: { email: admin.email, password: "not the password" } });
    const unknown = await call("login", { body: { email: "nobody@company.example", password } });
    expect(wrong.status).toBe(422);
    expect(wrong.json).toEqual({ message: "The email or password is not right. Check both and try again." });
    expect(unknown.json).toEqual(wrong.json);
  });

  test("hashes for unknown addresses as well, so that the time reveals nothing", async () => {
    const { call, company } = await testProvider();
    const { admin } = await company();
    const timed = async (email: string) => {
      const before = process.cpuUsage();
      await call("login", { body: { email, password: "not the password" } });
      const { user, system } = process.cpuUsage(before);
      return user + system;
    };
    await timed(admin.email);
    // Work done, not time passed: without the decoy the second is hundreds of times less.
    const [knownAccount, unknown] = [await timed(admin.email), await timed("nobody@company.example")];
    expect(unknown).toBeGreaterThan(knownAccount / 5);
  });

  test("names the missing field", async () => {
    const { call } = await testProvider();
    const { status, json } = await call("login", { body: { email: "" } });
    expect(status).toBe(422);
    expect(Object.keys(json.errors)).toEqual(["email", "password"]);
    expect(json.errors.email[0]).toBe("Enter the email address");
  });

  test("refuses inactive users", async () => {
    const { call, company, user, db } = await testProvider();
    const { id } = await company();
    const { id: userId, email } = await user(id);
    await db.updateTable("users").set({ active: 0 }).where("id", "=", userId).execute();
    expect((await call("login", { body: { email, password } })).status).toBe(422);
  });

  test("does not count correct passwords", async () => {
    const { call, company } = await testProvider();
    const { admin } = await company();
    for (let n = 0; n < 12; n++) {
      expect((await call("login", { body: { email: admin.email, password } })).status).toBe(200);
    }
  });
});

suite("POST /logout", () => {
  test("revokes this token only", async () => {
    const { call, company, db, clock } = await testProvider();
    const { admin } = await company();
    const other = await issueToken(db, "session", admin.id, clock.now);
    expect((await call("logout", { token: admin.token })).status).toBe(204);
    expect((await call("currentUser", { token: admin.token })).status).toBe(401);
    expect((await call("currentUser", { token: other })).status).toBe(200);
  });

  test("needs a token", async () => {
    const { call } = await testProvider();
    expect((await call("logout")).status).toBe(401);
  });
});

suite("a session", () => {
  test("ends after 12 hours without use", async () => {
    const { call, company, clock } = await testProvider();
    const { admin } = await company();
    clock.now = new Date("2026-11-21T21:59:00Z");
    expect((await call("currentUser", { token: admin.token })).status).toBe(200);
    clock.now = new Date("2026-11-22T09:58:00Z");
    expect((await call("currentUser", { token: admin.token })).status).toBe(200);
    clock.now = new Date("2026-11-22T21:59:00Z");
    expect((await call("currentUser", { token: admin.token })).status).toBe(401);
  });

  test("ends after 30 days even when it is used all the time", async () => {
    const { call, company, clock } = await testProvider();
    const { admin } = await company();
    const start = clock.now.getTime();
    const useAfter = async (hours: number) => {
      clock.now = new Date(start + hours * 3_600_000);
      return (await call("currentUser", { token: admin.token })).status;
    };
    for (let hours = 10; hours < 30 * 24; hours += 10) expect(await useAfter(hours)).toBe(200);
    expect(await useAfter(30 * 24 + 1)).toBe(401);
  });

  test("is stored as a hash only", async () => {
    const { company, db } = await testProvider();
    const { admin } = await company();
    const rows = await db.selectFrom("tokens").selectAll().execute();
    expect(JSON.stringify(rows)).not.toContain(admin.token);
  });
});

suite("GET /signup", () => {
  test("shows the link's user, any number of times", async () => {
    const { call, company, db, clock } = await testProvider();
    const { admin, name } = await company();
    const token = await issueToken(db, "invitation", admin.id, clock.now);
    for (let n = 0; n < 2; n++) {
      const { json } = await call("signupLink", { token });
      expect(json).toEqual({ kind: "invitation", name: "Ada Admin", email: admin.email, company: name });
    }
  });

  test("refuses unknown and expired links, and sessions", async () => {
    const { call, company, db, clock } = await testProvider();
    const { admin } = await company();
    const reset = await issueToken(db, "reset", admin.id, clock.now);
    clock.now = new Date(clock.now.getTime() + 61 * 60_000);
    for (const token of [undefined, "made-up", admin.token, reset]) {
      expect((await call("signupLink", token ? { token } : {})).status).toBe(401);
    }
  });
});

suite("POST /signup", () => {
  const passwords = (text: string) => ({ password: text, password_confirmation: text });

  test("sets the password once and revokes all sessions", async () => {
    const { call, company, db, clock } = await testProvider();
    const { admin } = await company();
    const token = await issueToken(db, "reset", admin.id, clock.now);
    const { status, json } = await call("signup", { token, body: passwords(newPassword) });
    expect(status).toBe(200);
    expect(json.user.email).toBe(admin.email);
    expect((await call("currentUser", { token: admin.token })).status).toBe(401);
    expect((await call("login", { body: { email: admin.email, password } })).status).toBe(422);
    expect((await call("login", { body: { email: admin.email, password: newPassword } })).status).toBe(200);
    expect((await call("signup", { token, body: passwords(newPassword) })).status).toBe(401);
  });

  test.each([
    ["is too short", "short one", "Use at least 12 characters"],
    ["is too long", "x7".repeat(65), "Use at most 128 characters"],
    ["is the email address", "admin@company.example", ownTexts],
    ["is the email address and a digit", "admin@company.example1", ownTexts],
    ["is the company's name", "Hallam & Partners", ownTexts],
    ["is the company's name in one word and digits", "hallampartners12", ownTexts],
    ["is the user's name and the product's", "ada admin sealdesk", ownTexts],
    ["is one character over and over", "aaaaaaaaaaaaaaaa", guessable],
    ["is a common one and digits", "iloveyou1234", guessable],
    ["is a common one with a zero for an o", "Passw0rd1234", guessable],
    ["is a row of keys", "qwertyuiopas", guessable],
    ["is the alphabet's beginning", "abcdefghijkl", guessable],
    ["is the word password and digits", "password123456", guessable],
  ])("refuses a password that %s", async (_, text, message) => {
    const { call, company, db, clock } = await testProvider();
    const { admin } = await company("Hallam & Partners");
    await db.updateTable("users").set({ email: "admin@company.example" }).where("id", "=", admin.id).execute();
    const token = await issueToken(db, "invitation", admin.id, clock.now);
    const { status, json } = await call("signup", { token, body: passwords(text) });
    expect(status).toBe(422);
    expect(json.errors.password[0]).toBe(message);
  });

  test("refuses two different passwords", async () => {
    const { call, company, db, clock } = await testProvider();
    const { admin } = await company();
    const token = await issueToken(db, "invitation", admin.id, clock.now);
    const body = { password: newPassword, password_confirmation: `${newPassword}!` };
    const { json } = await call("signup", { token, body });
    expect(json.errors).toEqual({ password_confirmation: ["The two passwords are not the same: type both again"] });
  });

  test("lets the first administrator name the company, with its three access groups", async () => {
    const { call, db, clock } = await testProvider();
    const token = await issueToken(db, "first", null, clock.now);
    expect((await call("signupLink", { token })).json.kind).toBe("first");
    const missing = await call("signup", { token, body: passwords(newPassword) });
    expect(Object.keys(missing.json.errors)).toEqual(["company", "name", "email"]);
    const founder = { company: "First Ltd", name: "Fay First", email: "fay@first.example" };
    const { json } = await call("signup", { token, body: { ...passwords(newPassword), ...founder } });
    const { json: me } = await call("currentUser", { token: json.token });
    expect(me).toMatchObject({
      name: "Fay First",
      staff: "Administrator",
      company: { name: "First Ltd" },
      plan: { name: "SilverState 1" },
      permissions: { roles: "C:R/W/C" },
    });
    const groups = await db.selectFrom("access_groups").select("name").orderBy("id").execute();
    expect(groups.map(({ name }) => name)).toEqual(["Administrator", "Branch Inspector", "Accountant"]);
  });

  test("creates no second company with an earlier link", async () => {
    const { call, db, clock, company } = await testProvider();
    const token = await issueToken(db, "first", null, clock.now);
    await company();
    expect((await call("signupLink", { token })).status).toBe(401);
    const founder = { company: "Second Ltd", name: "Sid Second", email: "sid@second.example" };
    const body = { ...founder, password, password_confirmation: password };
    expect((await call("signup", { token, body })).status).toBe(401);
  });

  test("accepts any email and any link without errors", async () => {
    const { call } = await testProvider();
    const email = `${"x".repeat(240)}@a.example`;
    expect((await call("login", { body: { email, password } })).status).toBe(422);
    const body = { password, password_confirmation: password };
    expect((await call("signup", { token: "x".repeat(300), body })).status).toBe(401);
  });

  test("limits guesses of links", async () => {
    const { call } = await testProvider();
    for (let n = 0; n < 20; n++) await call("signup", { token: "made-up", body: passwords(newPassword) });
    expect((await call("signup", { token: "made-up", body: passwords(newPassword) })).status).toBe(429);
  });
});

suite("POST /forgot-password", () => {
  test("answers alike for all addresses, and mails users a link", async () => {
    const { call, company, mails } = await testProvider();
    const { admin } = await company();
    const unknown = await call("forgotPassword", { body: { email: "nobody@company.example" } });
    const knownAccount = await call("forgotPassword", { body: { email: admin.email } });
    expect([knownAccount.status, knownAccount.json]).toEqual([unknown.status, unknown.json]);
    await expect.poll(() => mails.length).toBe(1);
    const [, token] = /signup\?token=(\S+)/.exec(mails[0]!.text)!;
    expect(mails[0]!.to).toBe(admin.email);
    expect((await call("signupLink", { token: token! })).json).toMatchObject({ kind: "reset", email: admin.email });
  });

  test("refuses malformed addresses", async () => {
    const { call } = await testProvider();
    const { json } = await call("forgotPassword", { body: { email: "not an address" } });
    expect(json.errors.email[0]).toBe("Enter an email address like name@company.example");
  });
});
