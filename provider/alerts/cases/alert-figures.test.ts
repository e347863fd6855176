import { describe, expect, test } from "vitest";
import { contactKey } from "./contact.ts";
import type { AlertFigures } from "../../contract/alert-cases.ts";
import { alertTypes } from "../../contract/alerts.ts";
import { everyone } from "../../contract/document-options.ts";
import { alertOf } from "#tests/fixtures/alerts.ts";
import { hasDatabase, type TestProvider, testProvider } from "#tests/fixtures/provider.ts";

const suite = describe.runIf(hasDatabase());

async function withDocument() {
  const provider = await testProvider();
  const { id: companyId, admin } = await provider.company();
  const issue = async () => (await provider.issue(admin.token, { users_access_group: everyone })).json.id as number;
  const documentId = await issue();
  await provider.group(companyId, "Readers", { alerts: "C:R" });
  const reader = await provider.user(companyId, { group: "Readers" });
  return { ...provider, provider, companyId, admin, reader, documentId, issueOther: issue };
}

async function complaintOf({ db }: TestProvider, alertId: number, contact: string) {
  const { company_id, document_id } = await db
    .selectFrom("alerts")
    .where("id", "=", alertId)
    .select(["company_id", "document_id"])
    .executeTakeFirstOrThrow();
  const at = "2026-11-20T09:14:00.000Z";
  const scan = { company_id, document_id, at, day: at.slice(0, 10), address_hash: "", key_hash: "", place: "" };
  const inserted = db
    .insertInto("scans")
    .values({ ...scan, suspicion: 1, staff: 0 })
    .returning("id");
  const { id: scan_id } = await inserted.executeTakeFirstOrThrow();
  await db.insertInto("alert_scans").values({ alert_id: alertId, scan_id }).execute();
  const contact_key = contactKey(contact);
  await db.insertInto("complaints").values({ scan_id, text: "Odd", contact, contact_key, at }).execute();
}

const manchester = { latitude: 53.4794, longitude: -2.2453, accuracy: 40 };
const nowhere = { latitude: null, longitude: null, accuracy: null, reason: "", count: 1, note: "", version: 1 };
const nextStreet = { latitude: 53.4899, longitude: -2.2453, accuracy: 40 };
const preston = { latitude: 53.7632, longitude: -2.7031, accuracy: 60 };

suite("GET /alerts/{id}/similar", () => {
  test("finds alerts by document, place and contact, and says why", async () => {
    const { provider, call, companyId, admin, reader, documentId, issueOther } = await withDocument();
    const [other, far, company] = [await issueOther(), await issueOther(), await provider.company()];
    const complaint = { companyId, alert: "Complaint" } as const;
    const id = await alertOf(provider, { ...complaint, documentId, rule: "complaint" }, manchester);
    const same = await alertOf(provider, { companyId, documentId, date: "2026-11-19T09:00:00.000Z" }, manchester);
    const near = await alertOf(
      provider,
      { companyId, documentId: other, date: "2026-11-18T09:00:00.000Z" },
      nextStreet,
    );
    await alertOf(
      provider,
      { companyId, documentId: other, rule: "long ago", date: "2026-09-18T09:00:00.000Z" },
      manchester,
    );
    const again = await alertOf(provider, { ...complaint, documentId: far, rule: "complaint" }, preston);
    const { json: theirs } = await provider.issue(company.admin.token);
    const foreign = await alertOf(provider, { companyId: company.id, documentId: theirs.id }, manchester);
    for (const one of [id, again, foreign]) await complaintOf(provider, one, "Jo@Visitor.example");
    const findSimilar = async (token: string) =>
      (await call("listSimilarAlerts", { token, params: { id } })).json.map(
        (row: { id: number; similar_by: string[] }) => [row.id, row.similar_by],
      );
    expect(await findSimilar(admin.token)).toEqual([
      [same, ["document", "place"]],
      [again, ["contact"]],
      [near, ["place"]],
    ]);
    expect(await findSimilar(reader.token)).toEqual([
      [same, ["document", "place"]],
      [near, ["place"]],
    ]);
    expect((await call("listSimilarAlerts", { token: company.admin.token, params: { id } })).status).toBe(404);
  });
});

suite("GET /alerts/figures", () => {
  test("gives median and p90 of first looks and completion, and false alarms by rule", async () => {
    const { provider, call, companyId, admin, documentId, clock } = await withDocument();
    const { token } = admin;
    const begin = Date.parse("2026-11-20T09:00:00.000Z");
    for (let n = 1; n <= 10; n++) {
      const id = await alertOf(provider, {
        companyId,
        documentId,
        rule: `travel ${n}`,
        date: new Date(begin).toISOString(),
      });
      await provider.db
        .updateTable("alerts")
        .set({ rule: n > 4 ? "travel" : "burst", day: `${n}` })
        .where("id", "=", id)
        .execute();
      clock.now = new Date(begin + n * 60_000);
      await call("seeAlert", { token, params: { id } });
      const outcome = n === 1 || n === 5 ? "false alarm" : "fake";
      if (n < 10) await call("completeAlert", { token, params: { id }, body: { note: "Checked", outcome } });
    }
    await alertOf(provider, { companyId, documentId, rule: "old", date: "2026-10-01T09:00:00.000Z" });
    const { json } = await call("alertFigures", { token });
    expect(json).toEqual([
      {
        days: 30,
        alerts: 10,
        first_look: { alerts: 10, median_s: 300, p90_s: 540 },
        done: { alerts: 9, median_s: 300, p90_s: 540 },
        rules: [
          { rule: "travel", alert: "Fake scan", completed: 5, false_alarms: 1 },
          { rule: "burst", alert: "Fake scan", completed: 4, false_alarms: 1 },
        ],
        is_capped: false,
      },
      expect.objectContaining({ days: 90, alerts: 11 }),
    ]);
  });

  test("are of the alerts that the user may read, and empty without any", async () => {
    const { provider, call, group, user, companyId, documentId } = await withDocument();
    await alertOf(provider, { companyId, documentId });
    await group(companyId, "Own", { alerts: "P:R" });
    const owner = await user(companyId, { group: "Own" });
    const { json } = await call("alertFigures", { token: owner.token });
    const none = { alerts: 0, median_s: null, p90_s: null };
    expect(json[0]).toEqual({ days: 30, alerts: 0, first_look: none, done: none, rules: [], is_capped: false });
  });

  test("have at once what becomes of an alert that such a user has seen, and new ones", async () => {
    const { provider, call, group, user, companyId, admin } = await withDocument();
    await group(companyId, "Own", { alerts: "P:R/W" });
    const owner = await user(companyId, { group: "Own" });
    const { id: documentId } = (await provider.issue(admin.token, { email: owner.email })).json;
    const figures = async () => (await call("alertFigures", { token: owner.token })).json[0] as AlertFigures;
    const id = await alertOf(provider, { companyId, documentId });
    expect(await figures()).toMatchObject({ alerts: 1, done: { alerts: 0 } });
    await call("completeAlert", { token: owner.token, params: { id }, body: { note: "Checked", outcome: "fake" } });
    await alertOf(provider, { companyId, documentId, rule: "another" });
    expect(await figures()).toMatchObject({ alerts: 2, done: { alerts: 1 } });
  });

  test("are of the newest alerts alone, and say so, for users who see all and users who see a part", async () => {
    const { provider, call, group, user, companyId, admin, documentId } = await withDocument();
    await group(companyId, "Own", { alerts: "P:R" });
    const owner = await user(companyId, { group: "Own" });
    const { id: own } = (await provider.issue(admin.token, { email: owner.email })).json;
    // Every tenth is of the owner's document, the oldest 500 two months ago.
    const alike = {
      company_id: companyId,
      day: "2026-11-19",
      alert: "Fake scan",
      status: alertTypes["Fake scan"],
    } as const;
    const alerts = Array.from({ length: 20_500 }, (_, n) => ({
      ...alike,
      ...nowhere,
      document_id: n % 10 ? documentId : (own as number),
      number: n + 1,
      rule: `rule ${n}`,
      date: new Date(Date.parse(n < 500 ? "2026-09-19" : "2026-11-19") + n).toISOString(),
    }));
    while (alerts.length > 0) await provider.db.insertInto("alerts").values(alerts.splice(0, 500)).execute();
    const counted = async (token: string) =>
      (await call("alertFigures", { token })).json.map((of: AlertFigures) => [of.days, of.alerts, of.is_capped]);
    expect(await counted(admin.token)).toEqual([
      [30, 5000, true],
      [90, 5000, true],
    ]);
    expect(await counted(owner.token)).toEqual([
      [30, 2000, true],
      [90, 2000, true],
    ]);
  });
});
