import { describe, expect, test } from "vitest";
import { hasDatabase, password, type TestProvider, testProvider } from "#tests/fixtures/provider.ts";
import { daysInMs, hoursInMs, minutesInMs } from "#lib/units.ts";
import { issueToken } from "../../sessions/tokens.ts";

const suite = describe.runIf(hasDatabase());

const next = "ada@new.example";

/** A company whose administrator signed in an hour ago and has just proved to be present, and changes of addresses. */
async function fixture() {
  const provider = await testProvider();
  const { call, clock, company, mails, db } = provider;
  const { id, admin } = await company();
  const advance = (time: number) => void (clock.now = new Date(clock.now.getTime() + time));
  advance(hoursInMs(1));
  const prove = () => call("prove", { token: admin.token, body: { current_password: password } });
  await prove();
  const change = (email = next, token = admin.token) => call("changeEmail", { token, body: { email } });
  const linkTo = (email: string) => /token=(\S+)/.exec(mails.findLast(({ to }) => to === email)?.text ?? "")?.[1];
  const confirm = (token: string | undefined) => call("confirmEmail", { ...(token && { token }) });
  const emailOf = async (userId: number) =>
    (await db.selectFrom("users").where("id", "=", userId).select("email").executeTakeFirstOrThrow()).email;
  const profile = async (token = admin.token) => (await call("getProfile", { token })).json;
  return { ...provider, companyId: id, admin, advance, prove, change, linkTo, confirm, emailOf, profile };
}

/** A user's form as it is stored. */
const formOf = async ({ call }: TestProvider, token: string, id: number) => {
  const { json } = await call("getUser", { token, params: { id } });
  const { name, email, staff } = json;
  return { name, email, staff };
};

suite("POST /profile/email", () => {
  test("takes effect once the link at the new address is confirmed; until then the old one signs in", async () => {
    const { call, admin, change, confirm, linkTo, emailOf, mails, profile } = await fixture();
    expect((await change()).status).toBe(204);
    expect(await profile()).toMatchObject({ email: admin.email, pending_email: next });
    expect((await call("login", { body: { email: next, password } })).status).toBe(422);
    expect(mails.map(({ to }) => to)).toEqual([next, admin.email]);
    expect((await confirm(linkTo(next))).status).toBe(204);
    expect(await emailOf(admin.id)).toBe(next);
    expect(await profile()).toMatchObject({ email: next, pending_email: "" });
    expect((await call("login", { body: { email: admin.email, password } })).status).toBe(422);
    expect((await call("login", { body: { email: next, password } })).status).toBe(200);
  });

  test("needs a proof, or a sign-in within ten minutes", async () => {
    const { change, emailOf, admin, db, clock, advance, mails, profile } = await fixture();
    advance(minutesInMs(10));
    const { status, json } = await change();
    expect([status, json.kind]).toEqual([403, "proof"]);
    expect([mails, (await profile()).pending_email]).toEqual([[], ""]);
    const fresh = await issueToken(db, "session", admin.id, clock.now);
    advance(minutesInMs(9));
    expect((await change(next, fresh)).status).toBe(204);
    advance(minutesInMs(1));
    expect((await change(next, fresh)).status).toBe(403);
    expect(await emailOf(admin.id)).toBe(admin.email);
  });

  test("notifies the old address at once, without a link, and again after the change", async () => {
    const { admin, change, confirm, linkTo, mails } = await fixture();
    await change();
    await confirm(linkTo(next));
    const notices = mails.filter(({ to }) => to === admin.email);
    expect(notices.map(({ subject }) => subject)).toEqual([
      "A new email address was entered for your Sealdesk account",
      "Your Sealdesk email address was changed",
    ]);
    for (const { text } of notices) {
      expect(text).not.toMatch(/:\/\//);
      expect(text).not.toContain(next);
    }
  });

  test("is refused for a taken address, and sends nothing there", async () => {
    const { companyId, user, change, mails } = await fixture();
    const colleague = await user(companyId);
    const { status, json } = await change(colleague.email.toUpperCase());
    expect([status, json.errors]).toEqual([422, { email: ["This email address is already used: enter another"] }]);
    expect(mails).toEqual([]);
  });

  test("limits the links to an address", async () => {
    const { change } = await fixture();
    for (let n = 0; n < 3; n++) expect((await change()).status).toBe(204);
    expect((await change()).status).toBe(429);
    expect((await change("another@new.example")).status).toBe(204);
  });

  test("is one at a time: another change revokes the earlier link", async () => {
    const { admin, change, confirm, linkTo, emailOf } = await fixture();
    await change();
    await change("other@new.example");
    expect((await confirm(linkTo(next))).status).toBe(401);
    expect((await confirm(linkTo("other@new.example"))).status).toBe(204);
    expect(await emailOf(admin.id)).toBe("other@new.example");
  });

  test("does nothing for the same address, ignoring case", async () => {
    const { admin, change, mails } = await fixture();
    expect((await change(admin.email.toUpperCase())).status).toBe(204);
    expect(mails).toEqual([]);
  });

  test("is cancelled by a changed password", async () => {
    const { call, admin, change, confirm, linkTo, profile } = await fixture();
    await change();
    const passwords = { password: "a new and longer one", password_confirmation: "a new and longer one" };
    await call("changePassword", { token: admin.token, body: { old_password: password, ...passwords } });
    expect((await profile()).pending_email).toBe("");
    expect((await confirm(linkTo(next))).status).toBe(401);
  });
});

suite("DELETE /profile/email", () => {
  test("cancels a pending change and its link", async () => {
    const { call, admin, change, confirm, linkTo, emailOf, profile } = await fixture();
    await change();
    expect((await call("cancelEmail", { token: admin.token })).status).toBe(204);
    expect((await profile()).pending_email).toBe("");
    expect((await confirm(linkTo(next))).status).toBe(401);
    expect(await emailOf(admin.id)).toBe(admin.email);
    expect((await call("cancelEmail", { token: admin.token })).status).toBe(204);
  });
});

suite("POST /profile/email/again", () => {
  test("sends another link and revokes the earlier one", async () => {
    const { call, admin, change, confirm, linkTo, mails } = await fixture();
    expect((await call("resendEmail", { token: admin.token })).status).toBe(409);
    await change();
    const first = linkTo(next);
    expect((await call("resendEmail", { token: admin.token })).status).toBe(204);
    expect(mails.map(({ to }) => to)).toEqual([next, admin.email, next]);
    expect((await confirm(first)).status).toBe(401);
    expect((await confirm(linkTo(next))).status).toBe(204);
  });
});

suite("GET /email-confirmation", () => {
  test("shows the address that the link confirms, without a change", async () => {
    const { call, admin, change, linkTo, emailOf } = await fixture();
    await change();
    const token = linkTo(next)!;
    expect((await call("emailLink", { token })).json).toEqual({ email: next });
    expect((await call("emailLink", { token })).status).toBe(200);
    expect(await emailOf(admin.id)).toBe(admin.email);
    expect((await call("emailLink")).status).toBe(401);
    expect((await call("signupLink", { token })).status).toBe(401);
  });
});

suite("POST /email-confirmation", () => {
  test("is valid once, for a day, and for no other link", async () => {
    const { call, admin, change, confirm, linkTo, advance, db, clock, emailOf } = await fixture();
    await change();
    advance(hoursInMs(24));
    expect((await confirm(linkTo(next))).status).toBe(401);
    advance(-hoursInMs(1));
    expect((await confirm(linkTo(next))).status).toBe(204);
    expect((await confirm(linkTo(next))).status).toBe(401);
    expect(await emailOf(admin.id)).toBe(next);
    const others = ["session", "reset", "invitation"] as const;
    for (const kind of others) {
      expect((await confirm(await issueToken(db, kind, admin.id, clock.now))).status).toBe(401);
    }
    expect((await confirm(undefined)).status).toBe(401);
    expect((await call("emailLink", { token: "made-up" })).status).toBe(401);
  });

  test("revokes reset links to the old address; sessions stay", async () => {
    const { call, admin, change, confirm, linkTo, db, clock, profile } = await fixture();
    await change();
    const reset = await issueToken(db, "reset", admin.id, clock.now);
    expect((await call("signupLink", { token: reset })).status).toBe(200);
    await confirm(linkTo(next));
    expect((await call("signupLink", { token: reset })).status).toBe(401);
    expect((await profile()).email).toBe(next);
  });

  test("is refused if another user took the address in between", async () => {
    const { call, admin, change, confirm, linkTo, emailOf, company, db } = await fixture();
    await change();
    const other = await company();
    const emailColumns = { email: next, email_key: next };
    await db.updateTable("users").set(emailColumns).where("id", "=", other.admin.id).execute();
    const { status, json } = await confirm(linkTo(next));
    expect([status, json.errors]).toEqual([422, { email: ["This email address is already used: enter another"] }]);
    expect(await emailOf(admin.id)).toBe(admin.email);
    expect((await call("emailLink", { token: linkTo(next)! })).status).toBe(200);
  });

  test("of two at once, one succeeds", async () => {
    const { change, confirm, linkTo, mails } = await fixture();
    await change();
    const answers = await Promise.all([confirm(linkTo(next)), confirm(linkTo(next))]);
    expect(answers.map(({ status }) => status).toSorted()).toEqual([204, 401]);
    expect(mails.filter(({ subject }) => subject.endsWith("was changed"))).toHaveLength(1);
  });

  test("is refused for a removed user", async () => {
    const { call, companyId, admin, user, change, confirm, linkTo } = await fixture();
    const colleague = await user(companyId);
    await change(next, colleague.token);
    await call("removeUser", { token: admin.token, params: { id: colleague.id } });
    expect((await confirm(linkTo(next))).status).toBe(401);
  });

  test("is audited with the old and the new address", async () => {
    const { admin, change, confirm, linkTo, db } = await fixture();
    await change();
    await confirm(linkTo(next));
    const entries = await db.selectFrom("audit").where("action", "=", "changed").orderBy("id").selectAll().execute();
    expect(entries.map(({ changes }) => JSON.parse(changes))).toEqual([
      [{ field: "pending_email", before: null, after: next }],
      [
        { field: "email", before: admin.email, after: next },
        { field: "pending_email", before: next, after: null },
      ],
    ]);
  });
});

suite("PUT /profile, with another email", () => {
  test("saves other fields at once, and the address once it is confirmed", async () => {
    const { call, admin, confirm, linkTo, profile, advance, prove } = await fixture();
    const change = () => call("updateProfile", { token: admin.token, body: { name: "Ada Other", email: next } });
    advance(minutesInMs(10));
    const refused = await change();
    expect([refused.status, refused.json.kind]).toEqual([403, "proof"]);
    expect((await profile()).name).toBe("Ada Admin");
    await prove();
    const { json } = await change();
    expect(json).toMatchObject({ name: "Ada Other", email: admin.email, pending_email: next });
    await confirm(linkTo(next));
    expect((await profile()).email).toBe(next);
  });
});

suite("PUT /users/{id}, with another email", () => {
  test("needs the user's confirmation and the administrator's proof", async () => {
    const setup = await fixture();
    const { call, companyId, admin, user, confirm, linkTo, emailOf, mails, advance, prove } = setup;
    const clerk = await user(companyId, { name: "Cleo Clerk", group: "Accountant" });
    advance(hoursInMs(1));
    const form = await formOf(setup, admin.token, clerk.id);
    const change = () =>
      call("updateUser", { token: admin.token, params: { id: clerk.id }, body: { ...form, email: next } });
    expect((await change()).json.kind).toBe("proof");
    expect(mails).toEqual([]);
    await prove();
    expect((await change()).json.email).toBe(clerk.email);
    expect(mails.map(({ to }) => to)).toEqual([next, clerk.email]);
    const viewed = async (token: string) =>
      (await call("getUser", { token, params: { id: clerk.id } })).json.pending_email;
    expect([await viewed(admin.token), await viewed(clerk.token)]).toEqual([next, ""]);
    expect((await confirm(linkTo(next))).status).toBe(204);
    expect(await emailOf(clerk.id)).toBe(next);
  });

  test("invites a user who has not joined at the new address and revokes the earlier invitation", async () => {
    const { call, admin, emailOf, linkTo, mails } = await fixture();
    const emailColumns = { name: "Nora New", email: "nora@company.example", staff: "Accountant" };
    const { json } = await call("createUser", { token: admin.token, body: emailColumns });
    const first = linkTo(emailColumns.email)!;
    const body = { ...emailColumns, email: next };
    const { status } = await call("updateUser", { token: admin.token, params: { id: json.id }, body });
    expect([status, await emailOf(json.id)]).toEqual([200, next]);
    expect(mails.map(({ to }) => to)).toEqual([emailColumns.email, next]);
    expect((await call("signupLink", { token: first })).status).toBe(401);
    expect((await call("signupLink", { token: linkTo(next)! })).json).toMatchObject({
      kind: "invitation",
      email: next,
    });
  });

  test("takes effect at once for a removed user, whose password ends: reactivating them invites the new address", async () => {
    const setup = await fixture();
    const { call, companyId, admin, user, linkTo, emailOf, mails } = setup;
    const leaver = await user(companyId, { name: "Lea Leaver", group: "Accountant" });
    const form = await formOf(setup, admin.token, leaver.id);
    const params = { id: leaver.id };
    const change = () => call("updateUser", { token: admin.token, params, body: { ...form, email: next } });
    await call("removeUser", { token: admin.token, params });
    expect((await change()).json).toMatchObject({ active: false, email: next });
    expect([await emailOf(leaver.id), mails]).toEqual([next, []]);
    const { json } = await call("reactivateUser", { token: admin.token, params });
    expect(json).toEqual({ invitation: { link: null } });
    expect((await call("login", { body: { email: next, password } })).status).toBe(422);
    expect((await call("signupLink", { token: linkTo(next)! })).json.kind).toBe("invitation");
  });
});

suite("DELETE /users/{id}/email", () => {
  test("cancels a user's pending change, and audits it", async () => {
    const setup = await fixture();
    const { call, companyId, admin, user, confirm, linkTo, db } = setup;
    const clerk = await user(companyId, { name: "Cleo Clerk" });
    const body = { ...(await formOf(setup, admin.token, clerk.id)), email: next };
    await call("updateUser", { token: admin.token, params: { id: clerk.id }, body });
    expect((await call("cancelUserEmail", { token: admin.token, params: { id: clerk.id } })).status).toBe(204);
    expect((await confirm(linkTo(next))).status).toBe(401);
    const entry = await db.selectFrom("audit").orderBy("id", "desc").selectAll().executeTakeFirstOrThrow();
    expect(entry).toMatchObject({ actor: "Ada Admin", entity: "user", entity_id: clerk.id });
    expect(JSON.parse(entry.changes)).toEqual([{ field: "pending_email", before: next, after: null }]);
  });
});

suite("POST /users/{id}/email/again", () => {
  test("sends the link again to the user's new address", async () => {
    const setup = await fixture();
    const { call, companyId, admin, user, confirm, linkTo, mails } = setup;
    const clerk = await user(companyId, { name: "Cleo Clerk" });
    const body = { ...(await formOf(setup, admin.token, clerk.id)), email: next };
    await call("updateUser", { token: admin.token, params: { id: clerk.id }, body });
    expect((await call("resendUserEmail", { token: admin.token, params: { id: clerk.id } })).status).toBe(204);
    expect(mails.filter(({ to }) => to === next)).toHaveLength(2);
    expect((await confirm(linkTo(next))).status).toBe(204);
    expect((await call("resendUserEmail", { token: admin.token, params: { id: clerk.id } })).status).toBe(409);
  });
});

suite("a pending change of email", () => {
  test("expires with its link after a day", async () => {
    const { admin, change, profile, advance, db, clock } = await fixture();
    await change();
    advance(hoursInMs(11));
    expect((await profile()).pending_email).toBe(next);
    advance(hoursInMs(11));
    const token = await issueToken(db, "session", admin.id, clock.now);
    advance(hoursInMs(3));
    expect((await profile(token)).pending_email).toBe("");
    await issueToken(db, "session", admin.id, new Date(clock.now.getTime() + daysInMs(1)));
    expect(await db.selectFrom("email_changes").selectAll().execute()).toEqual([]);
  });
});
