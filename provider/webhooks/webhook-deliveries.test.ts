import { createPublicKey, verify } from "node:crypto";
import { Webhook } from "standardwebhooks";
import { Webhook as Svix } from "svix";
import { describe, expect, test } from "vitest";
import { daysInMs, hoursInMs, minutesInMs, secondsInMs } from "#lib/units.ts";
import { afterTests, hasDatabase } from "#tests/fixtures/provider.ts";
import { type Received, startReceiver } from "#tests/fixtures/webhook-receiver.ts";
import { withReceiver } from "#tests/fixtures/webhooks.ts";
import { maxDeliveries } from "../contract/webhook-events.ts";
import { rewrapKeys } from "../seal/keys/re-encrypt.ts";
import { secretKey } from "#lib/seal/wrapping.ts";
import { webhookJob } from "../services.ts";
import { deliverDue } from "./deliver.ts";

/** How deliveries are signed, sent, tried again, given up and bounded. */

const suite = describe.runIf(hasDatabase());

const partsOf = ({ headers, body }: Received) => ({
  id: String(headers["webhook-id"]),
  timestamp: String(headers["webhook-timestamp"]),
  signatures: String(headers["webhook-signature"]).split(" "),
  body,
});

/** Whether a shared secret made one of its signatures; the library's own check compares with this machine's clock. */
function isSignedWith(secret: string, received: Received) {
  const { id, timestamp, signatures, body } = partsOf(received);
  return signatures.includes(new Webhook(secret).sign(id, new Date(secondsInMs(Number(timestamp))), body));
}

/** Whether a public key verifies one of its signatures, by what Standard Webhooks says and nothing of ours. */
function isSignedAsymmetrically(publicKey: string, received: Received) {
  const { id, timestamp, signatures, body } = partsOf(received);
  const x = Buffer.from(publicKey.replace(/^whpk_/, ""), "base64").toString("base64url");
  const key = createPublicKey({ format: "jwk", key: { kty: "OKP", crv: "Ed25519", x } });
  return signatures
    .filter((one) => one.startsWith("v1a,"))
    .some((one) => verify(null, Buffer.from(`${id}.${timestamp}.${body}`), key, Buffer.from(one.slice(4), "base64")));
}

suite("A delivery", () => {
  test("is verified by standardwebhooks, by svix and by its public key, and by no other", async () => {
    const { add, test, deliver, receiver, clock } = await withReceiver();
    clock.now = new Date();
    const { id, secret, public_key } = await add();
    const other = await add({ name: "Other" });
    await test(id);
    await deliver();
    const [received] = receiver.received as [Received];
    const headers = received.headers as Record<string, string>;
    for (const Library of [Webhook, Svix]) {
      expect(() => new Library(secret).verify(received.body, headers)).not.toThrow();
      expect(() => new Library(other.secret).verify(received.body, headers)).toThrow("signature");
      expect(() => new Library(secret).verify(`${received.body} `, headers)).toThrow("signature");
    }
    expect(isSignedAsymmetrically(public_key, received)).toBe(true);
    expect(isSignedAsymmetrically(public_key, { ...received, body: `${received.body} ` })).toBe(false);
    expect(isSignedAsymmetrically(other.public_key, received)).toBe(false);
  });

  test("is signed by both keys for a day after new ones were made, and then by the new one", async () => {
    const { call, token, add, test, deliver, receiver, pass, run, db } = await withReceiver();
    const before = await add();
    const { id } = before;
    const after = (await call("rotateWebhookKey", { token, params: { id }, body: {} })).json as typeof before;
    const signers = async () => {
      await test(id);
      await deliver();
      const received = receiver.received.at(-1)!;
      return [before, after].map((key) => [
        isSignedWith(key.secret, received),
        isSignedAsymmetrically(key.public_key, received),
      ]);
    };
    const both = [true, true];
    const none = [false, false];
    expect(await signers()).toEqual([both, both]);
    pass(daysInMs(1));
    expect(await signers()).toEqual([none, both]);
    await run("old deliveries");
    expect(await db.selectFrom("webhook_keys").select("id").execute()).toHaveLength(1);
  });

  test("is signed after SEAL_SECRET was replaced, and not sent without it", async () => {
    const provider = await withReceiver();
    const { add, test, deliver, receiver, services, db, attempts } = provider;
    const { id, secret } = await add();
    const earlier = services.seals.wrappingKeys;
    const logged: string[] = [];
    services.log.error = (_, message) => void logged.push(message);
    services.seals.wrappingKeys = [secretKey("another secret than that of the tests")];
    const n = await test(id);
    await deliver();
    expect(receiver.received).toEqual([]);
    expect(await attempts(id, n)).toMatchObject([{ status: null, problem: expect.stringContaining("no key") }]);
    expect(logged).toEqual(["webhook keys can't be decrypted"]);
    services.seals.wrappingKeys.push(...earlier);
    await rewrapKeys(db, services.seals.wrappingKeys);
    services.seals.wrappingKeys = services.seals.wrappingKeys.slice(0, 1);
    await test(id);
    await deliver();
    expect(isSignedWith(secret, receiver.received.at(-1)!)).toBe(true);
  });

  test("that fails is tried again ever more seldom, and given up after three days", async () => {
    const { add, test, deliver, receiver, deliveries, attempts, webhook, clock, mails } = await withReceiver();
    receiver.answer = (response) => void response.writeHead(500).end();
    const { id } = await add();
    const n = await test(id);
    const startedAt = clock.now.getTime();
    const times: number[] = [];
    for (let state = "waiting"; state === "waiting";) {
      await deliver();
      times.push(clock.now.getTime() - startedAt);
      const [delivery] = await deliveries(id);
      ({ state } = delivery);
      if (delivery.next_at) clock.now = new Date(delivery.next_at);
    }
    expect(times.length).toBeGreaterThanOrEqual(8);
    expect(times.at(-1)).toBe(daysInMs(3));
    expect(new Set(receiver.received.map(({ headers }) => headers["webhook-id"])).size).toBe(1);
    expect(await attempts(id, n)).toHaveLength(times.length);
    expect(await webhook(id)).toMatchObject({ enabled: false, disabled_because: "failing", failed: 1, waiting: 0 });
    expect(mails.map(({ subject }) => subject)).toEqual(["The webhook “Ledger” was switched off"]);
    expect(mails[0]!.text).toContain(`https://sealdesk.example/webhooks/${id}`);
  });

  test("that is given up does not switch off a webhook that others arrive at", async () => {
    const { add, test, deliver, receiver, webhook, pass, db } = await withReceiver();
    const { id } = await add();
    const n = await test(id);
    receiver.answer = (response, { body }) => void response.writeHead(body.includes("10:00:00") ? 500 : 204).end();
    await deliver();
    pass(daysInMs(3) - 1);
    await test(id);
    await deliver();
    pass(1);
    await db
      .updateTable("webhook_deliveries")
      .set({ next_at: "2026-11-24T10:00:00.000Z" })
      .where("id", "=", n)
      .execute();
    await deliver();
    expect(await webhook(id)).toMatchObject({ enabled: true, failed: 1, waiting: 0 });
  });

  test("waits as long as its receiver asks, with all others to it, but no longer than twelve hours", async () => {
    const { add, test, deliver, receiver, webhook, pass } = await withReceiver();
    receiver.answer = (response) => void response.writeHead(429, { "retry-after": "3600" }).end();
    const { id } = await add();
    await test(id);
    await deliver();
    expect(await webhook(id)).toMatchObject({ paused_until: "2026-11-21T11:00:00.000Z" });
    await test(id);
    pass(hoursInMs(1) - 1);
    await deliver();
    expect(receiver.received).toHaveLength(1);
    receiver.answer = (response) => void response.writeHead(503, { "retry-after": "999999999" }).end();
    pass(1);
    await deliver();
    expect(await webhook(id)).toMatchObject({ paused_until: "2026-11-21T23:00:00.000Z" });
    receiver.answer = (response) => void response.writeHead(204).end();
    pass(hoursInMs(12));
    await deliver();
    expect(await webhook(id)).toMatchObject({ paused_until: null, waiting: 0, failures: 0 });
  });

  test("whose receiver is gone switches the webhook off, with a mail", async () => {
    const { add, test, deliver, receiver, webhook, mails, call, token } = await withReceiver();
    receiver.answer = (response) => void response.writeHead(410).end();
    const { id } = await add();
    await test(id);
    await deliver();
    await deliver();
    expect(receiver.received).toHaveLength(1);
    expect(await webhook(id)).toMatchObject({ enabled: false, disabled_because: "gone", failed: 1 });
    expect(mails).toHaveLength(1);
    const trail = await call("listAudit", { token, query: { entity: "webhook", actor: "Sealdesk" } });
    expect(trail.json).toMatchObject([
      { action: "changed", changes: [{ field: "enabled" }, { field: "disabled_because" }] },
    ]);
  });

  test("is sent to the address that the host had when it was checked, and nowhere once it became private", async () => {
    const addresses = ["93.184.215.14", "10.0.0.1"];
    const resolve = async () => [{ address: addresses.shift()!, family: 4 }];
    const { add, test, deliver, attempts } = await withReceiver({ webhooks: { allowedHosts: [], resolve } });
    const { id } = await add({ url: "https://rebinding.example/" });
    const n = await test(id);
    await deliver();
    expect(await attempts(id, n)).toMatchObject([
      { status: null, problem: expect.stringContaining("not on the public") },
    ]);
    expect(addresses).toEqual([]);
  });

  test("that was cut off in the middle is sent again under its id", async () => {
    const { add, test, deliver, receiver, services, ...more } = await withReceiver();
    const { id } = await add();
    await test(id);
    const stop = new AbortController();
    receiver.answer = () => stop.abort();
    await deliverDue(services, stop.signal);
    expect(await more.deliveries(id)).toMatchObject([{ state: "waiting", attempts: 0 }]);
    receiver.answer = (response) => void response.writeHead(204).end();
    await deliver();
    const ids = receiver.received.map(({ headers }) => headers["webhook-id"]);
    expect(ids).toEqual([ids[0], ids[0]]);
    expect(await more.deliveries(id)).toMatchObject([{ state: "delivered", attempts: 1 }]);
  });

  test("that hangs holds up neither others nor other companies", async () => {
    const provider = await withReceiver();
    const { add, test, receiver, company, call, run, token, issue } = provider;
    receiver.answer = () => {};
    const hanging = await add();
    for (let n = 0; n < 20; n++) await test(hanging.id);
    const well = await startReceiver();
    afterTests(well.close);
    await add({ name: "Well", url: well.url });
    const other = await company("Other");
    const body = { name: "Theirs", url: well.url, events: ["document.issued"] };
    await call("createWebhook", { token: other.admin.token, body });
    await issue(token);
    await issue(other.admin.token);
    const running = run(webhookJob);
    while (well.received.length < 2) await well.next();
    // What happens meanwhile is sent as well, while the others still hang.
    await issue(other.admin.token);
    await well.next();
    expect(well.received).toHaveLength(3);
    expect(receiver.received.length).toBeLessThanOrEqual(4);
    receiver.answer = (response) => void response.writeHead(204).end();
    await receiver.close();
    await running;
  });
});

suite("The outbox", () => {
  test("is bounded: finished ones go first, then the oldest waiting ones, which are counted", async () => {
    const { add, test, deliver, webhook, deliveries, db, receiver } = await withReceiver();
    receiver.answer = (response) => void response.writeHead(500).end();
    const { id } = await add();
    const rows = Array.from({ length: maxDeliveries - 1 }, (_, n) => ({
      webhook_id: id,
      event_id: `evt_${n}`,
      event: "document.issued" as const,
      body: "{}",
      state: n === 5 ? ("failed" as const) : ("waiting" as const),
      created_at: "2026-11-21T09:00:00.000Z",
      begun_at: "2026-11-21T09:00:00.000Z",
      next_at: n === 5 ? null : "2026-11-22T09:00:00.000Z",
      attempts: 1,
    }));
    for (let at = 0; at < rows.length; at += 1000) {
      await db
        .insertInto("webhook_deliveries")
        .values(rows.slice(at, at + 1000))
        .execute();
    }
    await test(id);
    expect(await webhook(id)).toMatchObject({ waiting: maxDeliveries - 1, failed: 1, dropped: 0 });
    await test(id);
    expect(await webhook(id)).toMatchObject({ waiting: maxDeliveries, failed: 0, dropped: 0 });
    await test(id);
    await test(id);
    expect(await webhook(id)).toMatchObject({
      waiting: maxDeliveries,
      dropped: 2,
      dropped_at: "2026-11-21T10:00:00.000Z",
    });
    const remaining = await deliveries(id, { sort: "created_at", per_page: 1 });
    expect(remaining).toMatchObject([{ event_id: "evt_2" }]);
    await deliver();
    expect(receiver.received.length).toBe(4);
    // An outage in which all failed: some are tried, then the webhook pauses and leaves the rest in peace.
    await db.updateTable("webhook_deliveries").set({ next_at: "2026-11-21T10:00:00.000Z" }).execute();
    await deliver();
    expect(receiver.received.length).toBe(10);
    expect(await webhook(id)).toMatchObject({ failures: 10, paused_until: "2026-11-21T10:01:00.000Z" });
  });

  test("deletes finished ones after 30 days, and unsent ones of disabled webhooks, which are counted", async () => {
    const { call, token, add, test, deliver, webhook, run, pass } = await withReceiver();
    const { id } = await add();
    await test(id);
    await deliver();
    await test(id);
    await call("disableWebhook", { token, params: { id } });
    pass(daysInMs(30));
    await run("old deliveries");
    expect(await webhook(id)).toMatchObject({ waiting: 1, dropped: 0 });
    pass(minutesInMs(1));
    await run("old deliveries");
    expect(await webhook(id)).toMatchObject({ waiting: 0, dropped: 1 });
  });
});
