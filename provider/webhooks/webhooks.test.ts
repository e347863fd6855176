import { describe, expect, test } from "vitest";
import { hasDatabase } from "#tests/fixtures/provider.ts";
import { withReceiver } from "#tests/fixtures/webhooks.ts";

/** Webhooks and their deliveries as calls show and change them. */

const suite = describe.runIf(hasDatabase());

const body = { name: "Ledger", url: "https://hooks.example/sealdesk?key=hidden", events: ["document.issued"] };
const resolve = async () => [{ address: "93.184.215.14", family: 4 }];
const settings = { webhooks: { allowedHosts: ["127.0.0.1"], resolve } };

suite("POST /webhooks", () => {
  test("adds a webhook, with a secret that no other reply has", async () => {
    const { call, token, db } = await withReceiver(settings);
    const { status, json } = await call("createWebhook", { token, body });
    expect(status).toBe(201);
    expect(json.secret).toMatch(/^whsec_[\w+/]{43}=$/);
    expect(json.public_key).toMatch(/^whpk_[\w+/]{43}=$/);
    const webhookReply = await call("getWebhook", { token, params: { id: json.id } });
    expect(webhookReply.json).toMatchObject({ ...body, enabled: true, waiting: 0, public_key: json.public_key });
    const stored = JSON.stringify(await db.selectFrom("webhook_keys").selectAll().execute());
    for (const text of [JSON.stringify(webhookReply.json), stored]) expect(text).not.toContain(json.secret.slice(6));
  });

  test("is in the audit trail without the secret part of the address", async () => {
    const { call, token } = await withReceiver(settings);
    const { json } = await call("createWebhook", { token, body });
    const params = { id: json.id };
    await call("updateWebhook", { token, params, body: { ...body, url: "https://hooks.example/other" } });
    await call("rotateWebhookKey", { token, params, body: {} });
    const trail = await call("listAudit", { token, query: { entity: "webhook" } });
    expect(trail.json.map(({ action, changes }: { action: string; changes: unknown }) => [action, changes])).toEqual([
      ["changed", [{ field: "key", before: null, after: "a new one" }]],
      ["changed", [{ field: "address", before: null, after: "a new one" }]],
      [
        "added",
        [
          { field: "name", before: null, after: "Ledger" },
          { field: "url", before: null, after: "https://hooks.example" },
          { field: "events", before: null, after: "document.issued" },
        ],
      ],
    ]);
    expect(JSON.stringify(trail.json)).not.toMatch(/hidden|whsec_/);
  });

  test.each([
    [{ name: "" }, { name: ["Enter the name"] }],
    [{ url: "" }, { url: ["Enter the address"] }],
    [{ url: "hooks" }, { url: ["Enter an address like https://hooks.example/sealdesk"] }],
    [{ url: "http://hooks.example" }, { url: ["Enter an address that begins with https://"] }],
    [{ url: "https://169.254.169.254/" }, { url: [expect.stringContaining("not on the public internet")] }],
    [{ url: "https://[::ffff:127.0.0.1]/" }, { url: [expect.stringContaining("not on the public internet")] }],
    [{ url: `https://hooks.example/${"x".repeat(500)}` }, { url: ["Shorten the address to 500 characters"] }],
    [{ events: [] }, { events: ["Choose at least one event"] }],
    [{ events: ["document.read"] }, { "events[0]": ["Choose from the list of events"] }],
  ])("refuses %o", async (wrong, errors) => {
    const { call, token } = await withReceiver(settings);
    const refused = await call("createWebhook", { token, body: { ...body, ...wrong } });
    expect([refused.status, refused.json.errors]).toEqual([422, errors]);
  });

  test("says the same of a host that is unknown and of one that is private", async () => {
    const unknown = () => Promise.reject(new Error("ENOTFOUND"));
    const answers = [];
    for (const resolve of [unknown, async () => [{ address: "10.0.0.1", family: 4 }]]) {
      const { call, token } = await withReceiver({ webhooks: { allowedHosts: [], resolve } });
      answers.push((await call("createWebhook", { token, body })).json);
    }
    expect(answers[0]).toEqual(answers[1]);
  });

  test("takes ten of a company, each with a name of its own", async () => {
    const { call, token } = await withReceiver(settings);
    const add = (name: string) => call("createWebhook", { token, body: { ...body, name } });
    expect((await add("Hook 1")).status).toBe(201);
    expect((await add("HOOK 1")).json.errors).toEqual({ name: [expect.stringContaining("already a webhook")] });
    for (let n = 2; n <= 10; n++) expect((await add(`Hook ${n}`)).status).toBe(201);
    expect(await add("One more")).toMatchObject({ status: 409, json: { message: expect.stringContaining("10") } });
  });

  test("saves a limited number of addresses an hour, as each is looked up", async () => {
    const { call, token } = await withReceiver(settings, {
      points: (limit, usual) => (limit === "webhook_addresses" ? 1 : usual),
    });
    expect((await call("createWebhook", { token, body })).status).toBe(201);
    expect((await call("createWebhook", { token, body: { ...body, name: "Other" } })).status).toBe(429);
  });
});

suite("GET /webhooks", () => {
  test("lists the company's, and never another's", async () => {
    const { call, token, company, add } = await withReceiver();
    const { id } = await add();
    const other = await company("Other");
    expect((await call("listWebhooks", { token })).json).toMatchObject([{ id, name: "Ledger" }]);
    expect((await call("listWebhooks", { token: other.admin.token })).json).toEqual([]);
  });
});

/** That a webhook of another company is as unknown as one that never was. */
const outOfReach = [
  ["GET /webhooks/{id}", "getWebhook", undefined],
  ["PUT /webhooks/{id}", "updateWebhook", body],
  ["DELETE /webhooks/{id}", "removeWebhook", undefined],
  ["POST /webhooks/{id}/enable", "enableWebhook", undefined],
  ["POST /webhooks/{id}/disable", "disableWebhook", undefined],
  ["POST /webhooks/{id}/rotate", "rotateWebhookKey", {}],
  ["POST /webhooks/{id}/test", "testWebhook", undefined],
  ["GET /webhooks/{id}/deliveries", "listWebhookDeliveries", undefined],
  ["GET /webhooks/{id}/deliveries/{n}", "getWebhookDelivery", undefined],
  ["POST /webhooks/{id}/deliveries/{n}/replay", "replayWebhookDelivery", undefined],
  ["POST /webhooks/{id}/replay", "replayFailedDeliveries", {}],
] as const;

suite("GET /webhooks/{id}", () => {
  test.each(outOfReach)("%s of another company is not found, as of none", async (_, name, input) => {
    const { call, company, add, test } = await withReceiver();
    const { id } = await add();
    const n = await test(id);
    const other = await company("Other");
    const replies = [];
    for (const params of [
      { id, n },
      { id: 99_999, n },
    ]) {
      replies.push(await call(name, { token: other.admin.token, params, ...(input && { body: input }) }));
    }
    expect(replies.map(({ status }) => status)).toEqual([404, 404]);
    expect(replies[0]!.json).toEqual(replies[1]!.json);
  });
});

suite("PUT /webhooks/{id}", () => {
  test("changes it, and refuses a change of an earlier version", async () => {
    const { call, token, add, webhook } = await withReceiver(settings);
    const { id } = await add();
    const change = { name: "Archive", url: body.url, events: ["alert.raised", "document.issued"], version: 1 };
    const changed = await call("updateWebhook", { token, params: { id }, body: change });
    const events = ["document.issued", "alert.raised"];
    expect(changed).toMatchObject({ status: 200, json: { name: "Archive", url: body.url, events, version: 2 } });
    expect(await call("updateWebhook", { token, params: { id }, body: change })).toMatchObject({ status: 409 });
    expect(await webhook(id)).toMatchObject({ version: 2 });
  });
});

suite("DELETE /webhooks/{id}", () => {
  test("removes it with its keys, deliveries and attempts", async () => {
    const { call, token, add, test, deliver, db } = await withReceiver();
    const { id } = await add();
    await test(id);
    await deliver();
    await test(id);
    expect((await call("removeWebhook", { token, params: { id } })).status).toBe(204);
    for (const table of ["webhooks", "webhook_keys", "webhook_deliveries", "webhook_attempts"] as const) {
      expect(await db.selectFrom(table).selectAll().execute()).toEqual([]);
    }
  });
});

suite("POST /webhooks/{id}/disable", () => {
  test("has nothing noted for it, and what waits stays", async () => {
    const { call, token, add, test, issue, deliver, webhook, receiver } = await withReceiver();
    const { id } = await add();
    await test(id);
    await call("disableWebhook", { token, params: { id } });
    await issue(token);
    await deliver();
    expect(receiver.received).toEqual([]);
    expect(await webhook(id)).toMatchObject({ enabled: false, disabled_because: "user", waiting: 1 });
    for (const name of ["testWebhook", "replayFailedDeliveries"] as const) {
      const input = { token, params: { id }, ...(name === "replayFailedDeliveries" && { body: {} }) };
      expect(await call(name, input)).toMatchObject({ status: 409 });
    }
  });
});

suite("POST /webhooks/{id}/enable", () => {
  test("sends at once what waited", async () => {
    const { call, token, add, test, deliver, webhook, receiver, pass } = await withReceiver();
    receiver.answer = (response) => void response.writeHead(500).end();
    const { id } = await add();
    await test(id);
    await deliver();
    await call("disableWebhook", { token, params: { id } });
    receiver.answer = (response) => void response.writeHead(200).end();
    expect((await call("enableWebhook", { token, params: { id } })).status).toBe(204);
    pass(1);
    await deliver();
    expect(receiver.received).toHaveLength(2);
    expect(await webhook(id)).toMatchObject({ enabled: true, disabled_because: "", failures: 0, waiting: 0 });
  });

  test("needs a key", async () => {
    const { call, token, add, db } = await withReceiver();
    const { id } = await add();
    await call("disableWebhook", { token, params: { id } });
    await db.updateTable("webhook_keys").set({ private_key: null }).execute();
    expect((await call("enableWebhook", { token, params: { id } })).status).toBe(409);
    await call("rotateWebhookKey", { token, params: { id }, body: { at_once: true } });
    expect((await call("enableWebhook", { token, params: { id } })).status).toBe(204);
  });
});

suite("POST /webhooks/{id}/rotate", () => {
  test("makes new keys beside the earlier ones, or in place of them", async () => {
    const { call, token, add, webhook, clock } = await withReceiver();
    const { id, secret, public_key } = await add();
    const rotate = (body: object) => call("rotateWebhookKey", { token, params: { id }, body });
    const { status, json } = await rotate({});
    expect([status, json.secret === secret, json.public_key === public_key]).toEqual([201, false, false]);
    const webhookReply = await webhook(id);
    expect(webhookReply).toMatchObject({ public_key: json.public_key, earlier_key_until: "2026-11-22T10:00:00.000Z" });
    await rotate({ at_once: true });
    expect(await webhook(id)).toMatchObject({ earlier_key_until: null });
    await rotate({});
    clock.now = new Date("2026-11-22T10:00:00Z");
    expect(await webhook(id)).toMatchObject({ earlier_key_until: null });
  });
});

suite("POST /webhooks/{id}/test", () => {
  test("sends an event that nothing else sends, a limited number of them an hour", async () => {
    const { call, token, add, test, deliver, heard } = await withReceiver(
      {},
      { points: (limit, usual) => (limit === "webhook_tests" ? 1 : usual) },
    );
    const { id } = await add({ events: ["bulk.finished"] });
    await test(id);
    await deliver();
    expect(heard()).toEqual([{ type: "webhook.test", timestamp: "2026-11-21T10:00:00.000Z", data: {} }]);
    expect((await call("testWebhook", { token, params: { id } })).status).toBe(429);
  });
});

suite("GET /webhooks/{id}/deliveries", () => {
  test("lists the newest first, by state and event", async () => {
    const { token, add, test, issue, deliver, deliveries, receiver } = await withReceiver();
    const { id } = await add();
    await issue(token);
    await deliver();
    receiver.answer = (response) => void response.writeHead(503).end();
    await test(id);
    await deliver();
    expect(await deliveries(id)).toMatchObject([
      { event: "webhook.test", state: "waiting", attempts: 1, status: 503 },
      { event: "document.issued", state: "delivered", attempts: 1, status: 204, next_at: null },
    ]);
    expect(await deliveries(id, { state: "delivered" })).toHaveLength(1);
    expect(await deliveries(id, { event: "webhook.test" })).toHaveLength(1);
    expect(await deliveries(id, { sort: "created_at" })).toMatchObject([{ event: "document.issued" }, {}]);
  });
});

suite("GET /webhooks/{id}/deliveries/{n}", () => {
  test("shows the body, and each attempt with its reply", async () => {
    const { call, token, add, test, deliver, receiver, pass } = await withReceiver();
    const { id } = await add();
    receiver.answer = (response) => void response.writeHead(500).end("Database down");
    const n = await test(id);
    await deliver();
    pass(60_000);
    receiver.answer = (response) => void response.writeHead(200).end("Thanks");
    await deliver();
    const { json } = await call("getWebhookDelivery", { token, params: { id, n } });
    expect(JSON.parse(json.body)).toMatchObject({ type: "webhook.test" });
    expect(json.body).toBe(receiver.received[0]!.body);
    expect(json.tries).toMatchObject([
      { at: "2026-11-21T10:01:00.000Z", status: 200, problem: "", reply: "Thanks" },
      { at: "2026-11-21T10:00:00.000Z", status: 500, problem: "The receiver refused it", reply: "Database down" },
    ]);
  });

  test("of another webhook of the company is not found", async () => {
    const { call, token, add, test } = await withReceiver();
    const n = await test((await add()).id);
    const { id } = await add({ name: "Other" });
    expect((await call("getWebhookDelivery", { token, params: { id, n } })).status).toBe(404);
    expect((await call("replayWebhookDelivery", { token, params: { id, n } })).status).toBe(404);
  });
});

suite("POST /webhooks/{id}/deliveries/{n}/replay", () => {
  test("sends a delivery again under its id", async () => {
    const { call, token, add, test, deliver, receiver, attempts } = await withReceiver();
    const { id } = await add();
    const n = await test(id);
    await deliver();
    expect((await call("replayWebhookDelivery", { token, params: { id, n } })).status).toBe(204);
    await deliver();
    const ids = receiver.received.map(({ headers }) => headers["webhook-id"]);
    expect(ids).toEqual([ids[0], ids[0]]);
    expect(await attempts(id, n)).toHaveLength(2);
  });
});

suite("POST /webhooks/{id}/replay", () => {
  test("sends again what was given up, of what happened since a day", async () => {
    const { call, token, add, test, deliver, deliveries, receiver, db, clock } = await withReceiver();
    const { id } = await add();
    for (const day of ["20", "21", "22"]) {
      clock.now = new Date(`2026-11-${day}T10:00:00Z`);
      await test(id);
    }
    await db.updateTable("webhook_deliveries").set({ state: "failed", next_at: null }).execute();
    const replay = (since: string) => call("replayFailedDeliveries", { token, params: { id }, body: { since } });
    expect(await replay("22-11-2026")).toMatchObject({ status: 200, json: { count: 1 } });
    expect(await replay("")).toMatchObject({ json: { count: 2 } });
    expect(await replay("")).toMatchObject({ json: { count: 0 } });
    expect((await replay("soon")).json.errors).toEqual({ since: [expect.stringContaining("like 19-11-2026")] });
    await deliver();
    expect(receiver.received).toHaveLength(3);
    expect(await deliveries(id, { state: "delivered" })).toHaveLength(3);
  });
});
