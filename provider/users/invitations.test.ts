import { describe, expect, test } from "vitest";
import { createResetSender } from "../sessions/resets.ts";
import { hasDatabase, password, testProvider } from "#tests/fixtures/provider.ts";

const suite = describe.runIf(hasDatabase());
const passwords = { password, password_confirmation: password };

const newcomer = { name: "Nora New", email: "nora@company.example", staff: "Accountant" };
const linkIn = (text: string) => /token=(\S+)/.exec(text)![1]!;

suite("POST /users/{id}/invitation", () => {
  test("sends a new link and revokes the earlier one", async () => {
    const { call, company, mails } = await testProvider();
    const { admin } = await company();
    const { json: user } = await call("createUser", { token: admin.token, body: newcomer });
    expect(user.invitation).toEqual({ link: null });
    const { json } = await call("inviteUser", { token: admin.token, params: { id: user.id } });
    expect(json).toEqual({ invitation: { link: null } });
    const links = mails.map(({ text }) => linkIn(text));
    expect((await call("signupLink", { token: links[0] })).status).toBe(401);
    expect((await call("signupLink", { token: links[1] })).json.kind).toBe("invitation");
  });

  test("is refused for users who have accepted one, oneself among them", async () => {
    const { call, company, user, mails } = await testProvider();
    const { id, admin } = await company();
    const colleague = await user(id, { name: "Cleo Clerk" });
    for (const [name, params] of [
      ["Cleo Clerk", { id: colleague.id }],
      ["Ada Admin", { id: admin.id }],
    ] as const) {
      const { status, json } = await call("inviteUser", { token: admin.token, params });
      expect([status, json.message]).toEqual([409, `${name} has accepted an invitation already`]);
    }
    expect(mails).toEqual([]);
  });

  test("returns the link if there is no mail server, and writes it nowhere else", async () => {
    const mails: string[] = [];
    const mail = { isFolder: true, send: async ({ text }: { text: string }) => void mails.push(text) };
    const { call, company, db } = await testProvider({ mail });
    const { admin } = await company();
    const { json: user } = await call("createUser", { token: admin.token, body: newcomer });
    const again = await call("inviteUser", { token: admin.token, params: { id: user.id } });
    const links = [user, again.json].map(({ invitation }) => invitation.link as string);
    expect(links).toEqual(mails.map((text) => `https://sealdesk.example/signup?token=${linkIn(text)}`));
    expect((await call("signupLink", { token: linkIn(links[1]!) })).json.email).toBe(newcomer.email);
    const noted = JSON.stringify(await db.selectFrom("audit").selectAll().execute());
    for (const link of links) expect(noted).not.toContain(linkIn(link));
    const userReply = await call("getUser", { token: admin.token, params: { id: user.id } });
    expect(JSON.stringify(userReply.json)).not.toContain("token");
  });
});

suite("a user's invited_at", () => {
  test("is the last invitation until it is accepted", async () => {
    const { call, company, clock, mails } = await testProvider();
    const { admin } = await company();
    const { json: user } = await call("createUser", { token: admin.token, body: newcomer });
    const userReply = async () => {
      const { json } = await call("getUser", { token: admin.token, params: { id: user.id } });
      const { json: rows } = await call("listUsers", { token: admin.token, query: { name: "Nora" } });
      expect(rows[0].invited_at).toBe(json.invited_at);
      return json.invited_at;
    };
    expect(await userReply()).toBe("2026-11-21T10:00:00.000Z");
    // Longer than the link is valid, which ends the session as well.
    clock.now = new Date("2026-11-29T10:00:00Z");
    const body = { email: admin.email, password };
    const { token } = (await call("login", { body })).json;
    admin.token = token;
    expect(await userReply()).toBe("2026-11-21T10:00:00.000Z");
    await call("inviteUser", { token, params: { id: user.id } });
    expect(await userReply()).toBe("2026-11-29T10:00:00.000Z");
    await call("signup", { token: linkIn(mails.findLast(({ to }) => to === newcomer.email)!.text), body: passwords });
    expect(await userReply()).toBeNull();
  });

  test("is null for users who were given a password", async () => {
    const { call, company } = await testProvider();
    const { admin } = await company();
    const { json } = await call("createUser", { token: admin.token, body: { ...newcomer, ...passwords } });
    expect([json.invited_at, json.invitation]).toEqual([null, null]);
  });
});

suite("invitations", () => {
  test("to one address are limited by hour and day, and the refusal says so", async () => {
    const { call, company, mails } = await testProvider();
    const { admin } = await company();
    const { json: user } = await call("createUser", { token: admin.token, body: newcomer });
    const invite = () => call("inviteUser", { token: admin.token, params: { id: user.id } });
    expect([(await invite()).status, (await invite()).status]).toEqual([200, 200]);
    const refused = await invite();
    expect(refused.status).toBe(429);
    expect(refused.json.message).toMatch(/^This address has been sent several invitations. Try again in \d+ minutes.$/);
    expect(Number(refused.headers.get("retry-after"))).toBeGreaterThan(0);
    // Nor by removing and reactivating the user.
    await call("removeUser", { token: admin.token, params: { id: user.id } });
    expect((await call("createUser", { token: admin.token, body: newcomer })).status).toBe(429);
    expect(mails).toHaveLength(3);
    const other = await company();
    expect((await call("createUser", { token: other.admin.token, body: newcomer })).status).toBe(201);
  });

  test.each([
    ["a user", "invitation_inviter_hour", "You have sent many invitations"],
    ["a company", "invitation_company_day", "Your company has sent many invitations"],
  ])("are limited for %s", async (_, limited, words) => {
    const points = (limit: string, usual: number) => (limit === limited ? 3 : usual);
    const { call, company, mails, db } = await testProvider({}, { points });
    const { admin } = await company();
    const add = (n: number) =>
      call("createUser", { token: admin.token, body: { ...newcomer, email: `u${n}@company.example` } });
    // What is refused for another reason does not count.
    for (let n = 0; n < 5; n++) expect((await add(0)).status).toBe(n === 0 ? 201 : 422);
    for (let n = 1; n < 3; n++) expect((await add(n)).status).toBe(201);
    const refused = await add(3);
    expect([refused.status, refused.json.message.startsWith(words)]).toEqual([429, true]);
    expect(mails).toHaveLength(3);
    expect(await db.selectFrom("users").where("email", "=", "u3@company.example").select("id").execute()).toEqual([]);
    expect((await call("createUser", { token: (await company()).admin.token, body: newcomer })).status).toBe(201);
  });

  test("and links are pending once for each user while no mail can be sent", async () => {
    const { call, company, db, services } = await testProvider();
    services.nudgeMail = () => {};
    const { admin } = await company();
    const { json: user } = await call("createUser", { token: admin.token, body: newcomer });
    await call("inviteUser", { token: admin.token, params: { id: user.id } });
    const writeResets = createResetSender(services);
    for (let n = 0; n < 3; n++) {
      await call("forgotPassword", { body: { email: admin.email } });
      await writeResets(new AbortController().signal);
    }
    const waiting = await db.selectFrom("outbox").select(["recipient", "kind"]).orderBy("id").execute();
    expect(waiting).toEqual([
      { recipient: newcomer.email, kind: "invitation" },
      { recipient: admin.email, kind: "reset" },
    ]);
    // The links of those that were replaced are gone as well.
    expect(await db.selectFrom("tokens").where("kind", "=", "reset").selectAll().execute()).toHaveLength(1);
  });
});

suite("a taken email address", () => {
  test("is found by a limited number of tries an hour", async () => {
    const { call, company, user } = await testProvider();
    const { id, admin } = await company();
    const [other, colleague] = [{ admin: await user(id) }, await user(id)];
    const profile = (email: string) =>
      call("updateProfile", { token: admin.token, body: { name: "Ada Admin", email } });
    const change = (email: string) =>
      call("updateUser", {
        token: admin.token,
        params: { id: colleague.id },
        body: { name: colleague.name, email, staff: "Administrator" },
      });
    const add = (email: string) =>
      call("createUser", { token: admin.token, body: { name: "New", email, staff: "Accountant", ...passwords } });
    for (let n = 0; n < 20; n++) {
      const { status, json } = await [profile, change, add][n % 3]!(other.admin.email);
      expect([status, json.errors]).toEqual([422, { email: ["This email address is already used: enter another"] }]);
    }
    for (const attempt of [profile, change, add]) {
      for (const email of [other.admin.email, "free@company.example"]) {
        const refused = await attempt(email);
        expect([refused.status, refused.json.message]).toEqual([
          429,
          expect.stringMatching(
            /^Too many of the email addresses that you tried are used already. Try again in \d+ minutes.$/,
          ),
        ]);
      }
    }
    // What tries no other address goes on.
    expect((await profile(admin.email)).status).toBe(200);
    expect((await change(colleague.email)).status).toBe(200);
  });

  test.each(["reactivateUser", "updateUser"] as const)(
    "is found by no more tries with a removed user, by %s",
    async (name) => {
      const { call, company, user } = await testProvider();
      const { id, admin } = await company();
      const { email: takenEmail } = await user(id);
      const former = await user(id, { name: "Fay Former", group: "Accountant" });
      const input = { token: admin.token, params: { id: former.id } };
      await call("removeUser", input);
      const form = { name: former.name, email: takenEmail, staff: "Accountant" };
      expect((await call("updateUser", { ...input, body: form })).status).toBe(200);
      const reactivate = async () =>
        (await call(name, name === "updateUser" ? { ...input, body: { ...form, active: true } } : input)).status;
      for (let n = 0; n < 20; n++) expect(await reactivate()).toBe(name === "updateUser" ? 422 : 409);
      expect(await reactivate()).toBe(429);
    },
  );

  test("does not count if the address was free", async () => {
    const { call, company } = await testProvider();
    const { admin } = await company();
    for (let n = 0; n < 25; n++) {
      const body = { name: "Ada Admin", email: `ada${n}@company.example` };
      expect((await call("updateProfile", { token: admin.token, body })).status).toBe(200);
    }
  });
});
