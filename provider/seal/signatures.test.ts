import { describe, expect, test } from "vitest";
import { hashOf } from "./signatures.ts";
import { dayNumber } from "./compare.ts";
import { readSignedCode } from "#lib/seal/signed-code.ts";
import { newCode } from "../documents/codes.ts";
import { hasDatabase } from "#tests/fixtures/provider.ts";
import { withSignedCode } from "#tests/fixtures/signed-codes.ts";

const suite = describe.runIf(hasDatabase());

suite("POST /verify/{code}/signature", () => {
  test("confirms what the paper says, also at an earlier address of the register", async () => {
    const { call, params, digits, issuer, signFor, document } = await withSignedCode();
    const { json, status } = await call("checkSignature", { params, body: { digits } });
    expect([status, json]).toMatchObject([200, { verdict: "confirmed", company: issuer, differs: [], revoked: "" }]);
    const former = await signFor(`https://former.example/v/${document.code}`);
    expect((await call("checkSignature", { params, body: { digits: former } })).json.verdict).toBe("confirmed");
  });

  test("shows what changed in the record since the paper was made", async () => {
    const { call, params, digits, document, admin } = await withSignedCode();
    await call("prolongDocument", { token: admin.token, params: { id: document.id } });
    const { json } = await call("checkSignature", { params, body: { digits } });
    expect(json.verdict).toBe("changed since");
    expect(json.differs).toEqual([{ field: "last day", paper: "2026-12-12", record: "2027-01-02" }]);
  });

  test.each([
    ["number", { number: "NM-OTHER" }, "NM-OTHER"],
    ["type", { type: 3 }, "Permit"],
    ["type", { type: 99 }, "another type"],
    ["date", { date: dayNumber("2025-01-31") }, "2025-01-31"],
    ["last day", { lastDay: null }, ""],
    ["pages", { pages: 12 }, "12"],
  ])("says that a record of the same revision contradicts its paper: %s", async (field, part, paper) => {
    const { call, params, digits } = await withSignedCode(part);
    const { json } = await call("checkSignature", { params, body: { digits } });
    expect([json.verdict, json.differs]).toEqual(["contradicts", [expect.objectContaining({ field, paper })]]);
  });

  test("says that digits were altered, or belong to another code or host", async () => {
    const { call, params, altered, signFor, document } = await withSignedCode();
    const ofAnother = await signFor(`https://sealdesk.example/v/${newCode()}`);
    const elsewhere = await signFor(`https://sealdesk.example.org/v/${document.code}`);
    for (const wrong of [altered, ofAnother, elsewhere]) {
      const { json } = await call("checkSignature", { params, body: { digits: wrong } });
      expect(json).toEqual({ verdict: "altered", company: "", differs: [], revoked: "" });
    }
  });

  test("distinguishes unreadable digits from altered ones", async () => {
    const { call, params, digits } = await withSignedCode();
    for (const cut of [digits.slice(0, 200), "", "7", `${digits}000`, "1".repeat(10_000)]) {
      expect((await call("checkSignature", { params, body: { digits: cut } })).json.verdict).toBe("unreadable");
    }
  });

  test("reports a signature by an unknown key", async () => {
    const { call, params, signedByStranger } = await withSignedCode();
    const digits = await signedByStranger();
    expect((await call("checkSignature", { params, body: { digits } })).json.verdict).toBe("unknown key");
  });

  test("accepts of a revoked key only what was recorded when it was signed", async () => {
    const { call, params, digits, shortId, document, db, clock, revokeKey } = await withSignedCode();
    await revokeKey();
    const check = async () => (await call("checkSignature", { params, body: { digits } })).json;
    expect(await check()).toMatchObject({ verdict: "revoked key", revoked: "2026-11-21" });
    const signed = readSignedCode(digits)!;
    const row = {
      document_id: document.id,
      short_id: shortId,
      statement_hash: hashOf(signed),
      digits,
      signed_at: clock.now.toISOString(),
    };
    await db.insertInto("signed_codes").values(row).execute();
    expect(await check()).toMatchObject({ verdict: "confirmed", revoked: "2026-11-21" });
  });

  test("says of a genuine signature without a record that the record is missing, and logs it", async () => {
    const { call, signFor, issuer, warnings } = await withSignedCode();
    const code = newCode();
    const digits = await signFor(`https://sealdesk.example/v/${code}`);
    const { json } = await call("checkSignature", { params: { code }, body: { digits } });
    expect(json).toMatchObject({ verdict: "no record", company: issuer });
    expect(warnings).toContain("signed code without a record");
  });

  test("refuses a code that is mistyped", async () => {
    const { call, digits } = await withSignedCode();
    expect((await call("checkSignature", { params: { code: "7H3C" }, body: { digits } })).status).toBe(422);
  });
});
