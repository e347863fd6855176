import { describe, expect, test } from "vitest";
import { alertTypes, type AlertType } from "../contract/alerts.ts";
import { everyone } from "../contract/document-options.ts";
import { uncounted } from "../contract/fields.ts";
import type { Message } from "../mail/mail.ts";
import { hasDatabase, type TestProvider, testProvider } from "#tests/fixtures/provider.ts";

const suite = describe.runIf(hasDatabase());

let raised = 0;

/** An alert about a document, as a scan rule would leave it. */
async function raise(
  { db }: TestProvider,
  [companyId, documentId]: [companyId: number, documentId: number],
  alert: AlertType = "Fake scan",
  day = "2026-11-20",
) {
  return db
    .insertInto("alerts")
    .values({
      company_id: companyId,
      document_id: documentId,
      number: ++raised,
      rule: `rule ${raised}`,
      day,
      alert,
      status: alertTypes[alert],
      date: `${day}T09:14:00.000Z`,
      latitude: 53.47941,
      longitude: -2.24532,
      accuracy: 40,
      reason: "Scanned in two places at once.",
      count: 1,
      note: "",
      version: 1,
    })
    .returning("id")
    .executeTakeFirstOrThrow();
}

/** A company with one document, owned by its administrator. */
async function withDocument(fields: Record<string, unknown> = {}) {
  const provider = await testProvider();
  const { id: companyId, admin } = await provider.company();
  const { json: document } = await provider.issue(admin.token, fields);
  return { ...provider, provider, companyId, admin, document };
}

suite("GET /alerts", () => {
  test("lists the company's alerts only, newest first", async () => {
    const { provider, call, company, issue, companyId, admin, document } = await withDocument();
    const other = await company();
    const { json: foreign } = await issue(other.admin.token);
    await raise(provider, [other.id, foreign.id]);
    await raise(provider, [companyId, document.id], "Complaint", "2026-11-18");
    await raise(provider, [companyId, document.id], "Fake scan", "2026-11-20");
    const { json, headers } = await call("listAlerts", { token: admin.token });
    expect(json).toMatchObject([
      { alert: "Fake scan", status: 1, document: "Lease of a hall", date: "2026-11-20T09:14:00.000Z" },
      { alert: "Complaint", status: 2 },
    ]);
    expect(headers.get("x-total-count")).toBe("2");
  });

  test("skips counting when the client prefers no count", async () => {
    const { provider, call, companyId, admin, document } = await withDocument();
    for (const day of [17, 18, 20]) await raise(provider, [companyId, document.id], "Complaint", `2026-11-${day}`);
    const partOf = async (page: number) => {
      const query = { page, per_page: 2 };
      const { json, headers } = await call("listAlerts", { token: admin.token, query, headers: { prefer: uncounted } });
      return [json.length, headers.get("x-total-count"), headers.get("x-total-is-capped")];
    };
    expect(await partOf(1)).toEqual([2, "2", "1"]);
    expect(await partOf(2)).toEqual([1, "3", null]);
  });

  test("filters by document, type, completion and date", async () => {
    const { provider, call, companyId, admin, document } = await withDocument();
    const { id } = await raise(provider, [companyId, document.id], "Complaint", "2026-11-18");
    await raise(provider, [companyId, document.id], "Fake scan", "2026-11-20");
    await call("completeAlert", { token: admin.token, params: { id }, body: { note: "Looked at" } });
    const find = async (query: Record<string, string>) =>
      (await call("listAlerts", { token: admin.token, query })).json.map(({ alert }: { alert: string }) => alert);
    expect(await find({ name: "HALL" })).toEqual(["Fake scan", "Complaint"]);
    expect(await find({ name: "else" })).toEqual([]);
    expect(await find({ alert: "fake" })).toEqual(["Fake scan"]);
    expect(await find({ alert: "Completed" })).toEqual(["Complaint"]);
    expect(await find({ state: "Open" })).toEqual(["Fake scan"]);
    expect(await find({ state: "completed" })).toEqual(["Complaint"]);
    expect(await find({ state: "all" })).toHaveLength(2);
    expect(await find({ number: document.number.toLowerCase() })).toHaveLength(2);
    expect(await find({ number: "no such" })).toEqual([]);
    expect(await find({ date: "18-11-2026" })).toEqual(["Complaint"]);
    for (const date of ["11-2026", "2026-11", "2026", "-20"]) {
      expect(await find({ date }), date).toEqual(["Fake scan", "Complaint"]);
    }
    for (const date of ["18-11", "11-18", "-18"]) expect(await find({ date }), date).toEqual(["Complaint"]);
    expect(await find({ date: "12-2026" })).toEqual([]);
    expect(await find({ date_from: "19-11-2026" })).toEqual(["Fake scan"]);
    expect(await find({ date_to: "2026-11-19" })).toEqual(["Complaint"]);
    expect(await find({ date_from: "18-11-2026", date_to: "20-11-2026" })).toEqual(["Fake scan", "Complaint"]);
    expect(await find({ document_id: String(document.id + 1) })).toEqual([]);
  });

  test("is within the scope of the access group and of the documents", async () => {
    const { provider, call, issue, branch, group, user, companyId, admin } = await withDocument();
    const { id: branchId } = await branch(companyId, "Preston");
    await group(companyId, "Of the branch", { docs: "C:R/W/C", alerts: "B:R" });
    await group(companyId, "Own", { docs: "P:R/C", alerts: "P:R" });
    const inside = await user(companyId, { group: "Of the branch", branchId });
    const owner = await user(companyId, { group: "Own", branchId });
    const { json: ofBranch } = await issue(inside.token, { users_access_group: everyone });
    const { json: closed } = await issue(admin.token, { users_access_group: "Administrator" });
    const { json: own } = await issue(owner.token, { users_access_group: everyone });
    for (const { id } of [ofBranch, closed, own]) await raise(provider, [companyId, id]);
    const visibleAlerts = async (token: string) =>
      new Set(
        (await call("listAlerts", { token })).json.map(({ document_id }: { document_id: number }) => document_id),
      );
    expect(await visibleAlerts(admin.token)).toEqual(new Set([ofBranch.id, closed.id, own.id]));
    expect(await visibleAlerts(inside.token)).toEqual(new Set([ofBranch.id, own.id]));
    expect(await visibleAlerts(owner.token)).toEqual(new Set([own.id]));
  });
});

suite("GET /alerts/{id}", () => {
  test("shows an alert, with the exact place only to users who may change alerts", async () => {
    const { provider, call, group, user, companyId, admin, document } = await withDocument({
      users_access_group: everyone,
    });
    const { id } = await raise(provider, [companyId, document.id]);
    const { json } = await call("getAlert", { token: admin.token, params: { id } });
    const exact = { latitude: 53.47941, longitude: -2.24532, accuracy: 40, place_is_rounded: false };
    expect(json).toMatchObject({ ...exact, document_id: document.id });
    expect(json.number).toMatch(/^AL-\d{6}$/);
    await group(companyId, "Readers", { alerts: "C:R" });
    const reader = await user(companyId, { group: "Readers" });
    const { json: rounded } = await call("getAlert", { token: reader.token, params: { id } });
    expect(rounded).toMatchObject({ latitude: 53.48, longitude: -2.25, accuracy: 1000, place_is_rounded: true });
  });

  test("another company's is not found", async () => {
    const { provider, call, company, companyId, document } = await withDocument();
    const { id } = await raise(provider, [companyId, document.id]);
    const other = await company();
    expect((await call("getAlert", { token: other.admin.token, params: { id } })).status).toBe(404);
  });
});

suite("POST /alerts/{id}/complete", () => {
  test("completes it with a note, keeps its type and does not count it as open", async () => {
    const { provider, call, companyId, admin, document } = await withDocument();
    const { id } = await raise(provider, [companyId, document.id]);
    const open = async () => (await call("currentUser", { token: admin.token })).json.alerts_open;
    expect(await open()).toBe(1);
    const input = { token: admin.token, params: { id }, body: { note: "Spoke with the tenant" } };
    const { json } = await call("completeAlert", input);
    expect(json).toMatchObject({ status: 3, alert: "Fake scan", note: "Spoke with the tenant", version: 2 });
    expect(await open()).toBe(0);
    expect((await call("completeAlert", input)).status).toBe(409);
  });

  test("needs a note and the right to write alerts", async () => {
    const { provider, call, group, user, companyId, admin, document } = await withDocument({
      users_access_group: everyone,
    });
    const { id } = await raise(provider, [companyId, document.id]);
    const { status, json } = await call("completeAlert", { token: admin.token, params: { id }, body: { note: " " } });
    expect([status, json.errors]).toEqual([422, { note: ["Enter a note: what was found, or what was done"] }]);
    await group(companyId, "Readers", { alerts: "C:R" });
    const reader = await user(companyId, { group: "Readers" });
    const input = { token: reader.token, params: { id }, body: { note: "Me" } };
    expect((await call("completeAlert", input)).status).toBe(403);
  });
});

suite("POST /alerts/{id}/reopen", () => {
  test("restores its status, with the reason, and leaves the note of completing", async () => {
    const { provider, call, companyId, admin, document } = await withDocument();
    const { id } = await raise(provider, [companyId, document.id], "Complaint");
    const input = { token: admin.token, params: { id }, body: { reason: "They called again" } };
    expect((await call("reopenAlert", input)).status).toBe(409);
    await call("completeAlert", { ...input, body: { note: "Settled" } });
    const { json } = await call("reopenAlert", input);
    expect(json).toMatchObject({
      status: 2,
      alert: "Complaint",
      note: "Settled",
      reopened_because: "They called again",
    });
    const { json: again } = await call("completeAlert", { ...input, body: { note: "Settled again" } });
    expect(again).toMatchObject({ status: 3, note: "Settled again", reopened_because: "" });
    await call("reopenAlert", input);
    const { json: refused, status } = await call("reopenAlert", { ...input, body: {} });
    expect([status, refused.errors]).toEqual([422, { reason: ["Enter the reason for reopening the alert"] }]);
  });
});

suite("GET /alerts/{id}/history", () => {
  test("shows who completed and reopened an alert, with their notes", async () => {
    const { provider, call, companyId, admin, document } = await withDocument();
    const { id } = await raise(provider, [companyId, document.id], "Complaint");
    const input = { token: admin.token, params: { id } };
    await call("completeAlert", { ...input, body: { note: "Settled" } });
    await call("reopenAlert", { ...input, body: { reason: "They called again" } });
    const { json } = await call("alertHistory", { ...input, query: { sort: "at" } });
    expect(json).toMatchObject([
      { action: "first seen", actor: "Ada Admin", changes: [] },
      {
        action: "completed",
        actor: "Ada Admin",
        changes: expect.arrayContaining([{ field: "note", before: null, after: "Settled" }]),
      },
      {
        action: "reopened",
        changes: [
          { field: "status", before: 3, after: 2 },
          { field: "case_state", before: "done", after: "new" },
          { field: "reopened_because", before: null, after: "They called again" },
        ],
      },
    ]);
  });
});

suite("messages about alerts", () => {
  /** The subject and receiver of each message since the last look. */
  const look = (mails: Message[]) => mails.splice(0).map(({ to, subject }) => [to, subject]);

  test("go to users who may change alerts, list new ones, once an hour at most", async () => {
    const { provider, run, clock, mails, company, companyId, user, admin, document } = await withDocument();
    const reader = await user(companyId, { group: "Accountant" });
    const { name } = await named(provider, companyId);
    await run("alerts");
    expect(look(mails)).toEqual([]);
    const { id } = await raise(provider, [companyId, document.id], "Fake scan", "2026-11-22");
    const other = await company();
    await run("alerts");
    expect(mails[0]!.text).toContain("Fake scan: “Lease of a hall”, 22-11-2026 09:14");
    expect(mails[0]!.text).toContain(`https://sealdesk.example/alerts/${id}\n`);
    expect(look(mails)).toEqual([[admin.email, `A new alert at “${name}”`]]);
    expect([reader.email, other.admin.email]).not.toContain(admin.email);

    for (let n = 0; n < 22; n++) await raise(provider, [companyId, document.id], "Complaint", "2026-11-22");
    await run("alerts");
    clock.now = new Date(clock.now.getTime() + 59 * 60_000);
    await run("alerts");
    expect(look(mails)).toEqual([]);
    clock.now = new Date(clock.now.getTime() + 60_000);
    await Promise.all([run("alerts"), run("alerts")]);
    expect(mails[0]!.text.match(/Complaint: /g)).toHaveLength(20);
    expect(mails[0]!.text).toContain("2 more: https://sealdesk.example/alerts");
    expect(look(mails)).toEqual([[admin.email, `22 new alerts at “${name}”`]]);
    clock.now = new Date(clock.now.getTime() + 120 * 60_000);
    await run("alerts");
    expect(look(mails)).toEqual([]);
  });

  test("omit alerts out of scope, completed, or older than the user", async () => {
    const { provider, run, mails, call, companyId, group, branch, user, admin, document } = await withDocument();
    const { id: branchId } = await branch(companyId, "Preston");
    await group(companyId, "Branch desk", { alerts: "B:R/W" });
    await user(companyId, { group: "Branch desk", branchId });
    await raise(provider, [companyId, document.id], "Fake scan", "2026-11-20");
    const { id } = await raise(provider, [companyId, document.id], "Complaint", "2026-11-22");
    await call("completeAlert", { token: admin.token, params: { id }, body: { note: "Looked at" } });
    await raise(provider, [companyId, document.id], "Burst of scans", "2026-11-22");
    await run("alerts");
    expect(look(mails)).toEqual([[admin.email, expect.stringMatching(/^A new alert at /)]]);
  });
});

const named = ({ db }: TestProvider, id: number) =>
  db.selectFrom("companies").where("id", "=", id).select("name").executeTakeFirstOrThrow();
