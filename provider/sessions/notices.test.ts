import { describe, expect, test } from "vitest";
import { hasDatabase, password, testProvider } from "#tests/fixtures/provider.ts";
import { issueToken } from "./tokens.ts";

const suite = describe.runIf(hasDatabase());

const firefox = { token: "firefox", label: "Firefox on Windows" };
const chrome = { token: "chrome", label: "Chrome on Android" };
const newPassword = "a new and longer one";
const passwords = { password: newPassword, password_confirmation: newPassword };

async function fixture() {
  const provider = await testProvider();
  const { call, company, mails } = provider;
  const { id, admin } = await company();
  const signIn = (more: object = {}) => call("login", { body: { email: admin.email, password }, ...more });
  const subjectsTo = (email: string) => mails.filter(({ to }) => to === email).map(({ subject }) => subject);
  return { ...provider, companyId: id, admin, signIn, subjectsTo };
}

suite("a changed password", () => {
  const notice = "Your Sealdesk password was changed";

  test("notifies the user: by themselves, by a colleague and by a reset link", async () => {
    const { call, companyId, admin, user, subjectsTo, db, clock, mails } = await fixture();
    const clerk = await user(companyId, { name: "Cleo Clerk", group: "Accountant" });
    await call("changePassword", { token: clerk.token, body: { old_password: password, ...passwords } });
    expect(subjectsTo(clerk.email)).toEqual([notice]);
    const body = { name: clerk.name, email: clerk.email, staff: "Accountant", ...passwords };
    await call("updateUser", { token: admin.token, params: { id: clerk.id }, body });
    expect(subjectsTo(clerk.email)).toEqual([notice, notice]);
    const token = await issueToken(db, "reset", clerk.id, clock.now);
    expect((await call("signup", { token, body: passwords })).status).toBe(200);
    expect(subjectsTo(clerk.email)).toEqual([notice, notice, notice]);
    expect(mails.map(({ text }) => /was changed (.*)\.$/m.exec(text)![1])).toEqual([
      "under My profile",
      "by a colleague who may change users",
      "with a link that was sent to this address",
    ]);
    for (const { text } of mails) expect(text).not.toMatch(/:\/\/|a new and longer/);
  });

  test("does not notify users who set their first one", async () => {
    const { call, companyId, admin, user, subjectsTo, db, clock } = await fixture();
    const newcomer = await user(companyId, { name: "Nora New", group: "Accountant" });
    await db.updateTable("users").set({ password_hash: null }).where("id", "=", newcomer.id).execute();
    const body = { name: newcomer.name, email: newcomer.email, staff: "Accountant", ...passwords };
    await call("updateUser", { token: admin.token, params: { id: newcomer.id }, body });
    const token = await issueToken(db, "invitation", newcomer.id, clock.now);
    await call("signup", { token, body: passwords });
    expect(subjectsTo(newcomer.email)).toEqual([]);
  });

  test("has one pending message at most", async () => {
    const { call, companyId, admin, user, db } = await fixture();
    const clerk = await user(companyId, { name: "Cleo Clerk", group: "Accountant" });
    const body = { name: clerk.name, email: clerk.email, staff: "Accountant", ...passwords };
    // What is due later waits.
    await db
      .insertInto("outbox")
      .values({ ...waiting, user_id: clerk.id, recipient: clerk.email })
      .execute();
    await call("updateUser", { token: admin.token, params: { id: clerk.id }, body });
    expect(await db.selectFrom("outbox").selectAll().execute()).toEqual([]);
  });

  const times = { created_at: "2026-11-21T10:00:00.000Z", next_at: "2027-11-21T10:00:00.000Z", attempts: 1 };
  const waiting = { subject: notice, text: "Before", message_id: "before", kind: "password changed", ...times };
});

suite("a sign-in", () => {
  const notice = "A new sign-in to your Sealdesk account";

  test("from a new browser notifies the user with browser and time, except for the first one", async () => {
    const { admin, signIn, subjectsTo, mails } = await fixture();
    await signIn({ browser: firefox });
    await signIn({ browser: firefox });
    expect(subjectsTo(admin.email)).toEqual([]);
    await signIn({ browser: chrome });
    expect(subjectsTo(admin.email)).toEqual([notice]);
    expect(mails[0]!.text).toContain("“Chrome on Android”, 21-11-2026 10:00");
    await signIn({ browser: chrome });
    expect(mails).toHaveLength(1);
  });

  test("of an API client notifies once if browsers are known", async () => {
    const { admin, signIn, subjectsTo, mails } = await fixture();
    await signIn();
    expect(mails).toEqual([]);
    await signIn({ browser: firefox });
    await signIn();
    await signIn();
    expect(subjectsTo(admin.email)).toEqual([notice]);
    expect(mails[0]!.text).toContain("A program, 21-11-2026 10:00");
  });

  test("that fails sends no notice", async () => {
    const { admin, call, signIn, mails } = await fixture();
    await signIn({ browser: firefox });
    await call("login", { body: { email: admin.email, password: "guess" }, browser: chrome });
    expect(mails).toEqual([]);
  });

  test("from many new browsers sends a limited number of notices a day", async () => {
    const { signIn, mails } = await fixture();
    for (let n = 0; n < 9; n++) await signIn({ browser: { ...chrome, token: `chrome ${n}` } });
    expect(mails).toHaveLength(5);
  });
});
