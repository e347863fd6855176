import { describe, expect, test } from "vitest";
import { hasDatabase } from "#tests/fixtures/provider.ts";
import { withSignedCode } from "#tests/fixtures/signed-codes.ts";

const suite = describe.runIf(hasDatabase());

/** Scans of the fixture's code with digits, and what is stored of them. */
async function withScansOfDigits(...parameters: Parameters<typeof withSignedCode>) {
  const fixture = await withSignedCode(...parameters);
  const { call, params, db } = fixture;
  return {
    ...fixture,
    scanWith: async (digits: string, address = "192.0.2.1") =>
      (await call("recordScan", { params, body: { digits }, address })).json.scan as string,
    stored: () => db.selectFrom("scans").select(["signature", "verdict", "suspicion"]).orderBy("id").execute(),
  };
}

suite("POST /verify/{code}/scans with the digits of a signed code", () => {
  test("stores nothing of a signature that confirms the record, and raises no alert", async () => {
    const { scanWith, digits, stored, alerts } = await withScansOfDigits();
    await scanWith(digits);
    await scanWith("");
    const plain = { signature: "", verdict: "in force", suspicion: 0 };
    expect(await stored()).toEqual([plain, plain]);
    expect(await alerts()).toEqual([]);
  });

  test("raises an alert of an altered code, which staff see among the suspicions", async () => {
    const { call, params, admin, scanWith, altered, stored, alerts, document } = await withScansOfDigits();
    const scan = await scanWith(altered);
    await call("locateScan", { params, body: { scan, place: "Preston" } });
    expect(await stored()).toEqual([{ signature: "altered", verdict: "in force", suspicion: 1 }]);
    expect(await alerts()).toMatchObject([
      {
        alert: "Fake scan",
        status: 1,
        reason:
          "Scanned from a paper whose code was altered: its signature is wrong, so its digits were changed or copied " +
          "from another code.",
      },
    ]);
    const { json } = await call("listScans", { token: admin.token, query: { kind: "suspicions" } });
    expect(json).toMatchObject([{ document_id: document.id, place: "Preston", signature: "altered" }]);
  });

  test("raises an alert of a key that is not ours", async () => {
    const { scanWith, signedByStranger, alerts, stored } = await withScansOfDigits();
    await scanWith(await signedByStranger());
    expect(await stored()).toMatchObject([{ signature: "unknown key", suspicion: 1 }]);
    expect(await alerts()).toMatchObject([{ reason: expect.stringContaining("with a key that is not ours") }]);
  });

  test("raises an alert of a key that was revoked, with the day", async () => {
    const { scanWith, digits, revokeKey, alerts, stored } = await withScansOfDigits();
    await revokeKey();
    await scanWith(digits);
    expect(await stored()).toMatchObject([{ signature: "revoked key", suspicion: 1 }]);
    expect(await alerts()).toMatchObject([{ reason: expect.stringContaining("revoked on 21-11-2026") }]);
  });

  test("stores what can't be read and what the record says differently, without an alert", async () => {
    const { scanWith, digits, call, admin, document, stored, alerts } = await withScansOfDigits();
    await scanWith(digits.slice(0, 100));
    await call("prolongDocument", { token: admin.token, params: { id: document.id } });
    await scanWith(digits);
    expect((await stored()).map(({ signature }) => signature)).toEqual(["unreadable", "changed since"]);
    expect(await alerts()).toEqual([]);
  });

  test("stores that register and paper contradict each other, which is for the operator", async () => {
    const { scanWith, digits, stored, alerts } = await withScansOfDigits({ pages: 12 });
    await scanWith(digits);
    expect(await stored()).toMatchObject([{ signature: "contradicts", suspicion: 0 }]);
    expect(await alerts()).toEqual([]);
  });

  test("and another paper's number raises an alert for each", async () => {
    const { call, params, altered, alerts } = await withScansOfDigits();
    await call("recordScan", { params, body: { digits: altered, number: "NM-WRONG" } });
    expect((await alerts()).map(({ reason }: { reason: string }) => reason)).toEqual([
      expect.stringContaining("altered"),
      expect.stringContaining("NM-WRONG"),
    ]);
  });

  test("raises alerts of altered codes five times a day for a network, twenty times for a code", async () => {
    const { scanWith, altered, alerts } = await withScansOfDigits();
    const count = async () =>
      (await alerts()).find(({ reason }: { reason: string }) => reason.includes("altered")).count;
    for (let n = 0; n < 7; n++) await scanWith(altered);
    expect(await count()).toBe(5);
    for (let n = 0; n < 19; n++) await scanWith(altered, `198.51.100.${n}`);
    expect(await count()).toBe(20);
  });

  test("reads nothing into more digits than a signed code has", async () => {
    const { scanWith, stored, alerts } = await withScansOfDigits();
    await scanWith("1".repeat(10_000));
    expect(await stored()).toMatchObject([{ signature: "unreadable", suspicion: 0 }]);
    expect(await alerts()).toEqual([]);
  });
});

suite("POST /verify/{code}/complaint after a scan of an altered code", () => {
  test("says in the alert what the scan had shown", async () => {
    const { call, params, scanWith, altered, alerts } = await withScansOfDigits();
    await call("complain", {
      params,
      body: { scan: await scanWith(altered), text: "The date looks wrong", contact: "" },
    });
    expect(await alerts()).toContainEqual(
      expect.objectContaining({
        alert: "Complaint",
        reason: "Of a paper whose code was altered: “The date looks wrong”",
      }),
    );
  });
});
