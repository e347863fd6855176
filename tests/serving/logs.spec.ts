import { rmSync, writeFileSync } from "node:fs";
import { connect } from "node:net";
import { join } from "node:path";
import { expect, test } from "@playwright/test";
import {
  addPages,
  type FormClient,
  codeOf,
  create,
  signInOverHttp,
  signInClient,
  startDraft,
} from "../support/form-client.ts";
import { startFaultProxy } from "../support/fault-proxy.ts";
import { otherSignIn, startOtherProvider } from "../support/other-provider.ts";
import { asUpload, picture } from "../support/page-files.ts";
import { freePort } from "../support/postgres.ts";
import { raw } from "../support/raw.ts";
import { pathsWith, unknownTargets } from "../support/secret-paths.ts";
import { sampleData, signIn } from "../support/sample.ts";
import { metricsToken, untilJobsAreKnown } from "../support/metrics.ts";
import { accessOf, line, linesOf } from "../support/log-lines.ts";
import { startServer, type TestServer } from "../support/server.ts";

/** What operators read: lines of JSON that say what happened to which request, and hold nobody's secrets. */

test.describe.configure({ mode: "parallel" });

const [warn, error] = [40, 50];

const uuid = /^[0-9a-f-]{36}$/;

function expectNone(server: TestServer, secrets: Record<string, string>) {
  for (const [what, secret] of Object.entries(secrets)) {
    expect(secret.length, what).toBeGreaterThan(7);
    for (const form of [secret, encodeURIComponent(secret), secret.toLowerCase()]) {
      expect(server.output().includes(form), `${what} on stdout or stderr`).toBe(false);
    }
  }
}

test("log lines name the request, the user and the route, and contain no secret", async () => {
  const smtpPassword = "tangerine-wardrobe-71";
  const env = {
    LOG_LEVEL: "debug",
    METRICS_TOKEN: metricsToken,
    SESSION_SECRET: "0d9f4be61a7c83525e6f90ab3cd41728",
    SMTP_URL: `smtp://desk:${smtpPassword}@127.0.0.1:${await freePort()}`,
  };
  const server = await startServer({ from: sampleData, env });
  await untilJobsAreKnown(server);
  // In this order no sign-in is from another browser than those before, which would send a notice first.
  const { token } = await signInOverHttp(server.url);
  const client = await signInClient(server.url);
  const linkToken = "Zm9yZ290dGVuLWxpbmstb2Ytc29tZWJvZHk";
  const guess = "wrong horse battery";

  // A message that can't be sent: no route's, as its request was answered long ago.
  const users = (await (
    await fetch(`${server.url}/api/company/users`, { headers: { authorization: `Bearer ${token}` } })
  ).json()) as { id: number; email: string }[];
  const me = users.find(({ email }) => email === signIn.email)!.id;
  const invited = users.find(({ id }) => id !== me)!;
  const forgot = await client.anonymous.post("/forgot", { email: invited.email });
  const unsent = await line(server, "message not sent, retrying", invited.id);
  const requestId = forgot.headers.get("x-request-id");
  expect(unsent).toMatchObject({ level: error, job: "mail", requestId });
  for (const ofRequests of ["userId", "route"]) expect(unsent).not.toHaveProperty(ofRequests);

  // An upload where a file is in the way of a folder.
  const work = join(server.data, "files", "work");
  rmSync(work, { recursive: true, force: true });
  writeFileSync(work, "");
  await issue(client).catch(() => {});
  expect(await line(server, "a request failed")).toMatchObject({
    level: error,
    userId: me,
    route: "/documents/new/:draft/pages",
    requestId: expect.stringMatching(uuid),
  });
  rmSync(work);

  // Guesses: told once.
  for (let n = 0; n < 14; n++)
    await client.anonymous.post("/login", { email: "nobody@hallam.example", password: guess });
  expect(await line(server, "rate limit reached")).toMatchObject({
    level: warn,
    limit: "login_account",
    route: "/login",
  });
  expect(linesOf(server).filter(({ msg }) => msg === "rate limit reached")).toHaveLength(1);

  // A form from another site, and a request that brings a name of its own.
  await fetch(`${server.url}/documents/1`, {
    method: "POST",
    headers: { "sec-fetch-site": "cross-site", origin: "https://evil.example", "x-request-id": "of-the-proxy-1" },
  });
  expect(await line(server, "cross-site request rejected")).toMatchObject({
    level: warn,
    from: "https://evil.example",
    route: "/documents/:id",
    requestId: "of-the-proxy-1",
  });

  // Secrets wherever they may come: in links, paths however they are spelt, headers, forms, and what breaks off.
  const document = await issue(client);
  const code = await codeOf(client, document);
  const digits = "59255196894701060145691545059288433521141073773476";
  const secrets = { linkToken, code, digits, email: invited.email, metricsToken: env.METRICS_TOKEN };
  for (const path of pathsWith(secrets)) {
    await raw(server.url + path, { headers: { cookie: client.cookie, authorization: `Bearer ${token}` } });
  }
  await client.anonymous.post(`/signup?token=${linkToken}`, { password: guess, password_confirmation: guess });
  await fetch(`${server.url}/metrics`, { headers: { authorization: `Bearer ${env.METRICS_TOKEN}` } });
  const socket = connect(server.port, "127.0.0.1");
  const head = `POST /v/${code} HTTP/1.1\r\nHost: localhost\r\nContent-Length: 99\r\n\r\nscan=`;
  await new Promise((resolve) => socket.write(head, resolve));
  await expect.poll(() => inFlight(server, env.METRICS_TOKEN)).toBe(2);
  socket.destroy();
  const isAborted = { method: "POST", route: "/v/:code", aborted: true };
  await expect.poll(() => accessOf(server)).toContainEqual(expect.objectContaining(isAborted));

  // What the server can't read is refused without a word on stderr.
  const before = linesOf(server).length;
  await raw(`${server.url}/%E0%A4%A`);
  await raw(`${server.url}/login`, { headers: { host: "[" } });
  await raw(`${server.url}/login`, { method: "TRACE" });
  await raw(`${server.url}/login`, { method: "OPTIONS" });
  await raw(`${server.url}/healthz`, { method: "POST" });
  // Mails of alerts are tried again each minute or so, in vain here.
  const since = linesOf(server).slice(before);
  expect(since.filter(({ msg }) => !msg.startsWith("message not sent"))).toEqual([]);

  const { paths } = (await (await fetch(`${server.url}/api/openapi.json`)).json()) as { paths: object };
  await server.stop();
  expect(unknownTargets(server.output(), Object.keys(paths))).toEqual([]);
  for (const one of linesOf(server)) {
    expect(one).toMatchObject({ level: expect.any(Number), time: expect.any(String), msg: expect.any(String) });
  }
  expectNone(server, {
    "a password": signIn.password,
    "a guessed password": guess,
    "the mail server's password": smtpPassword,
    "a link's token": linkToken,
    "a session's token": token,
    "a session's cookie": client.cookie.split("=")[1]!,
    "a document's code": code,
    "a signed code's digits": digits,
    METRICS_TOKEN: env.METRICS_TOKEN,
    SESSION_SECRET: env.SESSION_SECRET,
    "somebody's address": invited.email,
  });
});

async function issue(client: FormClient) {
  const draft = await startDraft(client, "Logged");
  await addPages(client, draft, [asUpload(await picture("page.png"))]);
  return create(client, draft);
}

async function inFlight({ url }: TestServer, token: string) {
  const answer = await fetch(`${url}/metrics`, { headers: { authorization: `Bearer ${token}` } });
  return Number(/^sealdesk_http_requests_in_flight (\d+)/m.exec(await answer.text())?.[1]);
}

test("log lines about a failing provider name the call and the request, and nothing of its reply", async () => {
  const other = await startOtherProvider();
  const proxy = await startFaultProxy(other.url);
  const env = { LOG_LEVEL: "debug", PROVIDER_URL: proxy.url, PROVIDER_TIMEOUT: "6" };
  const server = await startServer({ env });
  const client = await signInClient(server.url, otherSignIn);
  const leaked = "password=hunter2-of-the-provider";
  const about = { userId: 7, route: "/documents/:id", requestId: expect.stringMatching(uuid), call: "getDocument" };

  other.answers.set("GET /api/documents/101", { status: 500, body: { message: leaked } });
  await client.get("/documents/101");
  expect(await line(server, "provider returned an error")).toMatchObject({
    level: warn,
    status: 500,
    ...about,
  });

  other.answers.set("GET /api/documents/101", { body: { id: leaked, name: { [leaked]: leaked } } });
  await client.get("/documents/101");
  expect(await line(server, "provider response read leniently")).toMatchObject({ level: warn, ...about });
  other.answers.set("GET /api/users/7", { body: { id: leaked, name: { secret: leaked } } });
  await client.get("/users/view/7");
  const unreadable = await line(server, "provider response does not match the contract");
  expect(unreadable).toMatchObject({ ...about, route: "/users/view/:id", call: "getUser", level: warn });

  Object.assign(proxy, { fault: { name: "reset", at: "GET /api/documents/101" } });
  await client.get("/documents/101");
  expect(await line(server, "provider unreachable")).toMatchObject({ level: warn, ...about });

  Object.assign(proxy, { fault: { name: "hang", at: "GET /api/documents/101" } });
  expect((await client.get("/documents/101")).status).toBe(504);
  expect(await line(server, "provider timed out")).toMatchObject({ level: warn, ...about });
  expect(await line(server, "a request was answered slowly")).toMatchObject({
    level: warn,
    status: "504",
    milliseconds: expect.any(Number),
    userId: 7,
    route: "/documents/:id",
  });

  const linkToken = "Zm9yZ290dGVuLWxpbmstb2Ytc29tZWJvZHk";
  Object.assign(proxy, { fault: { name: "cut", at: "POST /api/signup" } });
  await client.anonymous.post(`/signup?token=${linkToken}`, {
    password: "a password of some length",
    password_confirmation: "a password of some length",
  });
  await expect.poll(() => linesOf(server).at(-1)).toMatchObject({ call: "signup", route: "/signup" });

  await server.stop();
  await proxy.stop();
  await other.stop();
  expectNone(server, {
    "what the provider said": "hunter2-of-the-provider",
    "a password": otherSignIn.password,
    "a new password": "a password of some length",
    "a link's token": linkToken,
    "a provider's token": "token-of-olive",
    "a session's cookie": client.cookie.split("=")[1]!,
    "somebody's address": otherSignIn.email,
  });
});
