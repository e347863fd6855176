import { describe, expect, test } from "vitest";
import { hasDatabase, password, testProvider, type TestProvider } from "#tests/fixtures/provider.ts";
import { hoursInMs, minutesInMs } from "#lib/units.ts";
import { issueToken } from "./tokens.ts";

const suite = describe.runIf(hasDatabase());

const firefox = { token: "a browser’s token", label: "Firefox on Windows" };
const safari = { token: "another’s", label: "Safari on iPhone" };

/** Signs a user in, and returns the session's token. */
async function signIn({ call }: TestProvider, email: string, browser?: typeof firefox): Promise<string> {
  const { json } = await call("login", { body: { email, password }, ...(browser && { browser }) });
  return json.token;
}

/** An administrator, and a user of the same company with two sessions. */
async function withTwoSessions() {
  const provider = await testProvider();
  const { id, admin } = await provider.company();
  const clerk = await provider.user(id, { group: "Accountant", name: "Cora Clerk" });
  await provider.db.deleteFrom("tokens").where("user_id", "=", clerk.id).execute();
  const first = await signIn(provider, clerk.email, firefox);
  provider.clock.now = new Date(provider.clock.now.getTime() + minutesInMs(20));
  const second = await signIn(provider, clerk.email, safari);
  return { ...provider, company: id, admin, clerk, first, second };
}

suite("GET /profile/sessions", () => {
  test("lists one’s own sessions with browser and times, and marks the current one", async () => {
    const { call, second } = await withTwoSessions();
    const { status, json } = await call("listOwnSessions", { token: second });
    expect(status).toBe(200);
    expect(json).toEqual([
      {
        id: expect.any(Number),
        browser: "Safari on iPhone",
        signed_in_at: "2026-11-21T10:20:00.000Z",
        last_used_at: "2026-11-21T10:20:00.000Z",
        current: true,
      },
      {
        id: expect.any(Number),
        browser: "Firefox on Windows",
        signed_in_at: "2026-11-21T10:00:00.000Z",
        last_used_at: "2026-11-21T10:00:00.000Z",
        current: false,
      },
    ]);
  });

  test("shows no tokens or hashes", async () => {
    const { call, db, second } = await withTwoSessions();
    const { bytes } = await call("listOwnSessions", { token: second });
    const hashes = (await db.selectFrom("tokens").select("hash").execute()).map(({ hash }) => hash);
    for (const secret of [second, ...hashes]) expect(Buffer.from(bytes).toString()).not.toContain(secret);
  });

  test("stores the use of a session every five minutes at most", async () => {
    const { call, db, clock, clerk, second } = await withTwoSessions();
    const usedAt = async () => {
      const sessions = db.selectFrom("tokens").where("user_id", "=", clerk.id).where("browser", "=", safari.label);
      return (await sessions.select("used_at").executeTakeFirstOrThrow()).used_at;
    };
    clock.now = new Date(clock.now.getTime() + minutesInMs(4));
    await call("currentUser", { token: second });
    expect(await usedAt()).toBe("2026-11-21T10:20:00.000Z");
    clock.now = new Date(clock.now.getTime() + minutesInMs(2));
    await call("currentUser", { token: second });
    expect(await usedAt()).toBe("2026-11-21T10:26:00.000Z");
  });

  test("omits idle sessions and links", async () => {
    const { call, db, clock, clerk, second } = await withTwoSessions();
    await issueToken(db, "reset", clerk.id, clock.now);
    clock.now = new Date(clock.now.getTime() + hoursInMs(11) + minutesInMs(50));
    const { json } = await call("listOwnSessions", { token: second });
    expect(json).toMatchObject([{ browser: "Safari on iPhone" }]);
  });

  test("an API client's session has no browser", async () => {
    const provider = await testProvider();
    const { admin } = await provider.company();
    const token = await signIn(provider, admin.email);
    const { json } = await provider.call("listOwnSessions", { token });
    expect(json.find(({ current }: { current: boolean }) => current).browser).toBe("");
  });
});

suite("DELETE /profile/sessions/{id}", () => {
  test("ends that session and no other", async () => {
    const { call, first, second } = await withTwoSessions();
    const { json } = await call("listOwnSessions", { token: second });
    expect((await call("endOwnSession", { token: second, params: { id: json[1].id } })).status).toBe(204);
    expect((await call("currentUser", { token: first })).status).toBe(401);
    expect((await call("currentUser", { token: second })).status).toBe(200);
    expect((await call("endOwnSession", { token: second, params: { id: json[1].id } })).status).toBe(404);
  });

  test("can't end another user’s session", async () => {
    const { call, admin, first, second } = await withTwoSessions();
    const { json } = await call("listOwnSessions", { token: second });
    expect((await call("endOwnSession", { token: admin.token, params: { id: json[1].id } })).status).toBe(404);
    expect((await call("currentUser", { token: first })).status).toBe(200);
  });
});

suite("DELETE /profile/sessions", () => {
  test("ends all but the current one; pending links stay", async () => {
    const { call, db, clock, clerk, first, second } = await withTwoSessions();
    const reset = await issueToken(db, "reset", clerk.id, clock.now);
    expect((await call("endOtherSessions", { token: second })).status).toBe(204);
    expect((await call("currentUser", { token: first })).status).toBe(401);
    expect((await call("currentUser", { token: second })).status).toBe(200);
    expect((await call("signupLink", { token: reset })).status).toBe(200);
  });
});

suite("GET /users/{id}/sessions", () => {
  test("shows a user's sessions to users who may change them", async () => {
    const { call, admin, clerk } = await withTwoSessions();
    const { json } = await call("listUserSessions", { token: admin.token, params: { id: clerk.id } });
    expect(json).toMatchObject([
      { browser: "Safari on iPhone", current: false },
      { browser: "Firefox on Windows", current: false },
    ]);
  });
});

suite("DELETE /users/{id}/sessions/{session}", () => {
  test("ends a session of another user", async () => {
    const { call, admin, clerk, first, second } = await withTwoSessions();
    const { json } = await call("listUserSessions", { token: admin.token, params: { id: clerk.id } });
    const params = { id: clerk.id, session: json[0].id };
    expect((await call("endUserSession", { token: admin.token, params })).status).toBe(204);
    expect((await call("currentUser", { token: second })).status).toBe(401);
    expect((await call("currentUser", { token: first })).status).toBe(200);
  });

  test("finds only sessions of the user in the path", async () => {
    const { call, company, user, admin, clerk, second } = await withTwoSessions();
    const other = await user(company);
    const { json } = await call("listUserSessions", { token: admin.token, params: { id: clerk.id } });
    const params = { id: other.id, session: json[0].id };
    expect((await call("endUserSession", { token: admin.token, params })).status).toBe(404);
    expect((await call("currentUser", { token: second })).status).toBe(200);
  });
});

suite("DELETE /users/{id}/sessions", () => {
  test("ends all of a user’s sessions", async () => {
    const { call, admin, clerk, first, second } = await withTwoSessions();
    expect((await call("endUserSessions", { token: admin.token, params: { id: clerk.id } })).status).toBe(204);
    for (const token of [first, second]) expect((await call("currentUser", { token })).status).toBe(401);
  });

  test("of one’s own, all but the current one", async () => {
    const { call, db, clock, admin } = await withTwoSessions();
    const elsewhere = await issueToken(db, "session", admin.id, clock.now);
    expect((await call("endUserSessions", { token: admin.token, params: { id: admin.id } })).status).toBe(204);
    expect((await call("currentUser", { token: elsewhere })).status).toBe(401);
    expect((await call("currentUser", { token: admin.token })).status).toBe(200);
  });
});

suite("a user with the right to users only", () => {
  test("can neither sign an administrator out nor cancel their email change", async () => {
    const { call, company, admin, group, user, first } = await withTwoSessions();
    await group(company, "Personnel", { users: "C:R/W", docs: "C:R" });
    const { token } = await user(company, { name: "Petra Personnel", group: "Personnel" });
    const params = { id: admin.id };
    const [session] = (await call("listOwnSessions", { token: admin.token })).json;
    expect((await call("endUserSessions", { token, params })).status).toBe(403);
    expect((await call("endUserSession", { token, params: { ...params, session: session.id } })).status).toBe(403);
    expect((await call("cancelUserEmail", { token, params })).status).toBe(403);
    expect((await call("getProfile", { token: admin.token })).status).toBe(200);
    expect((await call("getProfile", { token: first })).status).toBe(200);
  });
});
