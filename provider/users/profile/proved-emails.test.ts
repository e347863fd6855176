import { describe, expect, test } from "vitest";
import { hasDatabase, password, testProvider } from "#tests/fixtures/provider.ts";
import { withIssuer } from "#tests/fixtures/single-sign-on.ts";
import { issueToken } from "../../sessions/tokens.ts";

const suite = describe.runIf(hasDatabase());

const email = "newstarter@hallam.example";
const starter = { name: "New Starter", email, staff: "Administrator" };
const passwords = { password, password_confirmation: password };
const [chosen, person] = [
  "seven lanterns drift north",
  { sub: "starter", name: "New Starter", email, email_verified: true },
];
const choose = { password: chosen, password_confirmation: chosen };

type Mail = { to: string; subject: string; text: string };
const linkIn = ({ text }: Mail) => /token=(\S+)/.exec(text)![1]!;

/** The operator's identity provider, whose new users come into "Hallam", and another company on the installation. */
async function twoCompanies() {
  const provider = await withIssuer();
  provider.services.singleSignOn!.companyId = provider.companyId;
  const evil = await provider.company("Evil C Ltd");
  const { call, mails, me, signIn } = provider;
  const add = (token: string, more: object = {}) => call("createUser", { token, body: { ...starter, ...more } });
  const invitationFrom = (company: string) =>
    linkIn((mails as Mail[]).findLast(({ to, text }) => to === email && text.includes(company))!);
  const companyOf = async (token: string) => (await me(token)).company.id;
  const forgot = async () => {
    await call("forgotPassword", { body: { email } });
    return (mails as Mail[]).filter(({ to, subject }) => to === email && subject === "Set a new Sealdesk password");
  };
  const signInHere = () => signIn({ ...person, groups: ["Starters"] });
  return { ...provider, evil, add, invitationFrom, companyOf, forgot, signInHere };
}

/** Makes all that others could use to get into an account, or to read for it. */
async function makeAccess(
  { db, clock }: Pick<Awaited<ReturnType<typeof twoCompanies>>, "db" | "clock">,
  user_id: number,
) {
  const at = clock.now.toISOString();
  await db
    .insertInto("second_factors")
    .values({ user_id, secret: "x", set_up_at: at, pending_secret: null, pending_at: null })
    .execute();
  await db.insertInto("recovery_codes").values({ user_id, hash: "x" }).execute();
  await db.insertInto("calendar_feeds").values({ user_id, hash: "x", created_at: at }).execute();
  const key = {
    user_id,
    name: "k",
    hash: "x",
    ending: "x",
    scope: "read",
    areas: "docs",
    created_at: at,
    expires_on: "2099-01-01",
  };
  await db
    .insertInto("api_keys")
    .values(key as never)
    .execute();
  const passkey = {
    user_id,
    credential_id: "x",
    public_key: "x",
    counter: 0,
    transports: "[]",
    name: "p",
    created_at: at,
  };
  await db.insertInto("passkeys").values(passkey).execute();
  return issueToken(db, "session", user_id, clock.now);
}

async function accessLeft({ db }: Pick<Awaited<ReturnType<typeof twoCompanies>>, "db">, userId: number) {
  const tables = [
    "second_factors",
    "recovery_codes",
    "calendar_feeds",
    "api_keys",
    "passkeys",
    "known_browsers",
  ] as const;
  const rows = tables.map((table) => db.selectFrom(table).where("user_id", "=", userId).select("user_id").execute());
  return (await Promise.all(rows)).flat().length;
}

suite("an email address that another company entered", () => {
  test("does not lead a new starter away from the operator's company", async () => {
    const { evil, add, call, mapGroup, signInHere, companyOf, companyId } = await twoCompanies();
    const squatter = await add(evil.admin.token, passwords);
    await mapGroup("Accountant", "Starters");
    const { status, json } = await signInHere();
    expect([status, await companyOf(json.token)]).toEqual([200, companyId]);
    // What company C made is its own user still, and no way into this one.
    const { json: theirs } = await call("login", { body: { email, password } });
    expect([theirs.user.id, await companyOf(theirs.token)]).toEqual([squatter.json.id, evil.id]);
    expect(json.user.id).not.toBe(squatter.json.id);
  });

  test("connects to no user, with a message, until its reader opens a link of that company", async () => {
    const { evil, add, call, signInHere, companyOf, forgot, logged } = await twoCompanies();
    await add(evil.admin.token, passwords);
    const { status, json } = await signInHere();
    expect([status, json.message]).toEqual([422, expect.stringContaining("nobody has shown yet that it is yours")]);
    expect(logged.at(-1)!.event.reason).toContain("who has not proved it");
    const [reset, ...others] = await forgot();
    expect([reset!.text, others]).toEqual([expect.stringContaining("Evil C Ltd"), []]);
    expect((await call("signup", { token: linkIn(reset!), body: choose })).status).toBe(200);
    expect((await call("login", { body: { email, password } })).status).toBe(422);
    const connected = await signInHere();
    expect([connected.status, await companyOf(connected.json.token)]).toEqual([200, evil.id]);
    // A password that the person chose themselves stays.
    expect((await call("login", { body: { email, password: chosen } })).status).toBe(200);
  });

  test("can be added by the person's own company, and then signs in there", async () => {
    const { evil, admin, add, call, companyOf, companyId, companyName, invitationFrom, company, forgot } =
      await twoCompanies();
    await add(evil.admin.token, passwords);
    expect((await add(admin.token)).status).toBe(201);
    // Each company's own user is mailed, until one of them has proved the address.
    expect(await forgot()).toHaveLength(2);
    const joined = await call("signup", { token: invitationFrom(companyName), body: choose });
    expect(await companyOf(joined.json.token)).toBe(companyId);
    expect(await companyOf((await call("login", { body: { email, password: chosen } })).json.token)).toBe(companyId);
    // No company learns of another: adding the address reveals nothing; only its owner gets a mail.
    const third = await company("Third Ltd");
    expect((await add(third.admin.token)).status).toBe(201);
    const second = await call("signup", { token: invitationFrom("Third Ltd"), body: choose });
    expect([second.status, second.json.message]).toEqual([409, expect.stringContaining("at another company here")]);
    expect(await forgot()).toHaveLength(3);
  });

  test("is proved for one of two companies whose links are opened at once", async () => {
    const { evil, admin, add, call, companyName, invitationFrom } = await twoCompanies();
    for (const { token } of [admin, evil.admin]) await add(token);
    const tokens = [companyName, "Evil C Ltd"].map(invitationFrom);
    const replies = await Promise.all(tokens.map((token) => call("signup", { token, body: choose })));
    expect(replies.map(({ status }) => status).toSorted()).toEqual([200, 409]);
  });

  test("is free again for others once its user is removed, who keeps a place of their own", async () => {
    const { admin, add, call, companyName, invitationFrom, company, companyOf } = await twoCompanies();
    const { json } = await add(admin.token);
    await call("signup", { token: invitationFrom(companyName), body: choose });
    await call("removeUser", { token: admin.token, params: { id: json.id } });
    const third = await company("Third Ltd");
    await add(third.admin.token);
    const moved = await call("signup", { token: invitationFrom("Third Ltd"), body: choose });
    expect(await companyOf(moved.json.token)).toBe(third.id);
    expect((await call("reactivateUser", { token: admin.token, params: { id: json.id } })).status).toBe(200);
  });
});

suite("the first proof of an email address", () => {
  test.each(["operator", "own"])("by the %s identity provider ends what others made, and says so", async (which) => {
    const provider = await twoCompanies();
    const { admin, add, call, signIn, mails, configure } = provider;
    const address = which === "own" ? (await configure()).json.sign_in_address.split("/").at(-1) : "";
    const { id } = (await add(admin.token, passwords)).json;
    const session = await makeAccess(provider, id);
    const { status, json } = await signIn(person, { address });
    expect([status, json.user.id, await accessLeft(provider, id)]).toEqual([200, id, 0]);
    expect((await call("currentUser", { token: session })).status).toBe(401);
    expect((await call("login", { body: { email, password } })).status).toBe(422);
    expect(mails.map(({ subject }) => subject).toSorted()).toEqual([
      "Earlier access to your Sealdesk account has ended",
      "Single sign-on was connected to your Sealdesk account",
    ]);
    const { json: trail } = await call("listAudit", { token: admin.token, query: { trail: "changes" } });
    expect(trail.map(({ action }: { action: string }) => action)).toEqual(
      expect.arrayContaining(["identity connected", "earlier access ended"]),
    );
    // What the person makes from now on is theirs.
    await makeAccess(provider, id);
    expect((await signIn(person, { address })).status).toBe(200);
    expect(await accessLeft(provider, id)).toBeGreaterThan(0);
  });

  test("by a reset link ends passkeys and calendars, but never asks less than an authenticator app does", async () => {
    const provider = await twoCompanies();
    const { admin, add, call, forgot, db } = provider;
    const { id } = (await add(admin.token, passwords)).json;
    await makeAccess(provider, id);
    const guarded = await call("signup", { token: linkIn((await forgot()).at(-1)!), body: choose });
    expect(guarded.json).toHaveProperty("second_factor");
    expect(await db.selectFrom("passkeys").select("id").execute()).toHaveLength(1);
    await db.deleteFrom("second_factors").execute();
    await call("signup", { token: linkIn((await forgot()).at(-1)!), body: choose });
    expect(await accessLeft(provider, id)).toBe(0);
  });

  test("is no link that its sender was shown", async () => {
    const { services, evil, add, call, signInHere } = await twoCompanies();
    services.mail = { ...services.mail, isFolder: true };
    const link = new URL((await add(evil.admin.token)).json.invitation.link).searchParams.get("token")!;
    expect((await call("signup", { token: link, body: choose })).status).toBe(200);
    expect((await call("login", { body: { email, password: chosen } })).status).toBe(200);
    expect((await signInHere()).json.message).toContain("nobody has shown yet that it is yours");
  });

  test("by confirming a new address lets single sign-on in, which ends the password of before", async () => {
    const { evil, call, mails, signInHere, companyOf } = await twoCompanies();
    await call("changeEmail", { token: evil.admin.token, body: { email } });
    await call("confirmEmail", { token: linkIn((mails as Mail[]).find(({ to }) => to === email)!) });
    expect((await call("login", { body: { email, password } })).status).toBe(200);
    const { json } = await signInHere();
    expect(await companyOf(json.token)).toBe(evil.id);
    expect((await call("login", { body: { email, password } })).status).toBe(422);
    expect((await call("currentUser", { token: evil.admin.token })).status).toBe(401);
  });

  test("is requested by mail if passwords are off, for users of other companies than the operator's", async () => {
    const { services, evil, admin, add, call, signInHere, invitationFrom, companyOf, mails } = await twoCompanies();
    services.singleSignOn!.passwordsOff = true;
    await add(evil.admin.token);
    expect((await signInHere()).status).toBe(422);
    expect((await call("confirmEmail", { token: invitationFrom("Evil C Ltd") })).status).toBe(204);
    expect(await companyOf((await signInHere()).json.token)).toBe(evil.id);
    await call("createUser", { token: admin.token, body: { ...starter, email: "other@hallam.example" } });
    expect(mails.at(-1)!.text).toMatch(/\/login\n/);
  });
});

suite("a removed user who gets another email address", () => {
  test("is another person, whom nothing of the former one signs in", async () => {
    const provider = await testProvider();
    const { call, company, user, db, clock } = provider;
    const { id: companyId, admin } = await company();
    const former = await user(companyId, { group: "Accountant" });
    const input = { token: admin.token, params: { id: former.id } };
    await makeAccess({ db, clock } as never, former.id);
    await call("removeUser", input);
    await call("updateUser", { ...input, body: { ...starter, staff: "Accountant" } });
    expect(await accessLeft({ db } as never, former.id)).toBe(0);
  });

  test("nor at the identity provider, where the other person signs in", async () => {
    const { call, admin, user, companyId, signIn } = await withIssuer();
    const former = await user(companyId, { group: "Accountant" });
    const asFormer = { sub: "former", email: former.email, email_verified: true };
    expect((await signIn(asFormer)).status).toBe(200);
    const input = { token: admin.token, params: { id: former.id } };
    await call("removeUser", input);
    await call("updateUser", { ...input, body: { ...starter, staff: "Accountant", active: true } });
    expect((await signIn(asFormer)).status).toBe(422);
    expect((await signIn(person)).json.user).toMatchObject({ id: former.id, email });
  });
});
