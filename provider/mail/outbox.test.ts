import { describe, expect, test } from "vitest";
import { inviteUser } from "../contract/users.ts";
import { hasDatabase, testProvider } from "#tests/fixtures/provider.ts";
import { daysInMs, hoursInMs, minutesInMs } from "#lib/units.ts";
import { tokenHash } from "../sessions/tokens.ts";
import { sendInvitation } from "../users/invite.ts";
import { type OutgoingMessage, type Mail, DeliveryError } from "./mail.ts";
import { enqueueMessage, isMailFailing, sendDue } from "./outbox.ts";

const suite = describe.runIf(hasDatabase());
const never = new AbortController().signal;

const newcomer = { name: "Nora New", email: "nora@company.example", staff: "Accountant" };

/** A mail server that can refuse. */
function server() {
  const messages: OutgoingMessage[] = [];
  const tried: OutgoingMessage[] = [];
  const state = { refusal: undefined as Error | undefined, taken: messages, tried };
  const mail: Mail = {
    async send(letter) {
      tried.push(letter);
      if (state.refusal) throw state.refusal;
      messages.push(letter);
    },
  };
  return { state, mail };
}

const down = () => new DeliveryError("ECONNREFUSED");
const unknown = () => new DeliveryError("550 No such user", { isOfMessage: true, isPermanent: true });
const busy = () => new DeliveryError("451 Try later", { isOfMessage: true });

/** A company whose mail goes to such a server, and what is logged. */
async function fixture() {
  const { state, mail } = server();
  const logged: { event: object; message: string }[] = [];
  const log = {
    info: () => {},
    warn: () => {},
    error: (event: object, message: string) => void logged.push({ event, message }),
  };
  const provider = await testProvider({ mail, log });
  const { id: companyId, admin } = await provider.company();
  const { clock, db, services, call, run } = provider;
  const advance = (time: number) => void (clock.now = new Date(clock.now.getTime() + time));
  const waiting = () => db.selectFrom("outbox").selectAll().orderBy("id").execute();
  const add = (email = newcomer.email) => call("createUser", { token: admin.token, body: { ...newcomer, email } });
  /** A message without a link. */
  const write = (subject: string) =>
    enqueueMessage(services, db, { to: admin.email, subject, text: "Hello" }, { userId: admin.id });
  const send = () => run("mail");
  return { ...provider, companyId, admin, state, logged, advance, waiting, add, write, send };
}

suite("a message", () => {
  test("is written in the transaction that causes it", async () => {
    const { add, call, admin, db, state } = await fixture();
    state.refusal = down();
    await add();
    expect(await db.selectFrom("outbox").select("recipient").execute()).toEqual([{ recipient: newcomer.email }]);
    expect((await add()).status).toBe(422);
    expect((await call("inviteUser", { token: admin.token, params: { id: 999 } })).status).toBe(404);
    expect(await db.selectFrom("outbox").select("recipient").execute()).toHaveLength(1);
    expect(await db.selectFrom("users").where("email", "=", newcomer.email).select("id").execute()).toHaveLength(1);
  });

  test("that can't be written rolls its cause back", async () => {
    const { add, call, admin, companyId, db, services, state } = await fixture();
    const { json: user } = await add();
    const token = /token=(\S+)/.exec(state.taken[0]!.text)![1]!;
    await db.schema.dropTable("outbox").execute();
    const caller = { company_id: companyId, session: tokenHash(admin.token), access: inviteUser.access };
    await expect(sendInvitation(services, caller, user.id)).rejects.toThrow("outbox");
    expect((await call("signupLink", { token })).status).toBe(200);
  });

  test("is deleted once it is sent", async () => {
    const { add, state, waiting } = await fixture();
    await add();
    expect(state.taken.map(({ to }) => to)).toEqual([newcomer.email]);
    expect(await waiting()).toEqual([]);
  });

  test("is sent once by two processes at the same time", async () => {
    const { services, state, write } = await fixture();
    for (let n = 0; n < 10; n++) await write(`Message ${n}`);
    await Promise.all([1, 2, 3].map(() => sendDue(services, never)));
    expect(state.taken.map(({ subject }) => subject).toSorted()).toEqual(
      [...Array(10).keys()].map((n) => `Message ${n}`),
    );
  });

  test("is sent in order", async () => {
    const { state, write, send, advance } = await fixture();
    for (const subject of ["first", "second", "third"]) {
      await write(subject);
      advance(1);
    }
    await send();
    expect(state.taken.map(({ subject }) => subject)).toEqual(["first", "second", "third"]);
  });

  test("is sent again under the same id when its claim expires", async () => {
    const { services, state, write, advance, waiting, mail } = { ...(await fixture()), ...server() };
    await write("Hello");
    const [row] = await waiting();
    // Accepted by the server, and the process is gone before it can note so.
    const dies: Mail = { send: () => new Promise(() => {}) };
    void sendDue({ ...services, mail: dies }, never);
    await expect.poll(async () => (await waiting())[0]!.claimed_until).not.toBeNull();
    advance(minutesInMs(1.9));
    await sendDue({ ...services, mail }, never);
    expect(state.taken).toEqual([]);
    advance(minutesInMs(0.2));
    await sendDue({ ...services, mail }, never);
    expect(state.taken.map(({ id }) => id)).toEqual([row!.message_id]);
    expect(await waiting()).toEqual([]);
  });
});

suite("a message that could not be sent", () => {
  test("is retried with back-off, unchanged, until it is accepted", async () => {
    const { state, add, advance, send, clock, logged } = await fixture();
    state.refusal = down();
    const start = clock.now.getTime();
    await add();
    const times: number[] = [];
    while (state.tried.length < 8) {
      advance(minutesInMs(1));
      const before = state.tried.length;
      await send();
      if (state.tried.length > before) times.push(clock.now.getTime() - start);
    }
    const gaps = times.map((time, index) => time - (times[index - 1] ?? 0));
    const expected = [
      minutesInMs(1),
      minutesInMs(5),
      minutesInMs(15),
      hoursInMs(1),
      hoursInMs(3),
      hoursInMs(6),
      hoursInMs(6),
    ];
    for (const [index, gap] of gaps.entries()) {
      expect(gap).toBeGreaterThanOrEqual(expected[index]! * 0.8);
      expect(gap).toBeLessThanOrEqual(expected[index]! * 1.2 + minutesInMs(1));
    }
    state.refusal = undefined;
    advance(hoursInMs(8));
    await send();
    expect(state.taken).toHaveLength(1);
    expect(new Set(state.tried.map((letter) => JSON.stringify(letter))).size).toBe(1);
    expect(JSON.stringify(logged)).not.toMatch(/token=\w/);
  });

  test("is given up after two days, and its text is deleted", async () => {
    const { state, write, advance, send, run, waiting, logged } = await fixture();
    state.refusal = down();
    await write("Hello");
    for (let n = 0; n < 50; n++) {
      await send();
      advance(hoursInMs(1));
    }
    const [row] = await waiting();
    expect(row).toMatchObject({ text: "", given_up_at: expect.any(String) });
    expect(logged.at(-1)).toMatchObject({ message: "message dropped" });
    const before = state.tried.length;
    advance(daysInMs(1));
    await send();
    expect(state.tried).toHaveLength(before);
    advance(daysInMs(30));
    await run("expired");
    expect(await waiting()).toEqual([]);
  });

  test("is given up at once for an unknown recipient, which the inviter sees", async () => {
    const { state, add, call, admin, advance, send } = await fixture();
    state.refusal = unknown();
    const { json: user } = await add();
    advance(hoursInMs(1));
    await send();
    expect(state.tried).toHaveLength(1);
    const look = async () => (await call("getUser", { token: admin.token, params: { id: user.id } })).json.undelivered;
    expect(await look()).toBe(true);
    state.refusal = undefined;
    await call("inviteUser", { token: admin.token, params: { id: user.id } });
    expect(state.taken).toHaveLength(1);
    expect(await look()).toBe(false);
  });

  test("says of the mail server that it fails only if others would fail as well", async () => {
    const { state, write, send, advance, services } = await fixture();
    state.refusal = busy();
    await write("Hello");
    await send();
    expect([state.tried.length, await isMailFailing(services)]).toEqual([1, false]);
    for (const [refusal, isFailing] of [
      [down(), true],
      [busy(), false],
      [down(), true],
      [undefined, false],
    ] as const) {
      state.refusal = refusal;
      advance(hoursInMs(4));
      await send();
      expect(await isMailFailing(services)).toBe(isFailing);
    }
  });

  test("does not block others unless the server is unreachable", async () => {
    const { state, write, send } = await fixture();
    for (const subject of ["one", "two", "three"]) await write(subject);
    state.refusal = down();
    await send();
    expect(state.tried).toHaveLength(1);
    state.refusal = busy();
    await send();
    expect(state.tried.map(({ subject }) => subject)).toEqual(["one", "two", "three"]);
  });
});

suite("a message with a link", () => {
  test("is dropped when its link is expired, used or replaced", async () => {
    const { state, add, call, admin, advance, send, waiting } = await fixture();
    state.refusal = down();
    await call("forgotPassword", { body: { email: admin.email } });
    expect(await waiting()).toHaveLength(1);
    advance(hoursInMs(1));
    state.refusal = undefined;
    await send();
    expect([await waiting(), state.taken]).toEqual([[], []]);

    state.refusal = down();
    const { json: user } = await add();
    await call("inviteUser", { token: admin.token, params: { id: user.id } });
    const [only, ...others] = await waiting();
    expect([only!.recipient, others]).toEqual([newcomer.email, []]);
    const body = { ...newcomer, email: "norah@company.example" };
    await call("updateUser", { token: admin.token, params: { id: user.id }, body });
    expect((await waiting()).map(({ recipient }) => recipient)).toEqual([body.email]);
  });

  test("to a removed user is not sent", async () => {
    const { state, user, companyId, call, admin, services, db, waiting, send } = await fixture();
    const leaver = await user(companyId);
    await enqueueMessage(services, db, { to: leaver.email, subject: "News", text: "" }, { userId: leaver.id });
    await call("removeUser", { token: admin.token, params: { id: leaver.id } });
    await send();
    expect([await waiting(), state.taken]).toEqual([[], []]);
  });
});

suite("a forgotten password", () => {
  test("is queued alike for every address, and mailed to users", async () => {
    const { services, call, admin, db, state, run } = await fixture();
    const nudge = services.nudgeMail;
    services.nudgeMail = () => {};
    for (const email of ["nobody@company.example", admin.email]) await call("forgotPassword", { body: { email } });
    expect(await db.selectFrom("reset_requests").selectAll().execute()).toHaveLength(2);
    expect(await db.selectFrom("outbox").selectAll().execute()).toEqual([]);
    services.nudgeMail = nudge;
    await run("mail");
    expect(state.taken.map(({ to }) => to)).toEqual([admin.email]);
    expect(await db.selectFrom("reset_requests").selectAll().execute()).toEqual([]);
  });
});
