import { describe, expect, test } from "vitest";
import { hasDatabase } from "#tests/fixtures/provider.ts";
import { withIssuer } from "#tests/fixtures/single-sign-on.ts";
import { openSession } from "../sessions/tokens.ts";

const nina = { sub: "nina", name: "Nina Newcomer", email: "nina@company.example", email_verified: true };

/** With the company's accountants being the members of "Finance". */
async function withMap(...parameters: Parameters<typeof withIssuer>) {
  const fixture = await withIssuer(...parameters);
  await fixture.mapGroup("Accountant", "Auditors\nFinance");
  return fixture;
}

describe.runIf(hasDatabase())("rights of a claim", () => {
  test("a first sign-in makes a user in the access group that the claim gives", async () => {
    const { signIn, me, call, admin } = await withMap();
    const { status, json } = await signIn({ ...nina, groups: ["Everybody", "Finance"] });
    expect(status).toBe(200);
    expect(await me(json.token)).toMatchObject({ name: nina.name, email: nina.email, staff: "Accountant", branch: "" });
    const { json: history } = await call("userHistory", { token: admin.token, params: { id: json.user.id } });
    expect(history[0]).toMatchObject({ actor: "Single sign-on", action: "added" });
    // They have joined: no invitation can let them set a password.
    const invited = await call("inviteUser", { token: admin.token, params: { id: json.user.id } });
    expect(invited.status).toBe(409);
  });

  test("without a group that gives one, without a verified email or without a name, none is made", async () => {
    const { signIn, db } = await withMap();
    const users = async () => (await db.selectFrom("users").select("id").execute()).length;
    const before = await users();
    for (const claims of [{ groups: ["finance"] }, { groups: [] }, {}, { groups: "Everybody" }]) {
      const { status, json } = await signIn({ ...nina, ...claims });
      expect([status, json.message]).toEqual([422, expect.stringContaining("You have no account here yet")]);
    }
    expect((await signIn({ ...nina, groups: ["Finance"], email_verified: false })).status).toBe(422);
    expect((await signIn({ ...nina, groups: ["Finance"], email: "no address" })).status).toBe(422);
    expect(await users()).toBe(before);
    expect(
      (await signIn({ sub: "x", email: "x@company.example", email_verified: true, groups: "Finance" })).json.user.name,
    ).toBe("x");
  });

  test("of several access groups, the one with the most rights counts", async () => {
    const { signIn, mapGroup } = await withMap();
    await mapGroup("Branch Inspector", "Finance");
    expect((await signIn({ ...nina, groups: ["Finance"] })).json.user.staff).toBe("Accountant");
    await mapGroup("Administrator", "Owners");
    expect((await signIn({ ...nina, groups: ["Owners", "Finance"] })).json.user.staff).toBe("Administrator");
    expect((await signIn({ ...nina, groups: ["Finance"] })).json.user.staff).toBe("Accountant");
  });

  test("a claim that goes takes the rights with it at the next sign-in, and brings them back", async () => {
    const { signIn, call, admin, logged } = await withMap();
    const { token, user } = (await signIn({ ...nina, groups: ["Finance"] })).json;
    const refused = await signIn({ ...nina, groups: ["Everybody"] });
    expect([refused.status, refused.json.message]).toEqual([
      422,
      expect.stringContaining("None of your groups at the identity provider lets you in"),
    ]);
    expect(logged.at(-1)!.event.reason).toBe("the claim that gave the access group has gone");
    // Other sessions end as well.
    expect((await call("currentUser", { token })).status).toBe(401);
    const removed = async () => (await call("getUser", { token: admin.token, params: { id: user.id } })).json.active;
    expect(await removed()).toBe(false);
    expect((await signIn({ ...nina, groups: [] })).status).toBe(422);
    expect((await signIn({ ...nina, groups: ["Auditors"] })).json.user).toMatchObject({ id: user.id, active: true });
    const { json: history } = await call("userHistory", { token: admin.token, params: { id: user.id } });
    expect(history.map(({ action, actor }: { action: string; actor: string }) => [action, actor])).toEqual([
      ["reactivated", "Single sign-on"],
      ["removed", "Single sign-on"],
      ["added", "Single sign-on"],
    ]);
  });

  test("an administrator's hand counts for more than a claim that has gone, and less than one that is there", async () => {
    const { signIn, call, admin, user, companyId } = await withMap();
    const { id } = (await signIn({ ...nina, groups: ["Finance"] })).json.user;
    await signIn({ ...nina, groups: [] });
    await call("reactivateUser", { token: admin.token, params: { id } });
    expect((await signIn({ ...nina, groups: [] })).status).toBe(200);
    // Users in a group without a claim of theirs stay in it.
    const ivan = await user(companyId, { group: "Branch Inspector" });
    const person = { sub: "ivan", email: ivan.email, email_verified: true };
    expect((await signIn({ ...person, groups: [] })).json.user.staff).toBe("Branch Inspector");
    expect((await signIn({ ...person, groups: ["Finance"] })).json.user.staff).toBe("Accountant");
    await call("removeUser", { token: admin.token, params: { id: ivan.id } });
    expect((await signIn({ ...person, groups: ["Finance"] })).json.message).toContain("was removed");
  });

  test("a claim that comes back opens no session that a sign-in left which the removal overtook", async () => {
    const { signIn, me, db } = await withMap();
    const { id } = (await signIn({ ...nina, groups: ["Finance"] })).json.user;
    await signIn({ ...nina, groups: [] });
    const late = await openSession(db, id, undefined, { now: new Date() });
    const { json } = await signIn({ ...nina, groups: ["Finance"] });
    expect(await me(json.token)).toMatchObject({ name: nina.name });
    expect(await me(late)).toEqual({ message: "Sign in first" });
  });

  test("a claim that comes back brings nobody back whom an administrator reactivated and removed since", async () => {
    const { signIn, call, admin } = await withMap();
    const { id } = (await signIn({ ...nina, groups: ["Finance"] })).json.user;
    await signIn({ ...nina, groups: [] });
    await call("reactivateUser", { token: admin.token, params: { id } });
    await call("removeUser", { token: admin.token, params: { id } });
    const { status, json } = await signIn({ ...nina, groups: ["Finance"] });
    expect([status, json.message]).toEqual([422, expect.stringContaining("Your account was removed")]);
  });

  test("the last administrator keeps the account, but comes in no more without the claim", async () => {
    const { signIn, admin, mapGroup, call, user, companyId } = await withMap();
    await mapGroup("Administrator", "Owners");
    const ada = { sub: "ada", email: admin.email, email_verified: true };
    const { token } = (await signIn({ ...ada, groups: ["Owners"] })).json;
    for (const groups of [["Finance"], []]) {
      expect((await signIn({ ...ada, groups })).json.message).toContain("you are the last one");
    }
    expect((await call("currentUser", { token })).status).toBe(401);
    expect((await signIn({ ...ada, groups: ["Owners"] })).json.user.staff).toBe("Administrator");
    await user(companyId);
    expect((await signIn({ ...ada, groups: ["Finance"] })).json.user.staff).toBe("Accountant");
  });

  test("too many groups to list take no rights away", async () => {
    const { signIn, me } = await withMap();
    const { token } = (await signIn({ ...nina, groups: ["Finance"] })).json;
    const elsewhere = {
      _claim_names: { groups: "src1" },
      _claim_sources: { src1: { endpoint: "https://graph.example" } },
    };
    for (const claims of [elsewhere, { groups: Array.from({ length: 1001 }, (_, n) => `Group ${n}`) }]) {
      const { status, json } = await signIn({ ...nina, ...claims });
      expect([status, json.message]).toEqual([422, expect.stringContaining("as there are too many")]);
    }
    expect((await me(token)).staff).toBe("Accountant");
  });

  test("with several companies, users are made in the one that the operator named, and nowhere else", async () => {
    const { signIn, company, mapGroup, db } = await withMap();
    const other = await company();
    await mapGroup("Accountant", "Finance", other.id);
    expect((await signIn({ ...nina, groups: ["Finance"] })).json.message).toContain("no account here yet");
    const named = await withMap();
    await named.company();
    named.services.singleSignOn!.companyId = named.companyId;
    const { json } = await named.signIn({ ...nina, groups: ["Finance"] });
    const row = await named.db
      .selectFrom("users")
      .where("id", "=", json.user.id)
      .select("company_id")
      .executeTakeFirst();
    expect(row!.company_id).toBe(named.companyId);
    expect(await db.selectFrom("users").where("company_id", "=", other.id).select("id").execute()).toHaveLength(1);
  });

  test("the operator's identity provider lets users of every company in", async () => {
    const { signIn, company, me } = await withMap();
    const other = await company();
    const { json } = await signIn({ sub: "other", email: other.admin.email, email_verified: true });
    expect((await me(json.token)).company.id).toBe(other.id);
  });

  test("two first sign-ins at once make one user", async () => {
    const { signIn, db } = await withMap();
    const claims = { ...nina, groups: ["Finance"] };
    const replies = await Promise.all([signIn(claims), signIn(claims)]);
    expect(replies.map(({ status }) => status)).toEqual([200, 200]);
    expect(await db.selectFrom("users").where("email", "=", nina.email).select("id").execute()).toHaveLength(1);
  });

  test("access groups name groups one a line, and no more rights than who names them has", async () => {
    const { call, admin, companyId, group, user } = await withMap();
    const body = { name: "Auditors", docs: "C:R", identity_groups: "  One  \n\n Two\r\nThree" };
    const { json } = await call("createAccessGroup", { token: admin.token, body });
    expect(json.identity_groups).toBe("One\nTwo\nThree");
    const params = { id: json.id };
    await call("updateAccessGroup", { token: admin.token, params, body: { name: "Auditors", docs: "C:R" } });
    expect((await call("getAccessGroup", { token: admin.token, params })).json.identity_groups).toBe("One\nTwo\nThree");
    const long = { ...body, name: "Long", identity_groups: "x".repeat(201) };
    expect((await call("createAccessGroup", { token: admin.token, body: long })).json.errors).toHaveProperty(
      "identity_groups",
    );
    await group(companyId, "Clerks", { roles: "C:R/C", docs: "C:R" });
    const clerk = await user(companyId, { group: "Clerks" });
    const more = { name: "Mine", docs: "C:R/W", identity_groups: "Everybody" };
    expect((await call("createAccessGroup", { token: clerk.token, body: more })).status).toBe(422);
  });
});
