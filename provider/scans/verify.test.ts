import { withScans } from "#tests/fixtures/scans.ts";
import { describe, expect, test } from "vitest";
import { newCode } from "../documents/codes.ts";
import { hasDatabase } from "#tests/fixtures/provider.ts";

const suite = describe.runIf(hasDatabase());

suite("GET /verify/{code}", () => {
  test("shows the issuer and that the document is in force, and no people or amounts", async () => {
    const { call, params, issuer, document, admin } = await withScans();
    const { json, status } = await call("verify", { params });
    expect([status, json]).toEqual([
      200,
      {
        code: document.code,
        verdict: "in force",
        copy: 1,
        copies: 1,
        paper: "",
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
        log_pending: true,
        language: "",
      },
    ]);
    expect(JSON.stringify(json)).not.toContain(admin.email);
    expect((await call("listAlerts", { token: admin.token })).json).toEqual([]);
  });

  test("accepts a typed code, and distinguishes mistyped from unissued ones", async () => {
    const { call, document } = await withScans();
    const input = (document.code.match(/.{1,4}/g) as string[]).join("-").toLowerCase().replaceAll("0", "o");
    expect((await call("verify", { params: { code: input } })).json.code).toBe(document.code);
    const wrong = document.code.replace(/.$/, (last: string) => (last === "A" ? "B" : "A"));
    expect((await call("verify", { params: { code: wrong } })).status).toBe(422);
    expect((await call("verify", { params: { code: newCode() } })).status).toBe(404);
  });

  test("shows why and since when a document is no longer in force", async () => {
    const { call, params, document, admin, advanceMinutes } = await withScans();
    const ended = async () => (await call("verify", { params })).json.ended;
    await call("exitDocument", { token: admin.token, params: { id: document.id } });
    expect(await ended()).toEqual({ reason: "exited", since: "2026-11-21" });
    await advanceMinutes(60 * 24 * 2);
    await call("archiveDocument", { token: admin.token, params: { id: document.id } });
    expect(await ended()).toEqual({ reason: "exited", since: "2026-11-21" });
    await call("restoreDocument", { token: admin.token, params: { id: document.id } });
    await call("reactivateDocument", { token: admin.token, params: { id: document.id } });
    expect(await ended()).toBeUndefined();
    await advanceMinutes(60 * 24 * 20);
    expect(await ended()).toEqual({ reason: "expired", since: "2026-12-12" });
    await call("archiveDocument", { token: admin.token, params: { id: document.id } });
    expect(await ended()).toEqual({ reason: "expired", since: "2026-12-12" });
  });

  test("and the lists call a document that was withdrawn and has expired withdrawn, whichever came first", async () => {
    const { call, params, document, admin, advanceMinutes } = await withScans();
    const says = async () => [
      (await call("verify", { params })).json,
      (await call("getDocument", { token: admin.token, params: { id: document.id } })).json,
    ];
    const act = (name: "exitDocument" | "reactivateDocument") =>
      call(name, { token: admin.token, params: { id: document.id } });
    await act("exitDocument");
    await advanceMinutes(60 * 24 * 30);
    const first = { reason: "exited", since: "2026-11-21" };
    expect(await says()).toMatchObject([
      { verdict: "withdrawn", ended: first },
      { validity: "withdrawn", ended: first },
    ]);
    await act("reactivateDocument");
    expect(await says()).toMatchObject([{ verdict: "expired" }, { validity: "expired" }]);
    await act("exitDocument");
    const later = { reason: "exited", since: "2026-12-21" };
    expect(await says()).toMatchObject([
      { verdict: "withdrawn", ended: later },
      { validity: "withdrawn", ended: later },
    ]);
  });

  test("of an archived document says what it said before", async () => {
    const { call, params, document, admin } = await withScans({ access_type: "Open to all" });
    const before = (await call("verify", { params })).json;
    await call("archiveDocument", { token: admin.token, params: { id: document.id } });
    expect(before).toMatchObject({ verdict: "in force", open_pages: [{ n: 1, pages: 1 }] });
    expect((await call("verify", { params })).json).toEqual(before);
    expect((await call("getOpenPage", { params: { ...params, n: 1 } })).status).toBe(200);
  });

  test("with the number of another paper says so, whether the document is in force or not", async () => {
    const { call, params, document, admin } = await withScans({ access_type: "Open to all" });
    const check = async (number: string) => (await call("verify", { params, query: { number } })).json;
    const input = document.number.toLowerCase().replace("-", " ");
    expect(await check(input)).toMatchObject({ verdict: "in force", paper: "same", open_pages: [{ n: 1, pages: 1 }] });
    expect(await check("NM-WRONG")).toMatchObject({ verdict: "other paper", paper: "other", open_pages: [] });
    await call("exitDocument", { token: admin.token, params: { id: document.id } });
    expect(await check("")).toMatchObject({ verdict: "withdrawn", paper: "" });
    expect(await check("NM-WRONG")).toMatchObject({ verdict: "other paper", ended: { reason: "exited" } });
  });

  test("takes a number in another spelling for the document's own, unless it is exactly another document's", async () => {
    const { call, params, issue, admin } = await withScans({ number: "10-1" });
    const check = async (number: string) => (await call("verify", { params, query: { number } })).json.paper;
    expect(await check("l0 1")).toBe("same");
    expect(await check("101")).toBe("same");
    expect((await issue(admin.token, { number: "101" })).status).toBe(422);
    expect(await check("10-1")).toBe("same");
    expect(await check("1-01")).toBe("near");
    await issue(admin.token, { number: "1-01" });
    expect(await check("1-01")).toBe("other");
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
