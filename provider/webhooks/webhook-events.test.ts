import { describe, expect, test } from "vitest";
import { daysInMs } from "#lib/units.ts";
import { alertOf } from "#tests/fixtures/alerts.ts";
import { checkedBulkIssue } from "#tests/fixtures/bulk-issues.ts";
import { draftForm, hasDatabase } from "#tests/fixtures/provider.ts";
import { withReceiver } from "#tests/fixtures/webhooks.ts";
import { inCompanyTransaction } from "../company/company-queries.ts";
import { newCode } from "../documents/codes.ts";
import { noteExpiries } from "./expiries.ts";
import { enqueueEvent } from "./enqueue.ts";

/** Events that webhooks receive, and when. */

const suite = describe.runIf(hasDatabase());

const sinceNovember = { date: "2026-11-01", expire_type: "date" };

/** A company whose webhook receives every event, and a document of its administrator. */
async function listening(fields: Record<string, unknown> = {}) {
  const provider = await withReceiver();
  const { add, call, token, issue, run, deliver, receiver, heard } = provider;
  await run("expiries");
  await add();
  const { json: document } = await issue(token, fields);
  const id = document.id as number;
  const act = async (name: "exitDocument" | "archiveDocument" | "restoreDocument" | "reactivateDocument") => {
    const { status, json } = await call(name, { token, params: { id } });
    expect(status, JSON.stringify(json)).toBe(200);
  };
  const change = async (changed: object) => {
    const form = Object.fromEntries(draftForm({ email: provider.admin.email, ...fields, ...changed }, []));
    const { status, json } = await call("updateDocument", { token, params: { id }, body: form });
    expect(status, JSON.stringify(json)).toBe(200);
  };
  /** Events sent since the last call, as types and ids. */
  const newEvents = async () => {
    await deliver();
    const all = heard().map(({ type, data }) => [type, data] as const);
    receiver.received.splice(0);
    return all;
  };
  return { ...provider, id, code: document.code as string, act, change, newEvents };
}

suite("A webhook event", () => {
  test("is sent when a document is issued, withdrawn or moved to the archive, once and by ids alone", async () => {
    const { id, act, newEvents, receiver, deliver } = await listening({ name: "Lease of Ann" });
    await deliver();
    expect(receiver.received[0]!.body).toBe(
      `{"type":"document.issued","timestamp":"2026-11-21T10:00:00.000Z","data":{"document_id":${id}}}`,
    );
    expect(await newEvents()).toHaveLength(1);
    await act("exitDocument");
    await act("exitDocument");
    expect(await newEvents()).toEqual([["document.withdrawn", { document_id: id }]]);
    await act("archiveDocument");
    await act("archiveDocument");
    expect(await newEvents()).toEqual([["document.archived", { document_id: id }]]);
    await act("restoreDocument");
    await act("reactivateDocument");
    expect(await newEvents()).toEqual([]);
  });

  test("is sent when a document is replaced, without a second one for the withdrawal", async () => {
    const { id, newEvents, issue, token } = await listening();
    await newEvents();
    const { json: newer } = await issue(token, { replaces: String(id) });
    expect((await newEvents()).toSorted()).toEqual([
      ["document.issued", { document_id: newer.id }],
      ["document.replaced", { document_id: id, replaced_by_id: newer.id }],
    ]);
  });

  test("is sent for a document that expires once the day ends in its company’s time zone", async () => {
    const dated = { ...sinceNovember, expire_date: "2026-11-21" };
    const { id, newEvents, run, clock, db, issue, token, call } = await listening(dated);
    await db.updateTable("companies").set({ timezone: "America/New_York", expiries_noted: "2026-11-21" }).execute();
    const archived = (await issue(token, dated)).json.id;
    await call("archiveDocument", { token, params: { id: archived } });
    const withdrawn = (await issue(token, dated)).json.id;
    await call("exitDocument", { token, params: { id: withdrawn } });
    await newEvents();
    const expiredAt = async (time: string) => {
      clock.now = new Date(time);
      await run("expiries");
      return newEvents();
    };
    expect(await expiredAt("2026-11-22T04:59:00Z")).toEqual([]);
    expect((await expiredAt("2026-11-22T05:01:00Z")).toSorted()).toEqual([
      ["document.expired", { document_id: id }],
      ["document.expired", { document_id: archived }],
    ]);
    expect(await expiredAt("2026-11-22T05:16:00Z")).toEqual([]);
    expect(await expiredAt("2026-11-25T05:16:00Z")).toEqual([]);
  });

  test("is sent for each of many documents that expire on one day, even if the work is interrupted", async () => {
    const { db, newEvents, run, pass, id, services } = await listening({ ...sinceNovember, expire_date: "2026-11-21" });
    await newEvents();
    const { id: _, ...row } = await db
      .selectFrom("documents")
      .where("id", "=", id)
      .selectAll()
      .executeTakeFirstOrThrow();
    const rows = Array.from({ length: 450 }, (_, n) => ({
      ...row,
      code: `CODE${n}`,
      number: `N${n}`,
      number_key: `n${n}`,
      folder: `documents/${n}`,
      idempotency_key: null,
    }));
    for (let at = 0; at < rows.length; at += 25)
      await db
        .insertInto("documents")
        .values(rows.slice(at, at + 25))
        .execute();
    pass(daysInMs(1));
    const count = async () =>
      (await db.selectFrom("webhook_deliveries").where("event", "=", "document.expired").select("id").execute()).length;
    const cut = new AbortController();
    const nudge = services.nudgeWebhooks;
    services.nudgeWebhooks = () => cut.abort();
    await noteExpiries(services, cut.signal);
    expect(await count()).toBe(200);
    services.nudgeWebhooks = nudge!;
    await run("expiries");
    await run("expiries");
    expect(await count()).toBe(451);
  });

  test("is sent for a document that a change makes expire, and never twice", async () => {
    const { id, change, newEvents, run, pass, act } = await listening({ ...sinceNovember, expire_date: "2026-12-24" });
    await newEvents();
    const expired = [["document.expired", { document_id: id }]];
    await change({ expire_date: "2026-11-20" });
    expect(await newEvents()).toEqual(expired);
    await change({ expire_date: "2026-11-19" });
    await act("exitDocument");
    await newEvents();
    await act("reactivateDocument");
    expect(await newEvents()).toEqual(expired);
    await change({ expire_date: "2026-11-22" });
    pass(daysInMs(2));
    // Before the job noticed that it expired by itself.
    await change({ expire_date: "2026-11-20" });
    await run("expiries");
    expect(await newEvents()).toEqual(expired);
  });

  test("is not sent for documents that expired while there was no webhook", async () => {
    const { call, token, issue, add, run, pass, deliver, heard } = await withReceiver();
    await run("expiries");
    await issue(token, { ...sinceNovember, expire_date: "2026-11-21" });
    pass(daysInMs(3));
    await run("expiries");
    await add();
    await run("expiries");
    await deliver();
    expect(heard()).toEqual([]);
    expect((await call("listWebhooks", { token })).json).toHaveLength(1);
  });

  test("is sent for an alert that a scan raises, that is assigned, completed, reopened, or happens again", async () => {
    const { id, code, call, token, newEvents, act } = await listening();
    await newEvents();
    const scan = () => call("recordScan", { params: { code }, body: {} });
    await act("exitDocument");
    await scan();
    const [, [, raised]] = (await newEvents()) as unknown as [unknown, [string, { alert_id: number }]];
    const about = { alert_id: raised.alert_id, document_id: id };
    expect(raised).toEqual(about);
    await scan();
    expect(await newEvents()).toEqual([]);
    const params = { id: raised.alert_id };
    await call("assignAlert", { token, params, body: { owner: "me" } });
    await call("assignAlert", { token, params, body: { owner: "me" } });
    expect(await newEvents()).toEqual([["alert.changed", { ...about, change: "assigned" }]]);
    await call("completeAlert", { token, params, body: { note: "Looked at" } });
    expect(await newEvents()).toEqual([["alert.changed", { ...about, change: "completed" }]]);
    await call("reopenAlert", { token, params, body: { reason: "Again" } });
    expect(await newEvents()).toEqual([["alert.changed", { ...about, change: "reopened" }]]);
    await call("completeAlert", { token, params, body: { note: "Looked at" } });
    await newEvents();
    await scan();
    expect(await newEvents()).toEqual([["alert.changed", { ...about, change: "reopened" }]]);
  });

  test("is sent for a complaint and a forged code, which are alerts as well", async () => {
    const { id, code, call, newEvents, db } = await listening();
    await newEvents();
    const { scan } = (await call("recordScan", { params: { code }, body: {} })).json;
    await call("complain", { params: { code }, body: { scan, text: "It looks forged" } });
    expect(await newEvents()).toEqual([["alert.raised", { alert_id: expect.any(Number), document_id: id }]]);
    const { number } = await db.selectFrom("documents").where("id", "=", id).select("number").executeTakeFirstOrThrow();
    await call("recordScan", { params: { code: newCode() }, body: { number } });
    expect(await newEvents()).toEqual([["alert.raised", { alert_id: expect.any(Number), document_id: id }]]);
  });

  test("is sent when a bulk action and a bulk issue are finished, after their other events", async () => {
    const provider = await listening();
    const { id, call, token, newEvents, companyId, run } = provider;
    await newEvents();
    const alert = await alertOf(provider, { companyId, documentId: id });
    const { json } = await call("startAlertActions", {
      token,
      body: { act: "complete", ids: String(alert), note: "Seen" },
    });
    expect(await newEvents()).toEqual([
      ["alert.changed", { alert_id: alert, document_id: id, change: "completed" }],
      ["bulk.finished", { bulk_action_id: json.id }],
    ]);
    const { id: bulk, about } = await checkedBulkIssue(provider, token);
    await call("startBulkIssue", { ...about, body: {} });
    await run("bulk issues");
    await run("bulk issues");
    const told2 = await newEvents();
    expect(told2.map(([type]) => type).toSorted()).toEqual(["bulk.finished", "document.issued", "document.issued"]);
    expect(told2).toContainEqual(["bulk.finished", { bulk_issue_id: bulk }]);
  });

  test("is sent to webhooks that subscribe to it, of its own company", async () => {
    const { add, call, token, company, issue, deliver, receiver } = await withReceiver();
    const { id } = await add({ events: ["document.archived"] });
    const other = await company("Other");
    const body = { name: "Theirs", url: receiver.url, events: ["alert.raised"] };
    await call("createWebhook", { token: other.admin.token, body });
    await issue(other.admin.token);
    const { json } = await issue(token);
    await call("archiveDocument", { token, params: { id: json.id } });
    await deliver();
    expect(receiver.received.map(({ body }) => JSON.parse(body).type)).toEqual(["document.archived"]);
    expect((await call("getWebhook", { token, params: { id } })).json).toMatchObject({ waiting: 0 });
  });

  test("is not sent for a change that was rolled back", async () => {
    const { add, services, companyId, db, deliver, receiver } = await withReceiver();
    await add();
    const failing = inCompanyTransaction(db, companyId, async (transaction) => {
      const event = { data: { document_id: 1 }, company_id: companyId, at: services.now() };
      await enqueueEvent(services, transaction, { type: "document.issued", ...event });
      throw new Error("the disk is full");
    });
    await expect(failing).rejects.toThrow("the disk is full");
    await deliver();
    expect(receiver.received).toEqual([]);
  });
});
