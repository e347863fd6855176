import { london, manchester, withScans } from "#tests/fixtures/scans.ts";
import { describe, expect, test } from "vitest";
import { hasDatabase } from "#tests/fixtures/provider.ts";

const suite = describe.runIf(hasDatabase());

suite("GET /alerts/{id}/scans", () => {
  test("lists an alert's scans, with contacts for users who may change it", async () => {
    const { call, scan, params, alerts, admin, companyId, group, user } = await withScans();
    const key = await scan();
    await call("locateScan", { params, body: { scan: key, ...manchester } });
    const complaint = { text: "A copy", contact: "07700 900123", language: "pl" };
    await call("complain", { params, body: { scan: key, ...complaint } });
    await scan();
    const [{ id }] = await alerts();
    const { json } = await call("listAlertScans", { token: admin.token, params: { id } });
    expect(json).toMatchObject([{ complaint: "A copy", contact: "07700 900123", ...manchester, suspicion: true }]);
    expect(json[0].complaint_language).toBe("pl");
    await group(companyId, "Readers", { alerts: "C:R" });
    const reader = await user(companyId, { group: "Readers" });
    const { json: less } = await call("listAlertScans", { token: reader.token, params: { id } });
    expect(less).toMatchObject([{ complaint: "A copy", contact: "", latitude: 53.48, accuracy: 1000 }]);
  });
});

suite("GET /alerts", () => {
  test("finds an alert by its reason and by any complaint behind it, also by capitals and by signs", async () => {
    const { call, scan, params, admin } = await withScans();
    const texts = ["The address on the paper is WRONG: Ölgasse", "Rent 100% too high"];
    for (const text of texts) await call("complain", { params, body: { scan: await scan(), text } });
    await call("locateScan", { params, body: { scan: await scan(), ...manchester } });
    await call("locateScan", { params, body: { scan: await scan(), ...london } });
    const find = async (text: string) =>
      (await call("listAlerts", { token: admin.token, query: { text, page: "1" } })).json.map(
        ({ alert }: { alert: string }) => alert,
      );
    for (const text of ["wrong: ölg", "100% TOO", "rent"]) expect(await find(text), text).toEqual(["Complaint"]);
    expect(await find("nobody travels")).toEqual(["Fake scan"]);
    for (const text of ["100_", "%wrong%paper%", "no such"]) expect(await find(text), text).toEqual([]);
    expect((await call("listAlerts", { token: admin.token, query: { text: "a".repeat(10_000) } })).status).toBe(422);
  });
});

suite("GET /scans/daily", () => {
  test("counts scans, alerts and issued documents by the company's days, and staff scans", async () => {
    const { call, scan, params, admin, companyId, user, advanceMinutes } = await withScans();
    await scan();
    await advanceMinutes(24 * 60);
    const colleague = await user(companyId, { group: "Accountant" });
    const key = await scan();
    await scan({ token: colleague.token });
    await call("complain", { params, body: { scan: key, text: "A copy" } });
    const { json } = await call("dailyScans", { token: admin.token });
    expect(json.days).toHaveLength(14);
    expect(json.days.slice(-2)).toEqual([
      { day: "2026-11-21", scans: 1, alerts: 0 },
      { day: "2026-11-22", scans: 2, alerts: 1 },
    ]);
    expect(json).toMatchObject({ scans_before: 0, scans_by_staff: 1, alerts_open: 1, documents: 1 });
    await advanceMinutes(24 * 60 * 14);
    const { json: later } = await call("dailyScans", { token: admin.token });
    expect(later).toMatchObject({ scans_before: 3, documents: 0, documents_before: 1, alerts_open: 1 });
  });

  test("counts for a user who sees a part what their own documents had", async () => {
    const { call, scan, params, admin, companyId, group, user, issue } = await withScans();
    await group(companyId, "Own", { alerts: "P:R" });
    const owner = await user(companyId, { group: "Own" });
    const own = { code: (await issue(admin.token, { email: owner.email })).json.code as string };
    await call("complain", { params, body: { scan: await scan(), text: "A copy" } });
    const { scan: key } = (await call("recordScan", { params: own, body: {} })).json;
    await call("complain", { params: own, body: { scan: key, text: "Another copy" } });
    const today = async (token: string) => (await call("dailyScans", { token })).json.days.at(-1);
    expect(await today(owner.token)).toMatchObject({ scans: 1, alerts: 1 });
    expect(await today(admin.token)).toMatchObject({ scans: 2, alerts: 2 });
  });

  test("counts additions to a day at once, for each such user their own", async () => {
    const { call, admin, companyId, group, user, issue } = await withScans();
    await group(companyId, "Own", { docs: "P:R/W/C", alerts: "P:R" });
    const owners = [await user(companyId, { group: "Own" }), await user(companyId, { group: "Own" })];
    const counted = async ({ token }: { token: string }) => {
      const { days, documents } = (await call("dailyScans", { token })).json;
      return { ...days.at(-1), documents };
    };
    for (const owner of owners) expect(await counted(owner)).toMatchObject({ scans: 0, alerts: 0, documents: 0 });
    const [owner, other] = owners as [(typeof owners)[0], (typeof owners)[0]];
    for (const n of [1, 2]) {
      const { code } = (await issue(admin.token, { email: owner.email, date: "2026-11-15" })).json;
      const { scan } = (await call("recordScan", { params: { code }, body: {} })).json;
      await call("complain", { params: { code }, body: { scan, text: "A copy" } });
      expect(await counted(owner)).toMatchObject({ scans: n, alerts: n, documents: n });
      expect(await counted(other)).toMatchObject({ scans: 0, alerts: 0, documents: 0 });
    }
  });
});

suite("the scans of an alert", () => {
  test("are both scans of an impossible travel, and all devices of a burst", async () => {
    const { call, admin, params, scan, alerts } = await withScans();
    const behind = async () => {
      const [{ id }] = await alerts();
      return (await call("listAlertScans", { token: admin.token, params: { id } })).json;
    };
    await call("locateScan", { params, body: { scan: await scan(), ...manchester } });
    await call("locateScan", { params, body: { scan: await scan(), ...london } });
    expect(await behind()).toMatchObject([{ latitude: london.latitude }, { latitude: manchester.latitude }]);
    const [{ id }] = await alerts();
    const { json: alert } = await call("getAlert", { token: admin.token, params: { id } });
    expect(alert).toMatchObject({ ...london, other_places: [manchester] });
    const { json: seen } = await call("seeAlert", { token: admin.token, params: { id } });
    expect(seen, "a first look is answered like every other").toEqual({
      ...alert,
      first_seen_at: seen.first_seen_at,
      first_seen_by: seen.first_seen_by,
      version: seen.version,
    });
    const address = (n: number) => ({ address: `203.0.113.${n}` });
    for (let n = 0; n < 20; n++) await scan(address(n));
    expect((await behind()).length).toBeGreaterThanOrEqual(20);
  });

  test("add a place to an alert that was raised before it was reported", async () => {
    const { call, admin, document, params, scan, alerts } = await withScans();
    await call("exitDocument", { token: admin.token, params: { id: document.id } });
    const key = await scan();
    expect(await alerts()).toMatchObject([{ alert: "Withdrawn document scanned", latitude: null }]);
    await call("locateScan", { params, body: { scan: key, ...manchester } });
    expect(await alerts()).toMatchObject([manchester]);
  });
});
