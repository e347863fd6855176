import { describe, expect, test } from "vitest";
import { london, manchester, withScans } from "#tests/fixtures/scans.ts";
import { hasDatabase } from "#tests/fixtures/provider.ts";

const suite = describe.runIf(hasDatabase());

/** A company whose rules are set by its administrator. */
async function withRules(fields: Record<string, unknown> = {}) {
  const world = await withScans(fields);
  const { call, admin } = world;
  const params = (rule: string) => ({ token: admin.token, params: { rule } });
  const set = (rule: string, body: object) => call("updateAlertRule", { ...params(rule), body });
  const preview = async (rule: string, query: Record<string, string | number> = {}) =>
    (await call("previewAlertRule", { ...params(rule), query })).json;
  const scanFrom = async (count: number, from = 1) => {
    for (let n = from; n < from + count; n++) await world.scan({ address: `198.51.100.${n}` });
  };
  return { ...world, set, preview, scanFrom };
}

suite("GET /alert-rules", () => {
  test("shows each rule with its defaults, to those who may write all alerts", async () => {
    const { call, admin, companyId, group, user } = await withRules();
    const { json } = await call("listAlertRules", { token: admin.token });
    expect(json.map(({ rule }: { rule: string }) => rule)).toEqual([
      "travel",
      "burst",
      "expired",
      "withdrawn",
      "withdrawn-copy",
    ]);
    expect(json[1]).toEqual({
      rule: "burst",
      enabled: true,
      thresholds: { devices: 20, minutes: 10 },
      defaults: { devices: 20, minutes: 10 },
      version: 1,
    });
    await group(companyId, "Branch alerts", { docs: "B:R", alerts: "B:R/W" });
    const clerk = await user(companyId, { group: "Branch alerts" });
    expect((await call("listAlertRules", { token: clerk.token })).status).toBe(403);
  });
});

suite("PUT /alert-rules/{rule}", () => {
  test("decides from the next scan on, in this company alone", async () => {
    const { set, scanFrom, alerts, company, call } = await withRules();
    expect((await set("burst", { enabled: true, devices: 3 })).json).toMatchObject({
      thresholds: { devices: 3, minutes: 10 },
      version: 2,
    });
    await scanFrom(2);
    expect(await alerts()).toEqual([]);
    await scanFrom(1, 3);
    expect(await alerts()).toMatchObject([{ reason: "Scanned by 3 devices or more within 10 minutes." }]);
    const other = await company();
    const { json } = await call("listAlertRules", { token: other.admin.token });
    expect(json[1].thresholds.devices).toBe(20);
  });

  test("turns a rule off, and a document’s end raises no alert for days", async () => {
    const { set, scan, alerts, call, admin, document, advanceMinutes } = await withRules();
    await set("withdrawn", { enabled: true, grace_days: 2 });
    await call("exitDocument", { token: admin.token, params: { id: document.id } });
    await scan();
    await advanceMinutes(24 * 60);
    await scan();
    expect(await alerts()).toEqual([]);
    await advanceMinutes(24 * 60);
    await scan();
    expect(await alerts()).toHaveLength(1);
    await set("withdrawn", { enabled: false });
    await advanceMinutes(24 * 60);
    await scan();
    expect(await alerts()).toHaveLength(1);
  });

  test("raises no alert of travel below the company’s speed", async () => {
    const { set, scan, alerts, call, params } = await withRules();
    await set("travel", { enabled: true, min_km: 300 });
    const located = async (place: object) =>
      call("locateScan", { params, body: { scan: await scan({ address: "203.0.113.9" }), ...place } });
    await located(manchester);
    await located(london);
    expect(await alerts()).toEqual([]);
    await set("travel", { enabled: true });
    await located(london);
    expect(await alerts()).toMatchObject([{ alert: "Fake scan" }]);
  });

  test("refuses thresholds out of bounds by field, unknown rules, and outdated versions", async () => {
    const { set } = await withRules();
    const { status, json } = await set("burst", { enabled: true, devices: "1", minutes: "1e1" });
    expect([status, json.errors]).toEqual([
      422,
      { devices: ["Enter how many devices, from 2 to 100"], minutes: ["Enter how many minutes, from 1 to 120"] },
    ]);
    expect((await set("forged", { enabled: false })).status).toBe(404);
    expect((await set("burst", { enabled: true, devices: 5, version: 1 })).status).toBe(200);
    const stale = await set("burst", { enabled: true, devices: 6, version: 1 });
    expect([stale.status, stale.json.message]).toEqual([409, expect.stringMatching(/changed this at \d\d:\d\d$/)]);
  });

  test("is in the audit trail with what changed", async () => {
    const { set, call, admin } = await withRules();
    await set("burst", { enabled: false, devices: 5 });
    const { json } = await call("listAudit", { token: admin.token, query: { entity: "alert rule" } });
    expect(json).toMatchObject([
      {
        action: "changed",
        entity_name: "Burst of scans",
        changes: [
          { field: "devices", before: 20, after: 5 },
          { field: "enabled", before: true, after: false },
        ],
      },
    ]);
  });
});

suite("GET /alert-rules/{rule}/preview", () => {
  test("counts what a burst of other thresholds would have raised, beside what it did", async () => {
    const { preview, scanFrom, advanceMinutes, document, scan, admin } = await withRules();
    await scanFrom(4);
    await scan({ token: admin.token });
    await advanceMinutes(24 * 60);
    await scanFrom(3);
    await advanceMinutes(11);
    await scanFrom(2, 4);
    expect(await preview("burst", { devices: 4 })).toEqual({
      since: "2026-10-24",
      until: "2026-11-22",
      scans: 9,
      is_partial: false,
      raised: 0,
      would_raise: 1,
      examples: [
        { document_id: document.id, document: "Lease of a hall", copy: null, day: "2026-11-21", is_new: true },
      ],
    });
    expect(await preview("burst", { devices: 3 })).toMatchObject({ would_raise: 2 });
    expect(await preview("burst", { devices: 5, minutes: 30 })).toMatchObject({ would_raise: 1 });
    expect(await preview("burst")).toMatchObject({ would_raise: 0 });
  });

  test("finds with the thresholds of now what was raised, and less with higher ones", async () => {
    const { preview, scan, call, params, admin, document, advanceMinutes, alerts } = await withRules();
    const located = async (place: object) => call("locateScan", { params, body: { scan: await scan(), ...place } });
    await located(manchester);
    await located(london);
    await call("exitDocument", { token: admin.token, params: { id: document.id } });
    await scan();
    await advanceMinutes(24 * 60);
    await scan();
    expect(await alerts()).toHaveLength(3);
    expect(await preview("travel")).toMatchObject({ raised: 1, would_raise: 1, examples: [{ is_new: false }] });
    expect(await preview("travel", { min_km: 300 })).toMatchObject({ raised: 1, would_raise: 0 });
    expect(await preview("withdrawn")).toMatchObject({ raised: 2, would_raise: 2 });
    expect(await preview("withdrawn", { grace_days: 1 })).toMatchObject({ raised: 2, would_raise: 1 });
    expect(await preview("expired")).toMatchObject({ raised: 0, would_raise: 0 });
  });

  test("leaves out another company’s scans and documents that the user may not see", async () => {
    const { preview, scanFrom, call, companyId, group, user, db, document } = await withRules();
    await scanFrom(3);
    const secret = await group(companyId, "Secret", {});
    await group(companyId, "All alerts", { alerts: "C:R/W" });
    const clerk = await user(companyId, { group: "All alerts" });
    const input = { token: clerk.token, params: { rule: "burst" }, query: { devices: 2 } };
    expect((await call("previewAlertRule", input)).json).toMatchObject({ scans: 3, would_raise: 1 });
    await db.updateTable("documents").set({ access_group_id: secret.id }).where("id", "=", document.id).execute();
    expect((await call("previewAlertRule", input)).json).toMatchObject({ scans: 0, would_raise: 0, examples: [] });
    expect(await preview("burst", { devices: 2 })).toMatchObject({ would_raise: 1 });
  });

  test("reports if there were too many scans for the whole month", async () => {
    const { preview, db, companyId, document } = await withRules();
    const row = { company_id: companyId, document_id: document.id, key_hash: "", place: "", staff: 0, suspicion: 0 };
    for (const [day, count] of [
      ["2026-11-20", 30_000],
      ["2026-11-19", 30_000],
    ] as const) {
      for (let callCount = 0; callCount < count; callCount += 1000) {
        const rows = Array.from({ length: 1000 }, (_, n) => ({
          ...row,
          day,
          at: `${day}T09:14:00.000Z`,
          address_hash: `${n}`,
        }));
        await db.insertInto("scans").values(rows).execute();
      }
    }
    expect(await preview("burst")).toMatchObject({
      scans: 30_000,
      since: "2026-11-20",
      is_partial: true,
      would_raise: 1,
    });
  });

  test("refuses thresholds out of bounds", async () => {
    const { preview } = await withRules();
    expect((await preview("travel", { max_km_per_hour: 99 })).errors).toEqual({
      max_km_per_hour: ["Enter the speed in kilometres an hour, from 100 to 5000"],
    });
  });
});
