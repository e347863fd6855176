import { london, manchester, withScans } from "#tests/fixtures/scans.ts";
import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { newCode } from "../documents/codes.ts";
import { hasDatabase } from "#tests/fixtures/provider.ts";

const suite = describe.runIf(hasDatabase());

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
    const { call, scan, alerts, admin, document, advanceMinutes } = await withScans();
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
    await advanceMinutes(24 * 60);
    await scan();
    expect(await alerts()).toHaveLength(2);
    await call("reactivateDocument", { token: admin.token, params: { id: document.id } });
    await advanceMinutes(60 * 24 * 21);
    await scan();
    expect((await alerts())[0]).toMatchObject({ alert: "Expired document scanned", count: 1, number: "AL-000003" });
  });

  test("of an archived document in force raises none", async () => {
    const { call, scan, alerts, admin, document } = await withScans();
    await call("archiveDocument", { token: admin.token, params: { id: document.id } });
    await scan();
    expect(await alerts()).toEqual([]);
  });

  test("stores what the visitor was shown", async () => {
    const { call, params, scan, admin, document, advanceMinutes, db } = await withScans();
    await scan();
    await call("recordScan", { params, body: { number: "NM-WRONG" } });
    await call("exitDocument", { token: admin.token, params: { id: document.id } });
    await scan();
    await call("reactivateDocument", { token: admin.token, params: { id: document.id } });
    await advanceMinutes(60 * 24 * 30);
    await scan();
    const rows = await db.selectFrom("scans").select("verdict").orderBy("id").execute();
    expect(rows.map(({ verdict }) => verdict)).toEqual(["in force", "other paper", "withdrawn", "expired"]);
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
    const { scan, alerts, advanceMinutes } = await withScans();
    const device = (n: number) => scan({ address: `198.51.100.${n}` });
    for (let n = 0; n < 19; n++) await device(n);
    for (let n = 0; n < 10; n++) await device(1);
    expect(await alerts()).toEqual([]);
    await advanceMinutes(11);
    await device(20);
    expect(await alerts()).toEqual([]);
    for (let n = 0; n < 30; n++) await device(n);
    expect(await alerts()).toMatchObject([{ alert: "Burst of scans", count: 12 }]);
  });

  test("in a burst is found behind many by three devices", async () => {
    const { scan, alerts } = await withScans();
    const device = (n: number) => scan({ address: `198.51.100.${n}` });
    for (let n = 0; n < 19; n++) await device(n);
    for (let n = 0; n < 19; n++) for (const reloading of [1, 2, 3]) await device(reloading);
    expect(await alerts()).toEqual([]);
    await device(20);
    expect(await alerts()).toMatchObject([{ alert: "Burst of scans", count: 1 }]);
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

  test("of a genuine code with another paper's number raises one alert a day, and is a suspicion", async () => {
    const { call, params, alerts, document, db, company, companyId, user } = await withScans();
    const check = (number: string, input: object = {}) => call("recordScan", { params, body: { number }, ...input });
    await check(document.number.toLowerCase().replace("-", " "));
    await check(" – ");
    await check("NM-WRONG", { token: (await user(companyId, { group: "Accountant" })).token });
    expect(await alerts()).toEqual([]);
    await check("NM-WRONG");
    const { json } = await check("NM-OTHER", { token: (await company()).admin.token });
    expect(await alerts()).toMatchObject([
      {
        alert: "Fake scan",
        status: 1,
        count: 2,
        document_id: document.id,
        reason: expect.stringContaining("“NM-WRONG”, which is not this document’s"),
      },
    ]);
    await call("locateScan", { params, body: { scan: json.scan, ...manchester } });
    const suspicious = await db.selectFrom("scans").where("suspicion", "=", 1).select("latitude").execute();
    expect(suspicious.map(({ latitude }) => latitude).toSorted()).toEqual([manchester.latitude, null]);
  });

  test("deletes the day's salt after the day", async () => {
    const { scan, db, advanceMinutes } = await withScans();
    for (const address of ["192.0.2.1", "192.0.2.1", "192.0.2.2"]) await scan({ address });
    await advanceMinutes(24 * 60);
    await scan({ address: "192.0.2.1" });
    const [a, b, c, d] = (await db.selectFrom("scans").select("address_hash").orderBy("id").execute()).map(
      ({ address_hash }) => address_hash,
    );
    expect([a === b, a === c, a === d]).toEqual([true, false, false]);
    expect(await db.selectFrom("address_salts").select("day").execute()).toEqual([{ day: "2026-11-22" }]);
  });
});

suite("many scans", () => {
  const tenKept = {
    points: (limit: string, usual: number) => (/^verify_recorded(_reserve)?$/.test(limit) ? 5 : usual),
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

suite("numbers of other papers", () => {
  test("raise a limited number of alerts for a network, and of a document", async () => {
    const { call, issue, admin, alerts, document, db } = await withScans();
    const codes = [];
    for (let n = 0; n < 8; n++) codes.push((await issue(admin.token)).json.code as string);
    const check = (code: string, address: string) =>
      call("recordScan", { params: { code }, body: { number: "NM-WRONG" }, address });
    for (const [n, code] of codes.entries()) expect((await check(code, `2001:db8:1:1::${n}`)).status).toBe(201);
    expect(await alerts()).toHaveLength(5);
    for (let n = 0; n < 30; n++) await check(document.code, `198.51.100.${n}`);
    const ofDocument = (await alerts()).filter(
      ({ document_id }: { document_id: number }) => document_id === document.id,
    );
    // By that many devices it is a burst as well.
    expect(ofDocument.find(({ alert }: { alert: string }) => alert === "Fake scan")).toMatchObject({ count: 20 });
    const otherPaperScans = await db.selectFrom("scans").where("verdict", "=", "other paper").select("id").execute();
    expect(otherPaperScans).toHaveLength(38);
  });
});

suite("a flood of scans", () => {
  /** What strangers can do, in any order; `wait` lets a third of a day go by. */
  const acts = ["scan", "here", "there", "complain", "forge", "mismatch", "wait"] as const;

  test("raises one alert at most for each document, rule and day, in any order", async () => {
    const { call, db, admin, document, params, advanceMinutes } = await withScans();
    await call("exitDocument", { token: admin.token, params: { id: document.id } });
    let strangers = 0;
    const act = async (what: (typeof acts)[number]) => {
      if (what === "wait") return advanceMinutes(8 * 60);
      const address = `198.51.${Math.floor(++strangers / 250)}.${strangers % 250}`;
      if (what === "forge")
        return call("recordScan", { params: { code: newCode() }, body: { number: document.number }, address });
      const number = what === "mismatch" ? "NM-WRONG" : "";
      const { json } = await call("recordScan", { params, body: { number }, address });
      const input = { params, address };
      if (what === "complain") return call("complain", { ...input, body: { scan: json.scan, text: "A copy" } });
      if (what === "scan" || what === "mismatch") return json;
      return call("locateScan", { ...input, body: { scan: json.scan, ...(what === "here" ? manchester : london) } });
    };
    const flood = fc.array(fc.constantFrom(...acts), { minLength: 20, maxLength: 60 });
    await fc.assert(
      fc.asyncProperty(flood, async (sequence) => {
        for (const what of sequence) await act(what);
        const alerts = await db.selectFrom("alerts").select(["document_id", "rule", "day", "count"]).execute();
        const kinds = new Set(alerts.map(({ document_id, rule, day }) => `${document_id} ${rule} ${day}`));
        expect(alerts).toHaveLength(kinds.size);
        const days = await db.selectFrom("scans").select("day").distinct().execute();
        // Withdrawn, travel, burst, complaint, another paper; and a forged code leaves no scan.
        expect(alerts.filter(({ rule }) => rule !== "forged").length).toBeLessThanOrEqual(5 * days.length);
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
