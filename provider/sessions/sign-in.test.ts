import argon2 from "@node-rs/argon2";
import { metrics } from "#lib/metrics.ts";
import { afterAll, beforeAll, beforeEach, describe, expect, inject, test, vi } from "vitest";
import { type Browser, maxKnown } from "./browsers.ts";
import { newCode } from "../documents/codes.ts";
import { maxConcurrentHashes, maxQueued } from "../passwords/passwords.ts";
import { type CallInput, hasDatabase, password, testProvider } from "#tests/fixtures/provider.ts";
import { issueToken } from "./tokens.ts";

/** Hashes at once and in all; while `gate` is closed, none ends. */
const hashing = { running: 0, most: 0, verified: [] as string[], gate: Promise.resolve() };

// Takes no time, and counts: hundreds of attempts would take minutes on a busy machine.
beforeAll(() => {
  const work = async <T>(result: T) => {
    hashing.most = Math.max(hashing.most, ++hashing.running);
    await hashing.gate;
    hashing.running--;
    return result;
  };
  vi.spyOn(argon2, "hash").mockImplementation((given) => work(`hash of ${String(given)}`));
  vi.spyOn(argon2, "verify").mockImplementation((hash, given) => {
    hashing.verified.push(String(given));
    // The hash of the tests' users was made before.
    const expectedPassword = hash === inject("passwordHash") ? password : String(hash).replace("hash of ", "");
    return work(given === expectedPassword);
  });
});
afterAll(() => vi.restoreAllMocks());

beforeEach(() => Object.assign(hashing, { running: 0, most: 0, verified: [], gate: Promise.resolve() }));

/** Keeps hashes from ending until the returned function is called. */
function closeGate() {
  let open = () => {};
  hashing.gate = new Promise((resolve) => (open = resolve));
  return open;
}

/** As long as a busy machine needs. */
const eventually = <T>(get: () => T) => expect.poll(get, { timeout: 25_000 });

const waitingHashes = async () => (await metrics.hashesWaiting.get()).values[0]!.value;

const suite = describe.runIf(hasDatabase());
const newPassword = "a new and longer one";
const passwords = { password: newPassword, password_confirmation: newPassword };
const firefox: Browser = { token: "token of a browser", label: "Firefox on Windows" };

/** An address of its own network for each number. */
const elsewhere = (n: number) => `198.51.${Math.floor(n / 250)}.${n % 250}`;
/** One of a host's many addresses, all in its /64. */
const ofHost = (n: number) => `2001:db8:1:1::${n.toString(16)}`;

async function fixture(...given: Parameters<typeof testProvider>) {
  const provider = await testProvider(...given);
  const { call, company } = provider;
  const { admin, id: companyId } = await company();
  const signIn = (more: CallInput = {}, given = password) =>
    call("login", { body: { email: admin.email, password: given }, ...more });
  const guess = (address: string, more: CallInput = {}) => signIn({ address, ...more }, "a wrong guess");
  /** The newest link that was mailed. */
  const link = () => /token=(\S+)/.exec(provider.mails.at(-1)!.text)![1]!;
  const reset = async (more: CallInput = {}) => {
    await call("forgotPassword", { body: { email: admin.email } });
    return call("signup", { token: link(), body: passwords, ...more });
  };
  return { ...provider, admin, companyId, signIn, guess, link, reset };
}

suite("hashing", () => {
  test("two passwords at a time; some wait, and the rest gets 503 with Retry-After", async () => {
    const { signIn } = await fixture();
    hashing.most = 0;
    const open = closeGate();
    const answered: number[] = [];
    const all = Array.from({ length: 250 }, async (_, n) => {
      const answer = await signIn({ address: elsewhere(n), body: { email: `u${n}@company.example`, password } });
      answered.push(answer.status);
      return answer;
    });
    const capacity = maxConcurrentHashes + maxQueued;
    await eventually(() => answered.length).toBe(250 - capacity);
    expect(hashing).toMatchObject({ running: maxConcurrentHashes, most: maxConcurrentHashes });
    open();
    const answers = await Promise.all(all);
    const refused = answers.filter(({ status }) => status === 503);
    expect(refused).toHaveLength(250 - capacity);
    expect(answers.filter(({ status }) => status === 422)).toHaveLength(capacity);
    expect(hashing.most).toBeLessThanOrEqual(2);
    expect(Number(refused[0]!.headers.get("retry-after"))).toBeGreaterThan(0);
    expect(refused[0]!.json.message).toContain("Try again in a few seconds");
  });

  test("a known browser's password goes before strangers', and has its own queue", async () => {
    const { signIn } = await fixture();
    await signIn({ browser: firefox });
    const open = closeGate();
    hashing.verified.length = 0;
    const strangers = Array.from({ length: maxQueued + 20 }, (_, n) =>
      signIn({ address: elsewhere(n), body: { email: `u${n}@company.example`, password: "a stranger's" } }),
    );
    await eventually(waitingHashes).toBe(maxQueued);
    const expectedPassword = signIn({ browser: firefox });
    await eventually(waitingHashes).toBe(maxQueued + 1);
    open();
    expect((await expectedPassword).status).toBe(200);
    await Promise.all(strangers);
    expect(hashing.verified.indexOf(password)).toBe(maxConcurrentHashes);
  });

  test("nothing for an aborted request", async () => {
    const { signIn, guess } = await fixture();
    const open = closeGate();
    const running = Array.from({ length: maxConcurrentHashes }, (_, n) => guess(elsewhere(n)));
    await eventually(() => hashing.running).toBe(maxConcurrentHashes);
    const verified = hashing.verified.length;
    const leaving = new AbortController();
    const abortedGuess = guess(elsewhere(9), { signal: leaving.signal });
    await eventually(waitingHashes).toBe(1);
    leaving.abort();
    expect((await abortedGuess).status).toBe(503);
    open();
    await Promise.all(running);
    expect((await signIn()).status).toBe(200);
    expect(hashing.verified).toHaveLength(verified + 1);
  });
});

suite("limits by address", () => {
  test("treat an IPv6 host's addresses as one client", async () => {
    const { call } = await fixture();
    const guess = (n: number, address: string) =>
      call("login", { body: { email: `u${n}@company.example`, password }, address });
    for (let n = 0; n < 100; n++) expect((await guess(n, ofHost(n))).status).toBe(422);
    expect((await guess(100, ofHost(100))).status).toBe(429);
    expect((await guess(100, "2001:DB8:1:2::1")).status).toBe(422);
  });

  test("are higher for the /56 and /48 around it, which do not count refused requests", async () => {
    const { guess } = await fixture({}, { points: (limit, usual) => (limit === "login_account" ? usual / 5 : usual) });
    const inNetwork = async (subnet: number, times: number) => {
      const statuses = [];
      for (let n = 0; n < times; n++) {
        statuses.push((await guess(`2001:db8:1:${subnet.toString(16)}::${n.toString(16)}`)).status);
      }
      return statuses;
    };
    // Two for each /64; eight for the /56; refused ones do not count.
    expect(await inNetwork(0x100, 5)).toEqual([422, 422, 429, 429, 429]);
    for (const subnet of [0x101, 0x102, 0x103]) expect(await inNetwork(subnet, 2)).toEqual([422, 422]);
    expect(await inNetwork(0x104, 1)).toEqual([429]);
    // Thirty-two for the /48.
    for (let n = 0; n < 12; n++) expect(await inNetwork(0x200 + n * 0x100, 2)).toEqual([422, 422]);
    expect(await inNetwork(0xf000, 1)).toEqual([429]);
    expect((await guess("2001:db8:2::1")).status).toBe(422);
  });

  test("normalize addresses, and treat IPv4-mapped ones as IPv4", async () => {
    const { call } = await fixture({}, { points: (limit, usual) => (limit === "login_address" ? 10 : usual) });
    const written = ["192.0.2.9", "::ffff:192.0.2.9", "::FFFF:c000:209", "64:ff9b::192.0.2.9", "2002:c000:209::1"];
    const guess = async (n: number, address: string) =>
      (await call("login", { body: { email: `u${n}@company.example`, password }, address })).status;
    for (let n = 0; n < 10; n++) expect(await guess(n, written[n % 5]!)).toBe(422);
    for (const address of written) expect(await guess(10, address), address).toBe(429);
  });

  const unknownCode = { params: { code: "0000000000000000" } };
  test.each([
    ["sign-ins", "login", 100, { body: { email: "u@company.example", password } }, 429],
    ["requests for links", "forgotPassword", 50, { body: { email: "u@company.example" } }, 429],
    ["links", "signup", 100, { body: passwords }, 429],
    ["checked codes", "verify", 300, unknownCode, 429],
    ["codes that were never issued", "verify", 30, { params: { code: newCode() } }, 429],
    ["pages", "getOpenPage", 2000, { params: { ...unknownCode.params, n: 1 } }, 429],
  ] as const)("are the same for %s", async (_, name, usual, input, refusal) => {
    const { call } = await fixture({}, { points: (_, points) => (points === usual ? 5 : points) });
    for (let n = 0; n < 5; n++)
      expect((await call(name, { ...input, address: ofHost(n) } as CallInput)).status).not.toBe(429);
    expect((await call(name, { ...input, address: ofHost(6) } as CallInput)).status).toBe(refusal);
    expect((await call(name, { ...input, address: "2001:db8:9::1" } as CallInput)).status).not.toBe(429);
  });

  test("apply before any hashing, also to concurrent attempts", async () => {
    const { call } = await fixture({}, { points: (limit, usual) => (limit === "login_address" ? 10 : usual) });
    const all = Array.from({ length: 60 }, (_, n) =>
      call("login", { body: { email: `u${n}@company.example`, password }, address: ofHost(n) }),
    );
    const statuses = (await Promise.all(all)).map(({ status }) => status);
    expect(statuses.filter((status) => status === 429)).toHaveLength(50);
    expect(hashing.verified).toHaveLength(10);
  });
});

suite("strangers who guess at an account", () => {
  test("are refused after ten attempts from a network, without blocking other networks", async () => {
    const { guess, signIn } = await fixture();
    for (let n = 0; n < 10; n++) expect((await guess("192.0.2.7")).status).toBe(422);
    const refused = await signIn({ address: "192.0.2.7" });
    expect(refused.status).toBe(429);
    expect(Number(refused.headers.get("retry-after"))).toBeGreaterThan(0);
    expect(refused.json.message).toMatch(/^Too many attempts. Try again in \d+ minutes\.$/);
    expect((await signIn({ address: "192.0.2.8" })).status).toBe(200);
  });

  test("delay its user by some seconds at most, from however many networks", async () => {
    const { guess, signIn, waits } = await fixture();
    for (let n = 0; n < 40; n++) expect((await guess(elsewhere(n))).status).toBe(422);
    expect((await signIn({ address: "192.0.2.9" })).status).toBe(200);
    expect(waits.slice(0, 6)).toEqual([250, 500, 1000, 2000, 4000, 4000]);
    expect([waits.length, Math.max(...waits)]).toEqual([31, 4000]);
  });

  test("get the same delays if there is no such account", async () => {
    const { call, guess, waits } = await fixture();
    for (let n = 0; n < 15; n++) await guess(elsewhere(n));
    const expectedPassword = waits.splice(0);
    const answers = [];
    for (let n = 0; n < 15; n++) {
      const body = { email: "unused@company.example", password: "a wrong guess" };
      answers.push(await call("login", { body, address: elsewhere(n) }));
    }
    expect(expectedPassword).toHaveLength(5);
    expect(waits).toEqual(expectedPassword);
    expect(answers.map(({ json }) => json)).toEqual(
      answers.map(() => ({ message: "The email or password is not right. Check both and try again." })),
    );
  });

  test("wait in a short queue, and do not affect sign-ins to other accounts", async () => {
    let release = () => {};
    const hashing = new Promise<void>((resolve) => (release = resolve));
    let hashCount = 0;
    const wait = () => {
      hashCount++;
      return hashing;
    };
    const { call, guess, user, companyId } = await fixture({ wait });
    for (let n = 0; n < 10; n++) await guess(elsewhere(n));
    const waiting = Array.from({ length: 10 }, (_, n) => guess(elsewhere(100 + n)));
    await eventually(() => hashCount).toBe(10);
    expect((await guess(elsewhere(200))).status).toBe(503);
    const colleague = await user(companyId);
    const other = await call("login", { body: { email: colleague.email, password }, address: elsewhere(300) });
    expect(other.status).toBe(200);
    release();
    expect((await Promise.all(waiting)).map(({ status }) => status)).toEqual(waiting.map(() => 422));
    expect((await guess(elsewhere(400))).status).toBe(422);
  });

  test("do not affect a known browser, even from its own network", async () => {
    const { call, guess, signIn, waits } = await fixture();
    expect((await signIn({ address: "192.0.2.7", browser: firefox })).status).toBe(200);
    for (let n = 0; n < 12; n++) await guess("192.0.2.7");
    for (let n = 0; n < 20; n++) await guess(elsewhere(n));
    for (let n = 0; n < 100; n++) {
      await call("login", { body: { email: `u${n}@company.example`, password }, address: "192.0.2.7" });
    }
    waits.length = 0;
    expect((await signIn({ address: "192.0.2.7" })).status).toBe(429);
    expect((await signIn({ address: "192.0.2.7", browser: firefox })).status).toBe(200);
    expect(waits).toEqual([]);
  });

  test("at a known browser have ten attempts as elsewhere", async () => {
    const { guess, signIn } = await fixture();
    await signIn({ browser: firefox });
    for (let n = 0; n < 10; n++) expect((await guess("192.0.2.7", { browser: firefox })).status).toBe(422);
    expect((await signIn({ browser: firefox })).status).toBe(429);
    expect((await signIn({ address: "192.0.2.8" })).status).toBe(200);
  });

  test("gain nothing from another account's known browser", async () => {
    const { call, guess, signIn, companyId, user } = await fixture();
    const colleague = await user(companyId);
    await call("login", { body: { email: colleague.email, password }, browser: firefox });
    for (let n = 0; n < 10; n++) await guess("192.0.2.7", { browser: firefox });
    expect((await signIn({ address: "192.0.2.7", browser: firefox })).status).toBe(429);
  });

  test("can't stop its user from setting or using a new password", async () => {
    const { call, guess, reset, waits, admin } = await fixture();
    const address = "192.0.2.7";
    for (let n = 0; n < 12; n++) await guess(address);
    for (let n = 0; n < 20; n++) await guess(elsewhere(n));
    expect((await reset({ browser: firefox, address })).status).toBe(200);
    waits.length = 0;
    const body = { email: admin.email, password: newPassword };
    expect((await call("login", { body, address })).status).toBe(200);
    for (let n = 0; n < 12; n++) await guess(address);
    expect((await call("login", { body, address, browser: firefox })).status).toBe(200);
  });

  test("can't use up its user's links: few are mailed, and the newest works", async () => {
    const { call, admin, mails, link, clock } = await fixture();
    const ask = (n: number) => call("forgotPassword", { body: { email: admin.email }, address: elsewhere(n) });
    for (let n = 0; n < 20; n++) expect((await ask(n)).status).toBe(204);
    expect(mails).toHaveLength(3);
    clock.now = new Date(clock.now.getTime() + 59 * 60_000);
    expect((await ask(21)).status).toBe(204);
    expect((await call("signup", { token: link(), body: passwords })).status).toBe(200);
  });
});

suite("known browsers", () => {
  const browserOf = (n: number): Browser => ({ token: `browser ${n}`, label: "Chrome on Linux" });

  test("are the last twenty that signed in, as hashes by user", async () => {
    const { call, companyId, user, signIn, db, admin, clock } = await fixture();
    for (let n = 0; n < maxKnown + 2; n++) {
      clock.now = new Date(clock.now.getTime() + 60_000);
      await signIn({ browser: browserOf(n) });
    }
    clock.now = new Date(clock.now.getTime() + 60_000);
    await signIn({ browser: browserOf(2) });
    const rows = await db.selectFrom("known_browsers").selectAll().orderBy("id").execute();
    expect(rows).toHaveLength(maxKnown);
    expect(rows[0]).toMatchObject({
      user_id: admin.id,
      label: "Chrome on Linux",
      last_used_at: clock.now.toISOString(),
    });
    expect(rows[0]!.first_used_at < rows[0]!.last_used_at).toBe(true);
    expect(JSON.stringify(rows)).not.toContain("browser 2");
    const colleague = await user(companyId);
    await call("login", { body: { email: colleague.email, password }, browser: browserOf(2) });
    const { hash } = await db
      .selectFrom("known_browsers")
      .where("user_id", "=", colleague.id)
      .select("hash")
      .executeTakeFirstOrThrow();
    expect(rows.map((row) => row.hash)).not.toContain(hash);
  });

  test("are forgotten with the old password, except the one that set the new one", async () => {
    const { call, db, admin, signIn, reset, companyId, user, clock } = await fixture();
    const expectedPassword = (id: number) =>
      db.selectFrom("known_browsers").where("user_id", "=", id).select("label").execute();
    await signIn({ browser: browserOf(1) });
    await signIn({ browser: firefox });
    admin.token = await issueToken(db, "session", admin.id, clock.now);
    const change = { old_password: password, ...passwords };
    expect((await call("changePassword", { token: admin.token, body: change, browser: firefox })).status).toBe(204);
    expect(await expectedPassword(admin.id)).toEqual([{ label: "Firefox on Windows" }]);
    await reset({ browser: browserOf(3) });
    expect(await expectedPassword(admin.id)).toEqual([{ label: "Chrome on Linux" }]);
    admin.token = await issueToken(db, "session", admin.id, clock.now);
    const leaver = await user(companyId);
    await call("login", { body: { email: leaver.email, password }, browser: firefox });
    expect(await expectedPassword(leaver.id)).toHaveLength(1);
    expect((await call("removeUser", { token: admin.token, params: { id: leaver.id } })).status).toBe(204);
    expect(await expectedPassword(leaver.id)).toEqual([]);
  });

  test("are not stored for API clients", async () => {
    const { signIn, db } = await fixture();
    await signIn();
    expect(await db.selectFrom("known_browsers").selectAll().execute()).toEqual([]);
  });
});

suite("an old password", () => {
  test("can't be guessed from one session, without blocking the user's others", async () => {
    const { call, admin, db, clock } = await fixture();
    const sessionToken = await issueToken(db, "session", admin.id, clock.now);
    const change = (token: string, old_password: string) =>
      call("changePassword", { token, body: { old_password, ...passwords } });
    for (let n = 0; n < 10; n++) expect((await change(sessionToken, "a wrong guess")).status).toBe(422);
    expect((await change(sessionToken, password)).status).toBe(429);
    expect((await change(admin.token, password)).status).toBe(204);
  });
});

suite("counts of limits", () => {
  test("are deleted from the database once expired", async () => {
    const { guess, run, db } = await fixture();
    await guess("2001:db8::1");
    const counts = () =>
      db
        .selectFrom("rate_limits" as never)
        .selectAll()
        .execute();
    const countsKept = (await counts()).length;
    const expired = { key: "old", points: 3, expire: Date.now() - 1000 };
    await db
      .insertInto("rate_limits" as never)
      .values(expired as never)
      .execute();
    await run("limits");
    // SQLite's process counts in its memory, so that there are none in the table.
    if (db.getExecutor().adapter.constructor.name === "PostgresAdapter")
      expect(await counts()).toHaveLength(countsKept);
    expect(JSON.stringify(await counts())).not.toMatch(/2001:db8|@company/);
  });
});
