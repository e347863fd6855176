import { hash } from "node:crypto";
import { cpSync, mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect, test } from "@playwright/test";
import Database from "better-sqlite3";
import { raw } from "../support/raw.ts";
import { addressOf, builtRoutes } from "../support/routes.ts";
import { sampleData, signIn } from "../support/sample.ts";
import { startServer, type TestServer } from "../support/server.ts";
import { phone } from "../support/visitor.ts";

/** Two companies with hosts of their own, on one server behind a proxy. */

const publicUrl = "https://desk.sealdesk.example";
const [hallam, marsden] = ["check.hallam.example", "check.marsden.example"];
const codes: Record<string, string> = {};
/** What was sent to one holder by each. */
const sent: Record<string, { id: number; number: string; link: string }> = {};
const session = "s".repeat(43);
let server: TestServer;

test.beforeAll(async () => {
  const folder = mkdtempSync(join(tmpdir(), "sealdesk-hosts-"));
  cpSync(sampleData, folder, { recursive: true });
  const db = new Database(join(folder, "sealdesk.db"));
  const company = db.prepare("select * from companies").get() as Record<string, unknown>;
  const insert = (table: string, row: Record<string, unknown>) => {
    const names = Object.keys(row);
    db.prepare(
      `insert into ${table} (${names.map((name) => `"${name}"`)}) values (${names.map((name) => `@${name}`)})`,
    ).run(row);
  };
  insert("companies", { ...company, id: 77, name: "Marsden" });
  const at = "2026-11-12T10:00:00.000Z";
  const confirmed = { token: "token", requested_at: at, confirmed_at: at, checked_at: at, next_check_at: "2099" };
  insert("company_hosts", { ...confirmed, id: 1, company_id: company.id, host: hallam });
  insert("company_hosts", { ...confirmed, id: 2, company_id: 77, host: marsden });
  const active = db
    .prepare("select id, code from documents where status = 'active' and copies = 1 order by id limit 2")
    .all();
  const [one, other] = active as { id: number; code: string }[];
  db.prepare("update documents set company_id = 77, branch_id = null where id = ?").run(other!.id);
  Object.assign(codes, { [hallam!]: one!.code, [marsden!]: other!.code });
  db.prepare("update companies set delivers = 1").run();
  const email = { email: "rita@holder.example", email_key: "rita@holder.example" };
  const token = { recipient_id: null, email_key: null, expires_at: "2099-01-01T00:00:00.000Z" };
  for (const [n, host] of [hallam!, marsden!].entries()) {
    const [id, link] = [900 + n, String(n).repeat(43)];
    const document = db.prepare("select id, company_id, number from documents where code = ?").get(codes[host]!);
    const { id: document_id, company_id, number } = document as { id: number; company_id: number; number: string };
    insert("recipients", {
      id,
      company_id,
      document_id,
      name: "Rita",
      ...email,
      language: "en",
      created_at: at,
      sent_at: at,
    });
    insert("holder_tokens", { ...token, hash: hash("sha256", link, "hex"), kind: "link", recipient_id: id });
    sent[host] = { id, number, link };
  }
  insert("holder_tokens", {
    ...token,
    hash: hash("sha256", session, "hex"),
    kind: "session",
    email_key: email.email_key,
  });
  db.close();
  server = await startServer({ from: folder, env: { PUBLIC_URL: publicUrl, TRUSTED_PROXIES: "1" } });
  rmSync(folder, { recursive: true });
});
test.afterAll(() => server.stop());

const ask = (
  host: string,
  path: string,
  more: { method?: string; headers?: Record<string, string>; body?: string } = {},
) =>
  raw(server.url + path, {
    ...more,
    headers: { host, "user-agent": phone, accept: "text/html", "x-forwarded-for": "203.0.113.7", ...more.headers },
  });
const verdictOf = (body: Buffer) => /data-verdict="([^"]*)"/.exec(body.toString())?.[1];

test("a company's host has its verification pages, and answers 404 for every other address", async () => {
  const others = builtRoutes().filter(({ pattern }) => !/^\/(v|received)(\/|$)/.test(pattern) && pattern !== "/");
  expect(others.length).toBeGreaterThan(100);
  const open: string[] = [];
  for (const { pattern } of others) {
    for (const host of [hallam!, marsden!]) {
      const { status } = await ask(host, addressOf(pattern));
      const isProbe = /^\/(healthz|readyz)$/.test(pattern);
      if (status !== 404 && !isProbe) open.push(`${host}${pattern}: ${status}`);
    }
  }
  expect(open).toEqual([]);
  expect((await ask(hallam!, "/")).headers.location).toBe("/v");
  expect((await ask("check.other.example", "/v")).status).toBe(421);
  expect((await ask(`${hallam}:8080`, "/v")).status).toBe(421);
});

test("a code opens at its company's host and the usual one, and is unknown at another company's", async () => {
  for (const [own, foreign] of [
    [hallam!, marsden!],
    [marsden!, hallam!],
  ] as const) {
    const code = codes[own]!;
    for (const host of [own, "desk.sealdesk.example"]) {
      const page = await ask(host, `/v/${code}`);
      expect([host, page.status, verdictOf(page.body)]).toEqual([host, 200, "in force"]);
    }
    const unknown = "0000000000000000";
    for (const path of ["", "/1234", "/newer", "/file", "/pages/1?page=1", "/proof", "?number=NM-1"]) {
      const page = await ask(foreign, `/v/${code}${path}`);
      expect([path, page.status]).toEqual([path, 404]);
      const company = own === marsden ? "Marsden" : "Northern";
      expect(page.body.toString()).not.toContain(company);
    }
    expect((await ask(foreign, `/v/${unknown}`)).status).toBe(422);
    const form = { "content-type": "application/x-www-form-urlencoded", origin: `https://${foreign}` };
    const complaint = await ask(foreign, `/v/${code}`, {
      method: "POST",
      headers: form,
      body: "intent=complaint&text=Lost",
    });
    expect(complaint.status).toBe(404);
  }
});

test("what was sent to a holder opens at its company's host and the usual one alone", async () => {
  const form = { "content-type": "application/x-www-form-urlencoded" };
  for (const [own, foreign] of [
    [hallam!, marsden!],
    [marsden!, hallam!],
  ] as const) {
    const { id, link, number } = sent[own]!;
    const open = (host: string) =>
      ask(host, `/received/open?token=${link}`, { method: "POST", headers: { ...form, origin: `https://${host}` } });
    expect((await ask(foreign, `/received/open?token=${link}`)).status).toBe(401);
    expect((await open(foreign)).headers["set-cookie"]).toBeUndefined();
    const opened = await open(own);
    expect(opened.headers.location).toBe(`/received/${id}`);
    const cookie = opened.headers["set-cookie"]![0]!.split(";")[0]!;
    const page = await ask(own, `/received/${id}`, { headers: { cookie } });
    expect([page.status, verdictOf(page.body)]).toEqual([200, "in force"]);
    expect(page.body.toString()).toContain("which DNS confirms");
    for (const path of ["", "/sealed.pdf", "/pages/1"])
      expect([path, (await ask(foreign, `/received/${id}${path}`, { headers: { cookie } })).status]).toEqual([
        path,
        404,
      ]);
    const everything = cookie.replace(/holder-.*/, `holder=${encodeURIComponent(btoa(JSON.stringify(session)))}`);
    const listed = async (host: string) =>
      (await ask(host, "/received", { headers: { cookie: everything } })).body.toString();
    expect(await listed("desk.sealdesk.example")).toContain(number);
    expect(await listed(own)).toContain(number);
    expect(await listed(foreign)).not.toContain(number);
    expect(await listed(foreign)).toContain(sent[foreign]!.number);
  }
});

test("a page says whose address it is, and leads to what it lacks at the usual one", async () => {
  const page = (await ask(hallam!, `/v/${codes[hallam!]}`)).body.toString().replace(/<[^>]+>|[\u2066-\u2069]/g, "");
  expect(page).toContain(`You are on ${hallam}, which DNS confirms as an address of`);
  expect(page).toContain("since 12-11-2026.");
  const usual = (await ask("desk.sealdesk.example", `/v/${codes[hallam!]}`)).body.toString();
  expect(usual).not.toContain("DNS confirms");
});

test("no session crosses to a company's host, and no form from another host counts", async () => {
  const form = { "content-type": "application/x-www-form-urlencoded" };
  const body = new URLSearchParams(signIn).toString();
  const signedIn = await ask("desk.sealdesk.example", "/login", {
    method: "POST",
    headers: { ...form, origin: publicUrl },
    body,
  });
  const cookie = signedIn.headers["set-cookie"]!.map((one) => one.split(";")[0]).join("; ");
  expect(cookie).toContain("__Host-");
  expect(signedIn.headers["set-cookie"]!.join()).not.toMatch(/domain=/i);
  expect((await ask("desk.sealdesk.example", "/dashboard", { headers: { cookie } })).status).toBe(200);
  expect((await ask(hallam!, "/dashboard", { headers: { cookie } })).status).toBe(404);
  const path = `/v/${codes[hallam!]}`;
  const send = (origin: string) =>
    ask(hallam!, path, { method: "POST", headers: { ...form, cookie, origin }, body: "intent=language" });
  expect((await send(`https://${hallam}`)).status).toBe(200);
  for (const origin of [publicUrl, `https://${marsden}`, "https://evil.example", "null"])
    expect([origin, (await send(origin)).status]).toEqual([origin, 403]);
  const usual = (origin: string) =>
    ask("desk.sealdesk.example", path, { method: "POST", headers: { ...form, origin }, body: "intent=language" });
  expect((await usual(`https://${hallam}`)).status).toBe(403);
  for (const { headers } of [await ask(hallam!, path, { headers: { cookie } }), await send(`https://${hallam}`)])
    expect(headers["set-cookie"]).toBeUndefined();
});

test("the proxy may get certificates for confirmed hosts alone, and strangers learn of none", async () => {
  const certificate = (domain: string, headers: Record<string, string> = {}) =>
    raw(`${server.url}/confirmed-host?domain=${domain}`, { headers: { host: "sealdesk:3000", ...headers } });
  expect((await certificate(hallam!)).status).toBe(200);
  for (const domain of ["check.other.example", "desk.sealdesk.example", "", "%00"])
    expect([domain, (await certificate(domain)).status]).toEqual([domain, 404]);
  expect((await certificate(hallam!, { "x-forwarded-for": "203.0.113.7" })).status).toBe(404);
});
