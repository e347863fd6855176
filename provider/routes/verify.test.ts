import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { newCode } from "../documents/codes.ts";
import { everyone } from "../contract/document-options.ts";
import { hasDatabase, testProvider } from "#fixtures/provider.ts";
import { eraseOldPlaces } from "../scans/erase.ts";
import { issueToken } from "../sessions/tokens.ts";

const suite = describe.runIf(hasDatabase());

const manchester = { latitude: 53.4808, longitude: -2.2426, accuracy: 30 };
const london = { latitude: 51.5072, longitude: -0.1276, accuracy: 30 };

/** A company with a document that expires in three weeks, and a stranger who scans it. */
async function withScans(fields: Record<string, unknown> = {}, ...given: Parameters<typeof testProvider>) {
  const provider = await testProvider(...given);
  const { id: companyId, admin, name } = await provider.company();
  const expiring = { expire_type: "date", expire_date: "2026-12-12", users_access_group: everyone };
  const { json: document } = await provider.issue(admin.token, { ...expiring, ...fields });
  const params = { code: document.code as string };
  const scan = async (more: { token?: string; address?: string } = {}) =>
    (await provider.call("recordScan", { params, body: {}, ...more })).json.scan as string;
  const alerts = async () => (await provider.call("listAlerts", { token: admin.token })).json;
  /** Advances the clock and signs users in again. */
  const minutesLater = async (n: number) => {
    provider.clock.now = new Date(provider.clock.now.getTime() + n * 60_000);
    admin.token = await issueToken(provider.db, "session", admin.id, provider.clock.now);
  };
  return {
    ...provider,
    companyId,
    company: provider.company,
    issuer: name,
    admin,
    document,
    params,
    scan,
    alerts,
    minutesLater,
  };
}

suite("GET /verify/{code}", () => {
  test("shows the issuer and that the document is in force, and no people or amounts", async () => {
    const { call, params, issuer, document, admin } = await withScans();
    const { json, status } = await call("verify", { params });
    expect([status, json]).toEqual([
      200,
      {
        code: document.code,
        verdict: "in force",
        company: issuer,
        branch: "",
        document_type: "Contract",
        document_subtype: "Lease",
        number: document.number,
        date: "2026-11-21",
        expire_date: "2026-12-12",
        pages: 1,
        open_pages: [],
        preparing: false,
        timezone: "Europe/London",
      },
    ]);
    expect(JSON.stringify(json)).not.toContain(admin.email);
    expect((await call("listAlerts", { token: admin.token })).json).toEqual([]);
  });

  test("accepts a typed code, and distinguishes mistyped from unissued ones", async () => {
    const { call, document } = await withScans();
    const typed = (document.code.match(/.{1,4}/g) as string[]).join("-").toLowerCase().replaceAll("0", "o");
    expect((await call("verify", { params: { code: typed } })).json.code).toBe(document.code);
    const wrong = document.code.replace(/.$/, (last: string) => (last === "A" ? "B" : "A"));
    expect((await call("verify", { params: { code: wrong } })).status).toBe(422);
    expect((await call("verify", { params: { code: newCode() } })).status).toBe(404);
  });

  test("shows why and since when a document is no longer in force", async () => {
    const { call, params, document, admin, minutesLater } = await withScans();
    const ended = async () => (await call("verify", { params })).json.ended;
    await call("exitDocument", { token: admin.token, params: { id: document.id } });
    expect(await ended()).toEqual({ reason: "exited", since: "2026-11-21" });
    await minutesLater(60 * 24 * 2);
    await call("archiveDocument", { token: admin.token, params: { id: document.id } });
    expect(await ended()).toEqual({ reason: "exited", since: "2026-11-21" });
    await call("restoreDocument", { token: admin.token, params: { id: document.id } });
    await call("reactivateDocument", { token: admin.token, params: { id: document.id } });
    expect(await ended()).toBeUndefined();
    await call("archiveDocument", { token: admin.token, params: { id: document.id } });
    expect(await ended()).toEqual({ reason: "archived", since: "2026-11-23" });
    await call("restoreDocument", { token: admin.token, params: { id: document.id } });
    await minutesLater(60 * 24 * 20);
    expect(await ended()).toEqual({ reason: "expired", since: "2026-12-12" });
    await call("archiveDocument", { token: admin.token, params: { id: document.id } });
    expect(await ended()).toEqual({ reason: "expired", since: "2026-12-12" });
  });

  test("limits guesses, and never blocks a genuine code for others", async () => {
    const { call, params } = await withScans();
    const answers = new Set<number>();
    for (let n = 0; n < 40; n++) answers.add((await call("verify", { params: { code: newCode() } })).status);
    expect(answers).toEqual(new Set([404, 429]));
    expect((await call("verify", { params })).status).toBe(200);
    const { status, headers } = await call("verify", { params: { code: newCode() } });
    expect([status, Number(headers.get("retry-after")) > 0]).toEqual([429, true]);
    expect((await call("verify", { params: { code: newCode() }, address: "198.51.100.7" })).status).toBe(404);
  });
});

suite("POST /verify/{code}/scans", () => {
  test("records a scan, without an alert for a document in force", async () => {
    const { scan, alerts, db, document } = await withScans();
    expect(await scan()).toMatch(/^[\w-]{22}$/);
    expect(await alerts()).toEqual([]);
    const [row] = await db.selectFrom("scans").selectAll().execute();
    expect(row).toMatchObject({ document_id: document.id, day: "2026-11-21", staff: 0, suspicion: 0, latitude: null });
    expect(JSON.stringify(row)).not.toContain("192.0.2.1");
  });

  test("of a withdrawn or expired document raises one alert a day, which counts scans", async () => {
    const { call, scan, alerts, admin, document, minutesLater } = await withScans();
    await call("exitDocument", { token: admin.token, params: { id: document.id } });
    for (let n = 0; n < 3; n++) await scan();
    expect(await alerts()).toMatchObject([
      {
        alert: "Withdrawn document scanned",
        status: 2,
        count: 3,
        number: "AL-000001",
        reason: "Scanned after it had been withdrawn on 21-11-2026.",
      },
    ]);
    await minutesLater(24 * 60);
    await scan();
    expect(await alerts()).toHaveLength(2);
    await call("reactivateDocument", { token: admin.token, params: { id: document.id } });
    await minutesLater(60 * 24 * 21);
    await scan();
    expect((await alerts())[0]).toMatchObject({ alert: "Expired document scanned", count: 1, number: "AL-000003" });
  });

  test("by the issuer's own staff raises no alert; by other companies' staff it does", async () => {
    const { call, company, user, companyId, scan, alerts, admin, document, db } = await withScans();
    await call("exitDocument", { token: admin.token, params: { id: document.id } });
    await scan({ token: (await user(companyId, { group: "Accountant" })).token });
    expect(await alerts()).toEqual([]);
    await scan({ token: (await company()).admin.token });
    expect(await alerts()).toHaveLength(1);
    const rows = await db.selectFrom("scans").select("staff").orderBy("id").execute();
    expect(rows).toEqual([{ staff: 1 }, { staff: 0 }]);
  });

  test("in a burst raises one alert", async () => {
    const { scan, alerts, minutesLater } = await withScans();
    const device = (n: number) => scan({ address: `198.51.100.${n}` });
    for (let n = 0; n < 19; n++) await device(n);
    for (let n = 0; n < 10; n++) await device(1);
    expect(await alerts()).toEqual([]);
    await minutesLater(11);
    await device(20);
    expect(await alerts()).toEqual([]);
    for (let n = 0; n < 30; n++) await device(n);
    expect(await alerts()).toMatchObject([{ alert: "Burst of scans", count: 12 }]);
  });

  test("of an unissued code with a real number raises an alert", async () => {
    const { call, alerts, document } = await withScans();
    const type = (code: string, number: string) => call("recordScan", { params: { code }, body: { number } });
    expect((await type(newCode(), "NM-NOTHING")).status).toBe(404);
    expect(await alerts()).toEqual([]);
    expect((await type(newCode(), document.number.toLowerCase())).status).toBe(404);
    // A slip of the finger is none.
    expect((await type("4C7H-29", document.number)).status).toBe(422);
    expect(await alerts()).toMatchObject([{ alert: "Fake scan", status: 1, count: 1, document_id: document.id }]);
  });

  test("deletes the day's salt after the day", async () => {
    const { scan, db, minutesLater } = await withScans();
    for (const address of ["192.0.2.1", "192.0.2.1", "192.0.2.2"]) await scan({ address });
    await minutesLater(24 * 60);
    await scan({ address: "192.0.2.1" });
    const [a, b, c, d] = (await db.selectFrom("scans").select("address_hash").orderBy("id").execute()).map(
      ({ address_hash }) => address_hash,
    );
    expect([a === b, a === c, a === d]).toEqual([true, false, false]);
    expect(await db.selectFrom("address_salts").select("day").execute()).toEqual([{ day: "2026-11-22" }]);
  });
});

suite("POST /verify/{code}/location", () => {
  test("stores a place once, within ten minutes, for its code only", async () => {
    const { call, scan, params, issue, admin, minutesLater } = await withScans();
    const { json: other } = await issue(admin.token);
    const key = await scan();
    const tell = (sent: object, code = params.code) =>
      call("locateScan", { params: { code }, body: { ...manchester, scan: key, ...sent } });
    expect((await tell({}, other.code)).status).toBe(409);
    expect((await tell({ scan: "made-up" })).status).toBe(409);
    expect((await tell({ latitude: 91 })).status).toBe(422);
    expect((await tell({ latitude: undefined, longitude: undefined })).json.errors).toEqual({
      place: ["Enter a town or a post code"],
    });
    expect((await tell({})).status).toBe(204);
    expect((await tell({})).status).toBe(409);
    const late = await scan();
    await minutesLater(11);
    expect((await tell({ scan: late })).json.message).toContain("scan the code again");
  });

  test("in two cities at once raises an alert with reason and position", async () => {
    const { call, scan, params, alerts, minutesLater } = await withScans();
    const first = await scan();
    await minutesLater(5);
    const second = await scan();
    await call("locateScan", { params, body: { scan: first, ...manchester } });
    expect(await alerts()).toEqual([]);
    await call("locateScan", { params, body: { scan: second, ...london } });
    expect(await alerts()).toMatchObject([
      {
        alert: "Fake scan",
        status: 1,
        latitude: london.latitude,
        reason: "Scanned within 5 minutes at places 262 km apart: nobody travels that fast.",
      },
    ]);
  });

  test("is deleted after ninety days, and so is a contact", async () => {
    const { call, scan, params, db, services, minutesLater } = await withScans();
    const key = await scan();
    await call("locateScan", { params, body: { scan: key, ...manchester } });
    await call("complain", { params, body: { scan: key, text: "A copy", contact: "07700 900123" } });
    const place = () => db.selectFrom("scans").select(["latitude", "longitude"]).executeTakeFirstOrThrow();
    await minutesLater(60 * 24 * 89);
    await eraseOldPlaces(services);
    expect((await place()).latitude).toBe(manchester.latitude);
    await minutesLater(60 * 24 * 2);
    await eraseOldPlaces(services);
    expect(await place()).toEqual({ latitude: null, longitude: null });
    expect(await db.selectFrom("alerts").select("latitude").execute()).toEqual([{ latitude: null }]);
    expect(await db.selectFrom("complaints").select(["text", "contact"]).execute()).toEqual([
      { text: "A copy", contact: "" },
    ]);
  });

  test("ignores fields that a browser left empty", async () => {
    const { call, scan, params, db } = await withScans();
    const body = { scan: await scan(), latitude: "", longitude: "", accuracy: "", place: "Leeds" };
    expect((await call("locateScan", { params, body })).status).toBe(204);
    expect(await db.selectFrom("scans").select(["place", "latitude"]).execute()).toEqual([
      { place: "Leeds", latitude: null },
    ]);
  });

  test("accepts a town without a position", async () => {
    const { call, scan, params, db } = await withScans();
    await call("locateScan", { params, body: { scan: await scan(), place: "Preston PR1" } });
    expect(await db.selectFrom("scans").select(["place", "latitude"]).execute()).toEqual([
      { place: "Preston PR1", latitude: null },
    ]);
  });
});

suite("POST /verify/{code}/complaint", () => {
  test("reopens an alert that was completed on the same day", async () => {
    const { call, scan, params, alerts, admin } = await withScans();
    const report = async () => call("complain", { params, body: { scan: await scan(), text: "A copy" } });
    await report();
    const [{ id }] = await alerts();
    await call("completeAlert", { token: admin.token, params: { id }, body: { note: "Looked at" } });
    await report();
    expect(await alerts()).toMatchObject([{ id, status: 2, count: 2, note: "" }]);
    const { json } = await call("alertHistory", { token: admin.token, params: { id }, query: { sort: "at" } });
    expect(json).toMatchObject([{ action: "completed" }, { action: "reopened", actor: "A new scan" }]);
  });

  test("raises an alert with the complaint's text, once for a scan", async () => {
    const { call, scan, params, alerts, db } = await withScans();
    const key = await scan();
    const body = { scan: key, text: "The name on the paper is another", contact: "07700 900123" };
    expect((await call("complain", { params, body: { ...body, text: " " } })).json.errors).toEqual({
      text: ["Enter the problem"],
    });
    expect((await call("complain", { params, body })).status).toBe(204);
    expect((await call("complain", { params, body })).status).toBe(409);
    expect(await alerts()).toMatchObject([
      { alert: "Complaint", status: 2, reason: "“The name on the paper is another”", count: 1 },
    ]);
    expect(await db.selectFrom("complaints").select("contact").execute()).toEqual([{ contact: "07700 900123" }]);
  });
});

suite("many scans", () => {
  const tenKept = {
    points: (limit: string, usual: number) => (/^verify_kept(_reserve)?$/.test(limit) ? 5 : usual),
  };

  test("from some networks leave room for new networks", async () => {
    const { scan, db } = await withScans({}, {}, tenKept);
    const host = (network: number, n: number) => ({ address: `2001:db8:${network}:1::${n}` });
    const recorded = async (network: number, n: number) => (await scan(host(network, n))) !== "";
    // The first of each network takes from the reserve; those that follow from the rest, which is soon used up.
    for (let n = 0; n < 6; n++) expect(await recorded(1, n)).toBe(true);
    expect(await recorded(1, 7)).toBe(false);
    for (const network of [2, 3, 4, 5]) expect(await recorded(network, 1)).toBe(true);
    expect(await recorded(2, 2)).toBe(false);
    expect(await db.selectFrom("scans").selectAll().execute()).toHaveLength(10);
  });

  test("do not prevent complaints, which record their scan, nor alerts", async () => {
    const { call, scan, params, alerts, db } = await withScans();
    for (let n = 0; n < 20; n++) await scan();
    expect(await scan()).toBe("");
    const body = { scan: "", text: "The name is another", contact: "07700 900123" };
    expect((await call("complain", { params, body })).status).toBe(204);
    expect(await alerts()).toMatchObject([{ alert: "Complaint", reason: "“The name is another”" }]);
    expect(await db.selectFrom("scans").selectAll().execute()).toHaveLength(21);
  });

  test("and complaints from some networks leave room for another", async () => {
    const four = (limit: string, usual: number) => (/^verify_complaints(_reserve)?$/.test(limit) ? 2 : usual);
    const { call, params } = await withScans({}, {}, { points: four });
    const complain = async (address: string) =>
      (await call("complain", { params, body: { scan: "", text: "A copy" }, address })).status;
    for (let n = 0; n < 3; n++) expect(await complain("192.0.2.1")).toBe(204);
    expect(await complain("192.0.2.1")).toBe(429);
    expect(await complain("192.0.2.2")).toBe(204);
  });

  test("of an IPv6 host's addresses are one scanner's", async () => {
    const { scan, alerts } = await withScans();
    const recorded = [];
    for (let n = 0; n < 40; n++) recorded.push((await scan({ address: `2001:db8:1:1::${n}` })) !== "");
    expect(recorded.filter(Boolean)).toHaveLength(20);
    expect(await alerts()).toEqual([]);
  });

  test("of unissued codes raise a limited number of alerts for a network", async () => {
    const { call, issue, admin, alerts } = await withScans();
    const numbers = [];
    for (let n = 0; n < 8; n++) numbers.push((await issue(admin.token)).json.number as string);
    const type = (number: string, address: string) =>
      call("recordScan", { params: { code: newCode() }, body: { number }, address });
    for (const [n, number] of numbers.entries()) expect((await type(number, `2001:db8:1:1::${n}`)).status).toBe(404);
    expect(await alerts()).toHaveLength(5);
    // A document's number is noted some times a day, however many networks come with it.
    for (let n = 0; n < 30; n++) await type(numbers[0]!, `198.51.100.${n}`);
    expect((await alerts()).find(({ count }: { count: number }) => count > 1)).toMatchObject({ count: 20 });
  });
});

suite("a reported place", () => {
  test("is marked without accuracy, when typed, and when its network reported a distant one", async () => {
    const { call, scan, params, admin } = await withScans();
    const tell = async (sent: object, address = "192.0.2.1") => {
      const body = { scan: await scan({ address }), ...sent };
      expect((await call("locateScan", { params, body, address })).status).toBe(204);
    };
    await tell(manchester);
    await tell({ ...manchester, latitude: manchester.latitude + 0.01 });
    await tell(london);
    await tell(london, "192.0.2.2");
    await tell({ ...manchester, accuracy: "" }, "192.0.2.3");
    await tell({ place: "Preston" }, "192.0.2.4");
    const { json } = await call("listScans", { token: admin.token, query: { sort: "at", per_page: 10 } });
    const qualities = json.map(({ place_quality }: { place_quality: string }) => place_quality);
    expect(qualities).toEqual(["measured", "measured", "doubtful", "measured", "doubtful", "typed"]);
  });
});

suite("DELETE /scans/{id}/place", () => {
  test("needs the right to change the document's alerts; scan and alert stay, and it is audited", async () => {
    const { call, scan, params, admin, alerts, document, db } = await withScans();
    const key = await scan();
    await call("locateScan", { params, body: { scan: key, ...manchester } });
    await call("complain", { params, body: { scan: key, text: "A copy" } });
    const list = async () => (await call("listScans", { token: admin.token, query: {} })).json;
    const [{ id, place_is_removable }] = await list();
    expect(place_is_removable).toBe(true);
    for (let n = 0; n < 2; n++) {
      expect((await call("removeScanPlace", { token: admin.token, params: { id } })).status).toBe(204);
    }
    expect(await list()).toEqual([]);
    expect(await alerts()).toMatchObject([{ alert: "Complaint", latitude: null }]);
    const told = { ...params, key };
    expect((await call("locateScan", { params: told, body: { scan: key, ...london } })).status).toBe(409);
    expect(await db.selectFrom("scans").select(["latitude", "place"]).execute()).toEqual([
      { latitude: null, place: "" },
    ]);
    const history = await call("documentHistory", { token: admin.token, params: { id: document.id } });
    expect(history.json.filter(({ action }: { action: string }) => action === "place removed")).toMatchObject([
      { actor: "Ada Admin", changes: [] },
    ]);
    expect(JSON.stringify(history.json)).not.toContain(String(manchester.latitude));
  });

  test("also removes those of its network for the document on that day", async () => {
    const { call, scan, params, issue, admin } = await withScans();
    const { json: other } = await issue(admin.token, { users_access_group: everyone });
    const tell = async (address: string, code = params.code) => {
      const { json } = await call("recordScan", { params: { code }, body: {}, address });
      await call("locateScan", { params: { code }, body: { scan: json.scan, ...manchester }, address });
    };
    for (let n = 1; n < 4; n++) await tell(`2001:db8:1:1::${n}`);
    await tell("2001:db8:1:2::1");
    await tell("2001:db8:1:1::1", other.code);
    await scan();
    const list = async () =>
      (await call("listScans", { token: admin.token, query: { sort: "at", per_page: 10 } })).json;
    const [{ id }] = await list();
    const query = { network: "1" };
    expect((await call("removeScanPlace", { token: admin.token, params: { id }, query })).status).toBe(204);
    expect(await list()).toHaveLength(2);
  });
});

suite("GET /verify/{code}/pages/{n}", () => {
  test("serves the pages of documents open to all, while they are in force", async () => {
    const { call, params, document, admin } = await withScans({ access_type: "Open to all" });
    expect((await call("verify", { params })).json.open_pages).toEqual([{ n: 1, pages: 1 }]);
    const page = (n = 1) => call("getOpenPage", { params: { ...params, n } });
    const { status, bytes } = await page();
    expect([status, new TextDecoder().decode(bytes.subarray(8, 12))]).toEqual([200, "WEBP"]);
    expect((await page(2)).status).toBe(404);
    await call("exitDocument", { token: admin.token, params: { id: document.id } });
    expect((await page()).status).toBe(404);
  });

  test("is not found for all others", async () => {
    const { call, params } = await withScans();
    expect((await call("getOpenPage", { params: { ...params, n: 1 } })).status).toBe(404);
  });
});

suite("GET /alerts/{id}/scans", () => {
  test("lists an alert's scans, with contacts for users who may change it", async () => {
    const { call, scan, params, alerts, admin, companyId, group, user } = await withScans();
    const key = await scan();
    await call("locateScan", { params, body: { scan: key, ...manchester } });
    await call("complain", { params, body: { scan: key, text: "A copy", contact: "07700 900123" } });
    await scan();
    const [{ id }] = await alerts();
    const { json } = await call("listAlertScans", { token: admin.token, params: { id } });
    expect(json).toMatchObject([{ complaint: "A copy", contact: "07700 900123", ...manchester, suspicion: true }]);
    await group(companyId, "Readers", { alerts: "C:R" });
    const reader = await user(companyId, { group: "Readers" });
    const { json: less } = await call("listAlertScans", { token: reader.token, params: { id } });
    expect(less).toMatchObject([{ complaint: "A copy", contact: "", latitude: 53.48, accuracy: 1000 }]);
  });
});

suite("GET /scans/daily", () => {
  test("counts scans, alerts and issued documents by the company's days, and staff scans", async () => {
    const { call, scan, params, admin, companyId, user, minutesLater } = await withScans();
    await scan();
    await minutesLater(24 * 60);
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
    await minutesLater(24 * 60 * 14);
    const { json: later } = await call("dailyScans", { token: admin.token });
    expect(later).toMatchObject({ scans_before: 3, documents: 0, documents_before: 1, alerts_open: 1 });
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

suite("a flood of scans", () => {
  /** What strangers can do, in any order; `wait` lets a third of a day go by. */
  const acts = ["scan", "here", "there", "complain", "forge", "wait"] as const;

  test("raises one alert at most for each document, rule and day, in any order", async () => {
    const { call, db, admin, document, params, minutesLater } = await withScans();
    await call("exitDocument", { token: admin.token, params: { id: document.id } });
    let strangers = 0;
    const act = async (what: (typeof acts)[number]) => {
      if (what === "wait") return minutesLater(8 * 60);
      const address = `198.51.${Math.floor(++strangers / 250)}.${strangers % 250}`;
      if (what === "forge")
        return call("recordScan", { params: { code: newCode() }, body: { number: document.number }, address });
      const { json } = await call("recordScan", { params, body: {}, address });
      const sent = { params, address };
      if (what === "complain") return call("complain", { ...sent, body: { scan: json.scan, text: "A copy" } });
      if (what === "scan") return json;
      return call("locateScan", { ...sent, body: { scan: json.scan, ...(what === "here" ? manchester : london) } });
    };
    const flood = fc.array(fc.constantFrom(...acts), { minLength: 20, maxLength: 60 });
    await fc.assert(
      fc.asyncProperty(flood, async (sequence) => {
        for (const what of sequence) await act(what);
        const alerts = await db.selectFrom("alerts").select(["document_id", "rule", "day", "count"]).execute();
        const kinds = new Set(alerts.map(({ document_id, rule, day }) => `${document_id} ${rule} ${day}`));
        expect(alerts).toHaveLength(kinds.size);
        const days = await db.selectFrom("scans").select("day").distinct().execute();
        // Withdrawn, travel, burst, complaint; and a forged code leaves no scan.
        expect(alerts.filter(({ rule }) => rule !== "forged").length).toBeLessThanOrEqual(4 * days.length);
        const counted = alerts.filter(({ rule }) => rule === "withdrawn").reduce((sum, { count }) => sum + count, 0);
        const { scans } = await db
          .selectFrom("scans")
          .select((eb) => eb.fn.countAll<number>().as("scans"))
          .executeTakeFirstOrThrow();
        expect(counted).toBe(scans);
      }),
      { numRuns: 8 },
    );
  });
});
