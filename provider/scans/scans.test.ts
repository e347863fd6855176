import { readFileSync } from "node:fs";
import { describe, expect, test } from "vitest";
import { raiseAlert } from "../alerts/raise.ts";
import { everyone } from "../contract/document-options.ts";
import type { Scan } from "../contract/scans.ts";
import { complaint } from "./judging/rules.ts";
import { hasDatabase, testProvider } from "#tests/fixtures/provider.ts";

const suite = describe.runIf(hasDatabase());

type Place = { latitude: number | null; longitude: number | null; day?: string; suspicion?: number };

const manchester = { latitude: 53.48081, longitude: -2.24263 };
const liverpool = { latitude: 53.40839, longitude: -2.99158 };
/** Of a fixture with one `latitude, longitude` a line. */
const atTheDateLine = readFileSync("tests/fixtures/scans-at-the-date-line.txt", "utf8")
  .split("\n")
  .filter((line) => /^-?\d/.test(line))
  .map((line) => {
    const [latitude, longitude] = line.split(",").map(Number);
    return { latitude: latitude!, longitude: longitude! };
  });
const nowhere = { latitude: null, longitude: null };

/** A company with a document, and scans of it at places. */
async function withScans(places: Place[]) {
  const provider = await testProvider();
  const { id: companyId, admin } = await provider.company();
  const { json: document } = await provider.issue(admin.token, { number: "HR-1" });
  const scanAt = async (documentId: number, place: Place, company_id = companyId) => {
    const { day = "2026-11-20", suspicion = 0, ...where } = place;
    const row = { ...where, company_id, document_id: documentId, at: `${day}T09:14:00.000Z`, day, suspicion };
    return provider.db
      .insertInto("scans")
      .values({ ...row, accuracy: 40, address_hash: "", key_hash: "", place: "", staff: 0 })
      .returningAll()
      .executeTakeFirstOrThrow();
  };
  const scans = [];
  for (const place of places) scans.push(await scanAt(document.id, place));
  const ask =
    (name: "listScans" | "scanPlaces") =>
    async (query: Record<string, string | number> = {}, token?: string) =>
      (await provider.call(name, { token: token ?? admin.token, query })).json;
  return { ...provider, companyId, admin, document, scans, scanAt, list: ask("listScans"), places: ask("scanPlaces") };
}

const latitudes = (scans: Scan[]) => scans.map(({ latitude }) => latitude);

suite("GET /documents/{id}/scans", () => {
  test("shows a document's newest scans, wherever they were made, to those who may read its alerts", async () => {
    const days = [11, 12, 13, 14, 15, 16].map((day) => ({ ...nowhere, day: `2026-11-${day}` }));
    const { call, admin, document, companyId, group, user, company } = await withScans([...days, manchester]);
    const input = { params: { id: document.id } };
    const { json } = await call("listDocumentScans", { token: admin.token, ...input });
    expect(json.map(({ at }: Scan) => at.slice(8, 10))).toEqual(["20", "16", "15", "14", "13"]);
    expect(json[0]).toMatchObject({ ...manchester, staff: false, verdict: "", place_is_rounded: false });
    await group(companyId, "Documents only", { docs: "C:R" });
    await group(companyId, "Own alerts", { docs: "C:R", alerts: "P:R" });
    const statusFor = async (token: string) => (await call("listDocumentScans", { token, ...input })).status;
    expect(await statusFor((await user(companyId, { group: "Documents only" })).token)).toBe(403);
    expect(await statusFor((await user(companyId, { group: "Own alerts" })).token)).toBe(404);
    expect(await statusFor((await company()).admin.token)).toBe(404);
  });
});

suite("GET /scans", () => {
  test("lists the company's scans with a position, newest first", async () => {
    const { list, issue, company, scanAt, document } = await withScans([
      { ...manchester, day: "2026-11-18" },
      nowhere,
      { ...liverpool, suspicion: 1 },
    ]);
    const other = await company();
    const { json: foreign } = await issue(other.admin.token);
    await scanAt(foreign.id, manchester, other.id);
    expect(await list()).toMatchObject([
      { ...liverpool, number: "HR-1", document_id: document.id, suspicion: true, alert_id: null },
      { ...manchester, suspicion: false },
    ]);
  });

  test("includes typed places for users who may write alerts", async () => {
    const { list, places, db, scans, companyId, group, user } = await withScans([nowhere, nowhere, manchester]);
    const update = db.updateTable("scans").set({ place: "Preston" }).where("id", "=", scans[0]!.id);
    await update.execute();
    expect((await list()).map(({ place }: Scan) => place).toSorted()).toEqual(["", "Preston"]);
    expect((await places()).count).toBe(1);
    await group(companyId, "Map", { map: "C:R", alerts: "C:R" });
    const { token } = await user(companyId, { group: "Map" });
    expect((await list({}, token)).map(({ place }: Scan) => place)).toEqual([""]);
  });

  test("filters by number, dates, branch, post code, kind and place", async () => {
    const { list, issue, admin, companyId, branch, user, scanAt } = await withScans([
      { ...manchester, day: "2026-11-18" },
      { ...liverpool, day: "2026-11-20", suspicion: 1 },
    ]);
    const { id: branchId } = await branch(companyId, "Preston");
    const { email } = await user(companyId, { branchId });
    const { json: other } = await issue(admin.token, { number: "PR-2", email });
    await scanAt(other.id, { latitude: 53.76, longitude: -2.7, day: "2026-11-19" });
    const find = async (query: Record<string, string>) => latitudes(await list(query));
    const [m, l, p] = [manchester.latitude, liverpool.latitude, 53.76];
    expect(await find({ number: "hr" })).toEqual([l, m]);
    expect(await find({ date_from: "19-11-2026" })).toEqual([l, p]);
    expect(await find({ date_to: "2026-11-19" })).toEqual([p, m]);
    expect(await find({ branch: "Preston" })).toEqual([p]);
    expect(await find({ index: "pr1" })).toEqual([p]);
    expect(await find({ kind: "scans" })).toEqual([p, m]);
    expect(await find({ kind: "suspicions" })).toEqual([l]);
    expect(await find({ kind: "scans,suspicions" })).toEqual([l, p, m]);
    expect(await find({ kind: "none" })).toEqual([]);
    expect(await find({ bbox: "-2.5,53.3,-2,53.6" })).toEqual([m]);
  });

  test("refuses a malformed box", async () => {
    const { call, admin } = await withScans([]);
    for (const bbox of ["1,2,3", "a,b,c,d", "3,2,1,4", ",,1,1", "1e300,0,2e300,1"]) {
      const { status, json } = await call("listScans", { token: admin.token, query: { bbox } });
      expect([status, json.errors]).toEqual([422, { bbox: ["Give west,south,east,north in degrees"] }]);
    }
  });

  test("finds scans on both sides of the date line in one box, wherever a map was moved", async () => {
    const { list, places } = await withScans(atTheDateLine);
    const all = [-16.9, -16.7, -16.8, -16.85];
    for (const bbox of ["179.9,-17,180.1,-16", "-180.1,-17,-179.9,-16", "179.9,-17,-179.9,-16", "-540,-17,540,-16"]) {
      expect(latitudes(await list({ bbox })).toSorted(), bbox).toEqual(all.toSorted());
    }
    expect(latitudes(await list({ bbox: "179.9,-17,180,-16" }))).toEqual([-16.7, -16.85]);
    expect(latitudes(await list({ bbox: "-180,-17,-179.9,-16" }))).toEqual([-16.9, -16.8]);
    const { bounds } = await places();
    expect(bounds).toEqual({ west: 179.95, south: -16.9, east: 180.08, north: -16.7 });
    const { cells } = await places({ points: "1", bbox: "170,-40,190,10" });
    expect(cells.map(({ scans }: { scans: number }) => scans)).toEqual([4]);
    expect(cells[0].longitude).toBeCloseTo(180.01, 5);
  });

  test("names a scan's alert to users who may read it", async () => {
    const { list, db, document, companyId, scans, group, user } = await withScans([{ ...manchester, suspicion: 1 }]);
    const [scan] = scans;
    const about = {
      document: { id: document.id, company_id: companyId },
      copy: null,
      scan: scan!,
      at: scan!.at,
      day: scan!.day,
    };
    await raiseAlert({}, db, about, complaint("A copy", { verdict: "in force", signature: "" }));
    await db
      .insertInto("complaints")
      .values({ scan_id: scan!.id, text: "A copy", contact: "me", at: scan!.at })
      .execute();
    const [{ alert_id, ...position }] = await list();
    expect([alert_id > 0, position.complaint, position.contact]).toEqual([true, "", ""]);
    await group(companyId, "Map", { map: "C:R" });
    const { token } = await user(companyId, { group: "Map" });
    expect(await list({}, token)).toMatchObject([{ alert_id: null, complaint: "", contact: "" }]);
  });
});

suite("places outside one's own branch", () => {
  test("are rounded to about a kilometre, without alerts out of scope", async () => {
    const { list, places, db, issue, admin, companyId, branch, group, user, scanAt } = await withScans([]);
    const { id: branchId } = await branch(companyId, "Preston");
    const colleague = await user(companyId, { branchId });
    await group(companyId, "Branch desk", { map: "C:R", alerts: "B:R/W" });
    const { token } = await user(companyId, { group: "Branch desk", branchId });
    const { json: near } = await issue(admin.token, {
      email: colleague.email,
      number: "NEAR",
      users_access_group: everyone,
    });
    const { json: far } = await issue(admin.token, { number: "FAR", users_access_group: everyone });
    for (const { id } of [near, far]) {
      const scan = await scanAt(id, { ...manchester, suspicion: 1 });
      const about = { document: { id, company_id: companyId }, copy: null, scan, at: scan.at, day: scan.day };
      await raiseAlert({}, db, about, complaint("A copy", { verdict: "in force", signature: "" }));
    }
    const rounded = { latitude: 53.48, longitude: -2.24, accuracy: 1000 };
    expect(await list({ number: "near" }, token)).toMatchObject([{ ...manchester, alert_id: expect.any(Number) }]);
    expect(await list({ number: "far" }, token)).toMatchObject([{ ...rounded, alert_id: null, complaint: "" }]);
    const numbers = async (bbox: string) =>
      (await places({ bbox }, token)).points.map(({ number }: Scan) => number).toSorted();
    // Around the place as it is, and as it is shown.
    expect(await numbers("-2.2427,53.4808,-2.2426,53.4809")).toEqual(["NEAR"]);
    expect(await numbers("-2.2401,53.4799,-2.2399,53.4801")).toEqual(["FAR"]);
  });

  test("of other companies are not counted", async () => {
    const { places, company, issue, scanAt } = await withScans([manchester]);
    const other = await company();
    const { json: foreign } = await issue(other.admin.token);
    await scanAt(foreign.id, liverpool, other.id);
    expect(await places()).toMatchObject({ count: 1, points: [{ number: "HR-1" }] });
    expect(await places({}, other.admin.token)).toMatchObject({ count: 1, points: [liverpool] });
  });
});

suite("GET /scans/places", () => {
  test("lists each scan with a position while they are few, with their bounds", async () => {
    const { places } = await withScans([manchester, liverpool, nowhere]);
    const { points, ...others } = await places();
    expect(latitudes(points)).toEqual([liverpool.latitude, manchester.latitude]);
    expect(others).toEqual({
      count: 2,
      is_capped: false,
      bounds: { west: -2.99158, south: 53.40839, east: -2.24263, north: 53.48081 },
      cells: [],
    });
    expect(await places({ number: "none" })).toMatchObject({ count: 0, bounds: null, points: [], cells: [] });
  });

  test("clusters near scans if there are more than requested", async () => {
    const { places } = await withScans([{ ...manchester, suspicion: 1 }, manchester, liverpool]);
    const { points, cells } = await places({ points: 2 });
    expect(points).toEqual([]);
    expect(cells).toHaveLength(2);
    expect(cells).toContainEqual({
      ...manchester,
      scans: 2,
      suspicions: 1,
      bounds: { west: -2.24263, south: 53.48081, east: -2.24263, north: 53.48081 },
    });
  });

  test("rounds places for users who may not write alerts, however small the box", async () => {
    const { list, places, companyId, group, user } = await withScans([manchester]);
    await group(companyId, "Map", { map: "C:R", alerts: "C:R" });
    const { token } = await user(companyId, { group: "Map" });
    const position = { latitude: 53.48, longitude: -2.24, accuracy: 1000 };
    expect(await list({}, token)).toMatchObject([position]);
    const { points, bounds } = await places({}, token);
    expect(points).toMatchObject([position]);
    expect(bounds).toEqual({ west: -2.24, south: 53.48, east: -2.24, north: 53.48 });
    expect((await places({ points: 0 }, token)).cells).toMatchObject([{ latitude: 53.48, longitude: -2.24 }]);
    const count = async (bbox: string) => (await places({ bbox }, token)).count;
    // Around the place as it is shown; the second box does not hold it as it is.
    expect(await count("-2.25,53.47,-2.23,53.49")).toBe(1);
    expect(await count("-2.2401,53.4799,-2.2399,53.4801")).toBe(1);
    expect(await count("-2.2427,53.4808,-2.2426,53.4809")).toBe(0);
  });
});
