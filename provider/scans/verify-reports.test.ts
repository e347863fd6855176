import { london, manchester, withScans } from "#tests/fixtures/scans.ts";
import { describe, expect, test } from "vitest";
import { everyone } from "../contract/document-options.ts";
import { hasDatabase } from "#tests/fixtures/provider.ts";
import { eraseOldPlaces } from "./erase.ts";

const suite = describe.runIf(hasDatabase());

suite("POST /verify/{code}/location", () => {
  test("stores a place once, within ten minutes, for its code only", async () => {
    const { call, scan, params, issue, admin, advanceMinutes } = await withScans();
    const { json: other } = await issue(admin.token);
    const key = await scan();
    const tell = (input: object, code = params.code) =>
      call("locateScan", { params: { code }, body: { ...manchester, scan: key, ...input } });
    expect((await tell({}, other.code)).status).toBe(409);
    expect((await tell({ scan: "made-up" })).status).toBe(409);
    expect((await tell({ latitude: 91 })).status).toBe(422);
    expect((await tell({ latitude: undefined, longitude: undefined })).json.errors).toEqual({
      place: ["Enter a town or a post code"],
    });
    expect((await tell({})).status).toBe(204);
    expect((await tell({})).status).toBe(409);
    const lateScan = await scan();
    await advanceMinutes(11);
    expect((await tell({ scan: lateScan })).json.message).toContain("scan the code again");
  });

  test("in two cities at once raises an alert with reason and position", async () => {
    const { call, scan, params, alerts, advanceMinutes } = await withScans();
    const first = await scan();
    await advanceMinutes(5);
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
    const { call, scan, params, db, services, advanceMinutes } = await withScans();
    const key = await scan();
    await call("locateScan", { params, body: { scan: key, ...manchester } });
    await call("complain", { params, body: { scan: key, text: "A copy", contact: "07700 900123" } });
    const place = () => db.selectFrom("scans").select(["latitude", "longitude"]).executeTakeFirstOrThrow();
    await advanceMinutes(60 * 24 * 89);
    await eraseOldPlaces(services, new AbortController().signal);
    expect((await place()).latitude).toBe(manchester.latitude);
    await advanceMinutes(60 * 24 * 2);
    await eraseOldPlaces(services, new AbortController().signal);
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
    const reopened = { note: "Looked at", reopened_because: "It happened again on the same day" };
    expect(await alerts()).toMatchObject([{ id, status: 2, count: 2, ...reopened }]);
    const { json } = await call("alertHistory", { token: admin.token, params: { id }, query: { sort: "at" } });
    expect(json).toMatchObject([
      { action: "first seen" },
      { action: "completed" },
      { action: "reopened", actor: "A new scan" },
    ]);
  });

  test("raises an alert that says when the scan had judged the paper to be another", async () => {
    const { call, params, alerts } = await withScans();
    const { json } = await call("recordScan", { params, body: { number: "NM-WRONG" } });
    await call("complain", { params, body: { scan: json.scan, text: "It looks odd" } });
    expect((await alerts()).find(({ alert }: { alert: string }) => alert === "Complaint")).toMatchObject({
      reason: "Of a paper whose number is not this document’s: “It looks odd”",
    });
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

suite("a reported place", () => {
  test("is marked without accuracy, when typed, and when its network reported a distant one", async () => {
    const { call, scan, params, admin } = await withScans();
    const tell = async (input: object, address = "192.0.2.1") => {
      const body = { scan: await scan({ address }), ...input };
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
    const report = { ...params, key };
    expect((await call("locateScan", { params: report, body: { scan: key, ...london } })).status).toBe(409);
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
