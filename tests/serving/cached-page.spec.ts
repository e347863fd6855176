import { join } from "node:path";
import { expect, test } from "@playwright/test";
import Sqlite from "better-sqlite3";
import { signedCode } from "../support/signed-codes.ts";
import { sampleData } from "../support/sample.ts";
import { startServer, type TestServer } from "../support/server.ts";

/** A code's page is rendered once a minute for all strangers; a change of anything that it shows is seen at once, whoever made it. */

test.describe.configure({ mode: "parallel" });

const phone =
  "Mozilla/5.0 (Linux; Android 16) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/140.0 Mobile Safari/537.36";
let strangers = 0;
const asStranger = (more: Record<string, string> = {}) => ({
  "user-agent": phone,
  accept: "text/html",
  "x-forwarded-for": `198.51.100.${strangers++ % 250}`,
  ...more,
});

/** A page as a stranger sees it. */
async function open({ url }: TestServer, path: string, headers: Record<string, string> = {}) {
  const response = await fetch(`${url}${path}`, { headers: asStranger(headers) });
  return { status: response.status, text: await response.text(), response };
}

type Change = { what: string; sql: string; shows: string | RegExp; status?: number; isSigned?: boolean };

/** Each changes the document `$id` behind the server's back, as another process would. */
const changes: Change[] = [
  { what: "its number", sql: "update documents set number = 'NM-4711' where id = $id", shows: "NM-4711" },
  {
    what: "its type",
    sql: "update documents set document_type = 'Lease of a pier' where id = $id",
    shows: "Lease of a pier",
  },
  {
    what: "its subtype",
    sql: "update documents set document_subtype = 'By the hour' where id = $id",
    shows: "By the hour",
  },
  { what: "its date", sql: "update documents set date = '2001-02-03' where id = $id", shows: "03-02-2001" },
  { what: "its pages", sql: "update documents set pages = 4711 where id = $id", shows: "4711" },
  {
    what: "when it expires",
    sql: "update documents set expire_type = 'date', expire_date = '2091-02-03' where id = $id",
    shows: "03-02-2091",
  },
  {
    what: "that it has expired",
    sql: "update documents set expire_type = 'date', expire_date = '2011-02-03' where id = $id",
    shows: /expired on (<[^>]*>)?03-02-2011/,
  },
  {
    what: "that it is withdrawn",
    sql: "update documents set status = 'exited', status_since = '2012-03-04T10:00:00.000Z' where id = $id",
    shows: /withdrawn on (<[^>]*>)?04-03-2012/,
  },
  {
    what: "why it is withdrawn",
    sql: "update documents set status = 'exited', withdrawal_text = 'It was stolen.' where id = $id",
    shows: "It was stolen.",
  },
  {
    what: "what replaced it",
    sql: `update documents set status = 'exited', replaced_by_id = (select max(id) from documents) where id = $id`,
    shows: "Replaced by",
  },
  { what: "the company's name", sql: "update companies set name = 'Renamed & Sons'", shows: "Renamed &amp; Sons" },
  { what: "that its company is gone", sql: "update companies set active = 0", shows: "No document", status: 404 },
  {
    what: "its branch's name",
    sql: "update branches set name = 'Pier nine' where id = (select branch_id from documents where id = $id)",
    shows: "Pier nine",
  },
  {
    what: "its branch",
    sql: "update documents set branch_id = null where id = $id",
    shows: /Hallam &amp; Reid Ltd(<[^>]*>)?<\/dd>/,
  },
  {
    what: "that it is open to all",
    sql: "update documents set access_type = 'Open to all' where id = $id",
    shows: "Show the pages",
  },
  {
    what: "that its pages are being prepared",
    sql: `update documents set access_type = 'Open to all' where id = $id;
      insert into pages_to_draw (document_id, company_id, done) select id, company_id, 0 from documents where id = $id`,
    shows: "still being prepared",
  },
  {
    what: "that it has copies",
    sql: `update documents set copies = 2 where id = $id; insert into document_copies (document_id, n, code)
      select id, 1, code from documents where id = $id`,
    shows: "1 of 2",
  },
  {
    what: "that the copy is withdrawn",
    sql: `update documents set copies = 2 where id = $id; insert into document_copies (document_id, n, code, withdrawn_at,
      withdrawn_reason) select id, 1, code, '2012-03-04T10:00:00.000Z', 'lost' from documents where id = $id`,
    shows: /Copy 1 of 2 was withdrawn/,
  },
  {
    what: "that a signing key was revoked",
    sql: "update seal_keys set revoked_at = '2012-03-04T10:00:00.000Z'",
    shows: "revoked",
    isSigned: true,
  },
];

const tables = ["documents", "companies", "branches", "seal_keys"];

type Row = Record<string, string | number | null>;

/** Makes one change, and returns what takes it back. */
function make({ sql }: Change, db: Sqlite.Database, id: number) {
  const rows = tables.map((table) => [table, db.prepare(`select * from ${table}`).all() as Row[]] as const);
  const lastKey = db.prepare("select max(id) from seal_keys").pluck().get();
  db.exec(`begin immediate; ${sql.replaceAll("$id", String(id))}; commit`);
  return () => {
    // A job may have made a key for the company's other name.
    db.exec(`delete from seal_keys where id > ${lastKey}`);
    db.exec(
      `delete from document_copies where document_id = ${id}; delete from pages_to_draw where document_id = ${id}`,
    );
    for (const [table, before] of rows) {
      for (const row of before) {
        const values = Object.keys(row).map((column) => `"${column}" = @${column}`);
        db.prepare(`update ${table} set ${values.join(", ")} where id = @id`).run(row);
      }
    }
  };
}

test("shows each change of what it shows at once", async () => {
  test.setTimeout(300_000);
  const server = await startServer({ from: sampleData, env: { TRUSTED_PROXIES: "1" } });
  const signed = await signedCode(server);
  const db = new Sqlite(join(server.data, "sealdesk.db"), { timeout: 30_000 });
  db.function("fold", { deterministic: true }, (text) => (typeof text === "string" ? text.toLowerCase() : text));
  const code = db.prepare("select code from documents where id = 2").pluck().get() as string;
  for (const change of changes) {
    const { what, shows, status = 200, isSigned } = change;
    const path = isSigned ? `/v/${signed.code}/${signed.digits}` : `/v/${code}`;
    await open(server, path);
    const before = await open(server, path);
    expect(before, what).toMatchObject({ status: 200 });
    const undo = make(change, db, 2);
    const after = await open(server, path);
    undo();
    const isShown = [before, after].map(({ text }) => new RegExp(shows).test(text));
    expect(isShown, what).toEqual([false, true]);
    expect(after.status, what).toBe(status);
  }
  db.close();
  await server.stop();
});

test("gives each visitor a nonce, a scan and headers of their own, as a rendered page has them", async () => {
  const server = await startServer({ from: sampleData, env: { TRUSTED_PROXIES: "1" } });
  const db = new Sqlite(join(server.data, "sealdesk.db"), { readonly: true });
  const code = db.prepare("select code from documents where id = 2").pluck().get() as string;
  const stored = () => db.prepare("select count(*) from scans where document_id = 2").pluck().get() as number;
  const before = stored();
  const path = `/v/${code}`;
  const pages = [await open(server, path), await open(server, path), await open(server, path)];
  // A visitor with any cookie gets a page of their own.
  pages.push(await open(server, path, { cookie: "a=b" }));
  expect(stored() - before).toBe(4);
  const secrets = pages.flatMap(({ text, response }) => {
    const nonces = new Set([...text.matchAll(/ nonce="([^"]+)"/g)].map(([, nonce]) => nonce!));
    const scans = new Set([...text.matchAll(/name="scan" value="([^"]*)"/g)].map(([, scan]) => scan!));
    expect([nonces.size, scans.size]).toEqual([1, 1]);
    expect(response.headers.get("content-security-policy")).toContain(`'nonce-${[...nonces][0]}'`);
    return [...nonces, ...scans];
  });
  expect(new Set(secrets).size).toBe(8);
  const alike = pages.map(({ text }) => secrets.reduce((all, secret) => all.replaceAll(secret, "…"), text));
  expect(new Set(alike.map((text) => text.replace(/at \d\d:\d\d/, "")))).toHaveProperty("size", 1);
  const headersOf = ({ response: { headers } }: (typeof pages)[number]) =>
    Object.fromEntries(
      [...headers]
        .filter(([name]) => !/^(date|content-length|transfer-encoding|x-request-id)$/.test(name))
        .map(([name, value]) => [name, value.replace(/nonce-[\w-]+/g, "nonce")]),
    );
  expect(headersOf(pages[1]!)).toEqual(headersOf(pages[0]!));
  db.close();
  await server.stop();
});

test("is cached for each language, and not for robots and typed numbers", async () => {
  const server = await startServer({ from: sampleData, env: { TRUSTED_PROXIES: "1" } });
  const db = new Sqlite(join(server.data, "sealdesk.db"), { readonly: true });
  const code = db.prepare("select code from documents where id = 2").pluck().get() as string;
  db.close();
  for (const [accepted, tag] of [
    ["de-AT,en;q=0.5", "de"],
    ["ar", "ar"],
    ["zh-TW", "zh-Hans"],
    ["nl", "en-GB"],
  ]) {
    for (let n = 0; n < 2; n++) {
      const { text, response } = await open(server, `/v/${code}`, { "accept-language": accepted! });
      expect(text).toContain(`<html lang="${tag}"`);
      expect(response.headers.get("content-language")).toBe(tag);
      expect(response.headers.get("vary")).toContain("Accept-Language");
    }
  }
  for (let n = 0; n < 2; n++) {
    const robot = await open(server, `/v/${code}`, { "user-agent": "Googlebot/2.1" });
    expect(robot.text).not.toMatch(/name="scan" value="[^"]/);
    expect((await open(server, `/v/${code}?number=NM-1`)).text).toContain("NM-1");
  }
  // Lines of the access log name no code.
  expect(server.output()).toContain('"method":"GET","route":"/v/:code","status":200');
  expect(server.output()).not.toContain(code);
  await server.stop();
});
