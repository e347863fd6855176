import { describe, expect, test } from "vitest";
import { hasDatabase, password } from "#tests/fixtures/provider.ts";
import { withIssuer } from "#tests/fixtures/single-sign-on.ts";
import { makeSignInToken } from "../sessions/sign-in-links.ts";
import { issueToken } from "../sessions/tokens.ts";

const suite = describe.runIf(hasDatabase());
const passwords = { password: "a new and longer one", password_confirmation: "a new and longer one" };
const place = { phone: "", role: "", country: "", city: "", index: "", branch: "", info: "" };

/** A provider whose operator has switched passwords off. */
const withPasswordsOff = () => withIssuer({ passwordsOff: true });

suite("with passwords off", () => {
  test("no password signs in, for any client, and the refusal says where to sign in", async () => {
    const { call, admin } = await withPasswordsOff();
    const [right, wrong] = [password, "not the password"].map((claims) =>
      call("login", { body: { email: admin.email, password: claims }, isApi: true }),
    );
    for (const { status, json } of [await right!, await wrong!]) {
      const message = "Passwords are switched off. Sign in with single sign-on: https://sealdesk.example/login";
      expect([status, json.message]).toEqual([422, message]);
    }
    expect((await call("signInWays")).json.passwords).toBe(false);
  });

  test("links that set a password are refused, also those from before", async () => {
    const { call, admin, db, clock } = await withPasswordsOff();
    for (const kind of ["invitation", "reset"] as const) {
      const token = await issueToken(db, kind, admin.id, clock.now);
      expect((await call("signupLink", { token })).status).toBe(409);
      expect((await call("signup", { token, body: passwords })).status).toBe(409);
    }
    const body = { old_password: password, ...passwords };
    expect((await call("changePassword", { token: admin.token, body })).json.errors.old_password[0]).toContain(
      "switched off",
    );
  });

  test("a user who requests a new password gets a mail with the sign-in address", async () => {
    const { call, admin, mails } = await withPasswordsOff();
    await call("forgotPassword", { body: { email: admin.email } });
    expect(mails).toHaveLength(1);
    expect(mails[0]).toMatchObject({ to: admin.email, subject: "How to sign in to Sealdesk" });
    expect(mails[0]!.text).toContain("https://sealdesk.example/login\n");
    expect(mails[0]!.text).not.toContain("token=");
  });

  test("new users are invited to sign in, and have joined once they did", async () => {
    const { call, admin, mails, signIn } = await withPasswordsOff();
    const email = "nina@company.example";
    const body = { name: "Nina", email, staff: "Accountant", ...place };
    const { json: added } = await call("createUser", { token: admin.token, body });
    expect(mails[0]!.text).toContain("You need no password");
    expect(mails[0]!.text).not.toContain("token=");
    const withPassword = { ...body, email: "other@company.example", ...passwords };
    const refused = await call("createUser", { token: admin.token, body: withPassword });
    expect(refused.json.errors.password[0]).toContain("passwords are switched off");
    const readUser = async () =>
      (await call("getUser", { token: admin.token, params: { id: added.id } })).json.invited_at;
    expect(await readUser()).not.toBeNull();
    expect((await signIn({ sub: "nina", email, email_verified: true })).json.user.id).toBe(added.id);
    expect(await readUser()).toBeNull();
    const { json: history } = await call("userHistory", { token: admin.token, params: { id: added.id } });
    const actions = history.map(({ action }: { action: string }) => action);
    expect(actions).toEqual(expect.arrayContaining(["identity connected", "joined", "invited", "added"]));
  });
});

suite("a user without a password", () => {
  test("proves to be there by signing in again", async () => {
    const { call, signIn, mapGroup, clock, configure } = await withIssuer();
    await mapGroup("Administrator", "Owners");
    const person = { sub: "olga", email: "olga@company.example", email_verified: true, groups: ["Owners"] };
    const { token } = (await signIn(person)).json;
    expect((await call("getProfile", { token })).json.has_password).toBe(false);
    clock.now = new Date(clock.now.getTime() + 11 * 60_000);
    expect((await configure({}, token)).json.kind).toBe("proof");
    expect((await call("getSecondFactor", { token })).json).toMatchObject({
      has_password: false,
      passwords_off: false,
    });
    const { json } = await call("prove", { token, body: { current_password: "whatever it is" } });
    expect(json.errors.current_password[0]).toContain("Sign out and in again");
    expect((await configure({}, token)).json.kind).toBe("proof");
    expect((await configure({}, (await signIn(person)).json.token)).status).toBe(200);
    expect((await call("login", { body: { email: person.email, password: "!" } })).status).toBe(422);
  });
});

const signInLinks = async (settings = {}) => {
  const fixture = await withIssuer(settings);
  const make = async (email = fixture.admin.email) =>
    (await makeSignInToken(fixture.db, email, fixture.clock.now))?.token;
  return { ...fixture, make };
};

suite("GET /sign-in-link", () => {
  test("says whom the operator's link is for, and changes nothing", async () => {
    const { call, admin, make } = await signInLinks();
    const token = (await make())!;
    for (const _ of [1, 2]) {
      expect((await call("signInLink", { token })).json).toEqual({ name: "Ada Admin", email: admin.email });
    }
    for (const wrong of ["guessed", admin.token]) expect((await call("signInLink", { token: wrong })).status).toBe(401);
    expect((await call("signInLink")).status).toBe(401);
    expect((await call("currentUser", { token })).status).toBe(401);
  });
});

suite("POST /sign-in-link", () => {
  test("signs in once, within an hour, also with passwords off", async () => {
    const { call, admin, make, clock, me } = await signInLinks({ passwordsOff: true });
    const [earlier, token] = [(await make())!, (await make(admin.email.toUpperCase()))!];
    expect((await call("signInByLink", { token: earlier })).status).toBe(401);
    const { json } = await call("signInByLink", { token });
    expect((await me(json.token)).id).toBe(admin.id);
    expect((await call("signInByLink", { token })).status).toBe(401);
    const lateLink = (await make())!;
    clock.now = new Date(clock.now.getTime() + 60 * 60_000 + 1);
    expect((await call("signInByLink", { token: lateLink })).status).toBe(401);
    const both = (await make())!;
    const replies = await Promise.all([call("signInByLink", { token: both }), call("signInByLink", { token: both })]);
    expect(replies.map(({ status }) => status).toSorted()).toEqual([200, 401]);
  });

  test("is for users who can sign in", async () => {
    const { call, admin, make, user, companyId } = await signInLinks();
    expect(await make("nobody@company.example")).toBeUndefined();
    const removedUser = await user(companyId);
    const token = (await make(removedUser.email))!;
    await call("removeUser", { token: admin.token, params: { id: removedUser.id } });
    expect((await call("signInByLink", { token })).status).toBe(401);
    expect(await make(removedUser.email)).toBeUndefined();
  });
});
