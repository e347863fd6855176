import { expect, test } from "../support/serving.ts";
import { signInClient, startDraft, signInClientPastNotice } from "../support/form-client.ts";
import { asUpload, picture } from "../support/page-files.ts";
import { addressOf, builtRoutes } from "../support/routes.ts";
import { signIn } from "../support/sample.ts";
import { type TestServer, until } from "../support/server.ts";
import { everythingStored, inDatabase } from "../support/stored.ts";

/** Nothing that a visitor without a session sends is stored, unless there is a limit to it. */

test.use({ serverEnv: { LOG_LEVEL: "silent", TRUSTED_PROXIES: "1" } });

type Kept = { session: string; body: string; bytes: number; expires_at: string };
const interrupted = (server: TestServer) =>
  inDatabase(server, (database) => database.prepare<[], Kept>("select * from interrupted_forms").all());
const forget = (server: TestServer) => inDatabase(server, (database) => database.exec("delete from interrupted_forms"));

const long = "A".repeat(199_000);

/** Posts a step of the wizard with a cookie, as a client at an address. */
const post = (server: TestServer, cookie: string, { name = long, address = "192.0.2.1", draft = "x" } = {}) =>
  fetch(`${server.url}/documents/new/${draft}/fields`, {
    method: "POST",
    redirect: "manual",
    headers: { cookie, origin: server.url, "x-forwarded-for": address },
    body: new URLSearchParams({ name }),
  });

/** The cookie of a session that its provider has ended since. */
const endedSession = async (server: TestServer) => (await endedClient(server)).cookie;

async function endedClient(server: TestServer) {
  const client = await signInClient(server.url);
  const { cookie } = client;
  const page_user = await client.pageUser();
  const token = tokenIn(cookie);
  const headers = { authorization: `Bearer ${token}` };
  expect((await fetch(`${server.url}/api/logout`, { method: "POST", headers })).status).toBe(204);
  return { cookie, page_user };
}

/** The token in a session's cookie, which is signed and not encrypted. */
function tokenIn(cookie: string): string {
  const [content] = decodeURIComponent(cookie.split("=").slice(1).join("=")).split(".");
  const text = Buffer.from(content!, "base64").toString();
  return (JSON.parse(decodeURIComponent(text)) as { token: string }).token;
}

test("what a visitor sends to any address is stored nowhere", async ({ server, client }) => {
  const documents = (await client.get("/documents/list")).status;
  expect(documents).toBe(200);
  const file = asUpload(await picture("page.png"));
  const fields = { email: "visitor@nobody.example", password: "A".repeat(2000), name: "Visitor", intent: "archive" };
  const multipart = () => {
    const form = new FormData();
    for (const [name, value] of Object.entries({ ...fields, intent: "next" })) form.append(name, value);
    for (const field of ["files", "files[]", "image"]) form.append(field, file);
    return form;
  };
  const bodies: (() => BodyInit)[] = [multipart, () => new URLSearchParams(fields)];
  const openapi = (await (await fetch(`${server.url}/api/openapi.json`)).json()) as { paths: Record<string, object> };
  const calls = Object.entries(openapi.paths).flatMap(([path, methods]) =>
    Object.keys(methods)
      .filter((method) => method !== "get")
      .map((method) => [method.toUpperCase(), path.replace(/\{\w+\}/g, "1")] as const),
  );
  const pages = builtRoutes()
    .map(({ pattern }) => addressOf(pattern))
    .filter((address) => !address.startsWith("/api/"))
    .flatMap((address) => [
      ["POST", address] as const,
      ["POST", `${address === "/" ? "/_root" : address}.data`] as const,
    ]);
  expect(calls.length).toBeGreaterThan(30);
  expect(pages.length).toBeGreaterThan(100);
  test.setTimeout((calls.length + pages.length) * 2000);
  // A job would note this of the sample's alerts within a minute.
  inDatabase(server, (db) => db.exec("update users set alerts_told = (select max(number) from alerts)"));
  // The worker begins with what is due at a start.
  await until(() => inDatabase(server, (db) => db.prepare(jobsDueNow).get(new Date().toISOString()) === undefined));
  const before = everythingStored(server);
  for (const [method, path] of [...calls, ...pages]) {
    for (const body of bodies) {
      const response = fetch(server.url + path, {
        method,
        body: body(),
        redirect: "manual",
        headers: { origin: server.url, "sec-fetch-site": "same-origin", "x-forwarded-for": nextAddress() },
      });
      // What is refused before it is read may break off.
      const status = await response
        .then(async (answer) => (await answer.arrayBuffer(), answer.status))
        .catch(() => 401);
      expect(status, `${method} ${path}`).not.toBe(500);
    }
  }
  // Requests for reset links, and for codes, are dropped once a job has found that nobody has the address.
  for (const table of ["reset_requests", "recipient_mails"]) {
    await until(() => inDatabase(server, (db) => db.prepare(`select 1 from ${table}`).get() === undefined));
  }
  expect(everythingStored(server)).toEqual(before);
});

/** Also before the worker has named its jobs. */
const jobsDueNow =
  "select 1 from jobs where next_run <= ? or locked_by is not null union select 1 where not exists (select 1 from jobs)";

let addresses = 0;
const nextAddress = () => `198.51.100.${++addresses % 250}`;

test("a form without a session, or with a cookie that is not ours, is not stored", async ({ server, client }) => {
  forget(server);
  const name = client.cookie.split("=")[0]!;
  const [content] = client.cookie.slice(name.length + 1).split(".");
  const guest = await fetch(`${server.url}/login`, { headers: { "x-forwarded-for": "192.0.2.9" } });
  const forged = ["", `${name}=`, `${name}=${content}`, `${name}=${content}.AAAA`, `${client.cookie}A`];
  for (const cookie of [...forged, guest.headers.get("set-cookie")?.split(";")[0] ?? ""]) {
    for (let n = 0; n < 5; n++) expect((await post(server, cookie)).status).toBe(302);
  }
  expect(interrupted(server)).toEqual([]);
});

test("an ended session stores one form, replaced five times an hour at most", async ({ server }) => {
  forget(server);
  const cookie = await endedSession(server);
  for (let n = 1; n <= 20; n++) await post(server, cookie, { name: `Form ${n}`, address: nextAddress() });
  expect(interrupted(server).map(({ body }) => body)).toEqual(["name=Form+5"]);
  inDatabase(server, (database) => database.exec("update interrupted_forms set expires_at = '2026-01-01'"));
  await post(server, cookie, { name: "An hour later" });
  expect(interrupted(server).map(({ body }) => body)).toEqual(["name=An+hour+later"]);
});

test("a network stores twenty forms at most, without affecting others", async ({ server }) => {
  test.setTimeout(120_000);
  forget(server);
  const cookies = await Promise.all(Array.from({ length: 3 }, () => endedSession(server)));
  const copy = (n: number) =>
    inDatabase(server, (database) =>
      database.exec(`insert into interrupted_forms
        select session || ${n}, id || ${n}, network, times, path, body, bytes, expires_at
        from interrupted_forms where length(session) = 43 limit 1`),
    );
  await post(server, cookies[0]!);
  for (let n = 1; n < 20; n++) copy(n);
  await post(server, cookies[1]!);
  expect(interrupted(server)).toHaveLength(20);
  // What a session has already is replaced all the same.
  await post(server, cookies[0]!, { name: "Typed anew" });
  expect(interrupted(server).map(({ body }) => body)).toContain("name=Typed+anew");
  await post(server, cookies[2]!, { address: "203.0.113.7" });
  expect(interrupted(server)).toHaveLength(21);
});

test("all stored forms together are limited in number and bytes, and expired ones make room", async ({ server }) => {
  forget(server);
  const cookie = await endedSession(server);
  const fill = (rows: number, bytes: number) =>
    inDatabase(server, (database) => {
      const insert = database.prepare(
        "insert into interrupted_forms values (?, ?, ?, 1, '/documents/new/x', '', ?, '2126-01-01T00:00:00.000Z')",
      );
      for (let n = 0; n < rows; n++) insert.run(`${n}`, `${n}`, `network ${n}`, bytes);
    });
  const expire = () =>
    inDatabase(server, (database) => database.exec("update interrupted_forms set expires_at = '2026-01-01'"));
  fill(1000, 10);
  await post(server, cookie);
  expect(interrupted(server)).toHaveLength(1000);
  expire();
  await post(server, cookie);
  expect(interrupted(server)).toHaveLength(1);

  forget(server);
  fill(100, 209_000);
  await post(server, cookie);
  expect(interrupted(server)).toHaveLength(100);
  expire();
  await post(server, cookie);
  expect(interrupted(server).map(({ bytes }) => bytes)).toEqual([199_005]);
});

test("passwords, files and controls of an ended session's form are not stored, on any page", async ({ server }) => {
  const page = asUpload(await picture("page.png"));
  const secrets = ["password", "password_confirmation", "old_password", "current_password", "__intent__"];
  for (const path of ["/users/new", "/profile?edit", "/branches/edit/1"]) {
    forget(server);
    const { cookie, page_user } = await endedClient(server);
    const body = new FormData();
    body.append("page_user", page_user);
    for (const name of ["name", ...secrets]) body.append(name, `the ${name}`);
    body.append("image", page);
    const headers = { cookie, origin: server.url };
    const response = await fetch(server.url + path, { method: "POST", redirect: "manual", headers, body });
    expect(response.headers.get("location")).toMatch(/^\/login\?next=.*&form=kept$/);
    const stored = new URLSearchParams({ page_user, name: "the name" }).toString();
    expect(interrupted(server).map(({ body: of }) => of)).toEqual([stored]);
  }
});

test("forms that are too long, have too many fields or too long an address are not stored", async ({ server }) => {
  forget(server);
  const cookie = await endedSession(server);
  const fields = (count: number) => Array.from({ length: count }, (_, n): [string, string] => [`f${n}`, "x"]);
  for (const [path, body] of [
    ["/branches/new", new URLSearchParams({ name: "A".repeat(201_000) })],
    ["/branches/new", new URLSearchParams(fields(201))],
    [`/branches/new?${"x".repeat(500)}`, new URLSearchParams({ name: "Hull" })],
    ["/branches/new", formDataOf([["name", "A".repeat(201_000)]])],
    ["/branches/new", formDataOf(fields(201))],
  ] as const) {
    const headers = { cookie, origin: server.url };
    const response = await fetch(server.url + path, { method: "POST", redirect: "manual", headers, body });
    expect(response.headers.get("location")).toMatch(/&form=lost$/);
  }
  expect(interrupted(server)).toEqual([]);
});

function formDataOf(fields: [string, string][]) {
  const form = new FormData();
  for (const [name, value] of fields) form.append(name, value);
  return form;
}

test("a form sent after the provider ended the session returns after sign-in", async ({ server }) => {
  forget(server);
  const client = await signInClientPastNotice(server.url);
  const draft = await startDraft(client, "Begun before the break");
  const headers = { authorization: `Bearer ${tokenIn(client.cookie)}` };
  await fetch(`${server.url}/api/logout`, { method: "POST", headers });
  const response = await client.post(`${draft}/fields`, {
    name: "Typed after the break",
    intent: "next",
    version: "2",
  });
  expect(response.headers.get("location")).toMatch(/^\/login\?next=/);
  const cookie = response.headers.get("set-cookie")!.split(";")[0]!;
  const signedIn = await fetch(`${server.url}${response.headers.get("location")}`, {
    method: "POST",
    redirect: "manual",
    headers: { cookie, origin: server.url },
    body: new URLSearchParams(signIn),
  });
  const back = await fetch(`${server.url}${signedIn.headers.get("location")}`, {
    headers: { cookie: signedIn.headers.get("set-cookie")!.split(";")[0]! },
  });
  expect(await back.text()).toContain("Typed after the break");
  expect(interrupted(server)).toEqual([]);
});
