import { spawnSync } from "node:child_process";
import { connect } from "node:net";
import { environment } from "#lib/config.ts";
import { signInOverHttp } from "../support/form-client.ts";
import { expect, test } from "../support/journey.ts";
import { pdf } from "../support/page-files.ts";
import { freePort } from "../support/postgres.ts";
import { sampleData, signIn } from "../support/sample.ts";
import { startServer, type TestServer, until } from "../support/server.ts";

test.describe.configure({ mode: "parallel" });

test("the provider answers bearer tokens over HTTP, and no cookies", async ({ server, context, signInAs }) => {
  const { token } = await signInOverHttp(server.url);
  const users = `${server.url}/api/users`;
  expect((await fetch(users, { headers: { authorization: `Bearer ${token}` } })).status).toBe(200);
  await signInAs();
  expect((await context.request.get(users)).status()).toBe(401);
  const described = (await (await fetch(`${server.url}/api/openapi.json`)).json()) as { openapi: string };
  expect(described.openapi).toBe("3.1.0");
});

test("a forged X-Forwarded-For allows no further guesses", async () => {
  const server = await startServer({ from: sampleData });
  const guess = (n: number) =>
    fetch(`${server.url}/api/login`, {
      method: "POST",
      headers: { "content-type": "application/json", "x-forwarded-for": `198.51.100.${n}, 203.0.113.${n}` },
      body: JSON.stringify({ email: `nobody${n}@hallam.example`, password: "guess" }),
    });
  for (let n = 0; n < 100; n++) expect((await guess(n)).status).toBe(422);
  const refused = await guess(101);
  expect(refused.status).toBe(429);
  expect(Number(refused.headers.get("retry-after"))).toBeGreaterThan(0);
  await server.stop();
});

test("too many guesses are refused in the form, with the time to wait", async ({ page }) => {
  const server = await startServer({ from: sampleData });
  const form = { email: "helen@hallam.example", password: "guess" };
  for (let n = 0; n < 10; n++) await page.request.post(`${server.url}/login`, { form });
  await page.goto(`${server.url}/login`);
  await page.getByLabel("Email").fill(form.email);
  await page.getByLabel("Password").fill(signIn.password);
  await page.getByRole("button", { name: "Sign in" }).click();
  await expect(page.getByRole("alert")).toContainText(/Too many attempts. Try again in \d+ minutes/);
  await expect(page.getByLabel("Email")).toHaveValue(form.email);
  await server.stop();
});

/** Posts sign-ins of clients elsewhere, as a trusted proxy passes them on. */
const strangersAt =
  (server: TestServer) =>
  (address: string, password: string, headers: Record<string, string> = {}) =>
    fetch(`${server.url}/login`, {
      method: "POST",
      headers: { ...headers, origin: server.url, "x-forwarded-for": address },
      body: new URLSearchParams({ email: "helen@hallam.example", password }),
      redirect: "manual",
    });

/** The cookie by which a browser is known that signed in. */
const browserCookieOf = (answer: Response) =>
  answer.headers.getSetCookie().find((cookie) => cookie.startsWith("sealdesk-browser="))!;

test("others' guesses do not lock out a known browser, even from its own network", async () => {
  const server = await startServer({ from: sampleData, env: { TRUSTED_PROXIES: "1" } });
  const signInFrom = strangersAt(server);
  const first = await signInFrom("2001:db8::1", signIn.password);
  expect(first.status).toBe(302);
  const cookie = browserCookieOf(first);
  expect(cookie).toMatch(/; Max-Age=34560000; Path=\/; HttpOnly; SameSite=Lax$/);
  for (let n = 0; n < 10; n++) expect((await signInFrom(`2001:db8::${n}`, "guess")).status).toBe(422);
  const stranger = await signInFrom("2001:db8::99", signIn.password);
  expect(stranger.status).toBe(429);
  expect(Number(stranger.headers.get("retry-after"))).toBeGreaterThan(0);
  expect(stranger.headers.getSetCookie().join()).not.toContain("browser");
  const browserHeaders = { cookie: cookie.split(";")[0]! };
  expect((await signInFrom("2001:db8::99", signIn.password, browserHeaders)).status).toBe(302);
  // One that we did not sign is none.
  const forged = { cookie: browserHeaders.cookie.replace(/=.{8}/, "=AAAAAAAA") };
  expect((await signInFrom("2001:db8::99", signIn.password, forged)).status).toBe(429);
  await server.stop();
});

test("under more sign-ins than can be hashed, pages are served and excess sign-ins get a Retry-After", async () => {
  const server = await startServer({ from: sampleData, env: { TRUSTED_PROXIES: "1", LOG_LEVEL: "silent" } });
  const signInFrom = strangersAt(server);
  const browserHeaders = { cookie: browserCookieOf(await signInFrom("192.0.2.1", signIn.password)).split(";")[0]! };
  const strangers = Array.from({ length: 1100 }, (_, n) => signInFrom(`2001:db8:${n.toString(16)}::1`, "guess"));
  const refused = await Promise.race(strangers.map(async (answer) => ((await answer).status === 503 ? answer : never)));
  expect(Number(refused.headers.get("retry-after"))).toBeGreaterThan(0);
  expect(await refused.text()).toMatch(/try again in a few seconds/i);
  expect((await fetch(`${server.url}/healthz`)).status).toBe(200);
  expect((await fetch(`${server.url}/login`)).status).toBe(200);
  expect((await signInFrom("192.0.2.1", signIn.password, browserHeaders)).status).toBe(302);
  // The rest would be checked for as long as it takes.
  server.process.kill("SIGKILL");
  await Promise.allSettled(strangers);
  await server.stop();
});

/** What never comes, for races. */
const never = new Promise<never>(() => {});

test("every page has a strict content security policy, with a new nonce each time", async ({ request, baseURL }) => {
  const policies = await Promise.all([1, 2].map(async () => (await request.get(`${baseURL}/login`)).headers()));
  for (const headers of policies) {
    expect(headers["content-security-policy"]).toMatch(
      /default-src 'none'; script-src 'self' 'nonce-[\w-]{22}'; style-src 'self'/,
    );
    expect(headers["x-content-type-options"]).toBe("nosniff");
    expect(headers["cache-control"]).toBe("private, no-store");
  }
  expect(policies[0]!["content-security-policy"]).not.toBe(policies[1]!["content-security-policy"]);
});

test("files of documents need a session, and never run as pages", async ({ request, context, baseURL, signInAs }) => {
  const paths = ["qrcode.png", "sealed.pdf", "pages/1", "pages/1/thumbnail"].map(
    (path) => `/files/documents/1/${path}`,
  );
  for (const path of paths) {
    const answer = await request.get(path, { maxRedirects: 0 });
    expect([answer.status(), answer.headers().location], path).toEqual([
      302,
      `/login?next=${encodeURIComponent(path)}`,
    ]);
  }
  await signInAs();
  for (const path of paths) {
    const answer = await context.request.get(baseURL + path);
    expect(answer.status(), path).toBe(200);
    expect(answer.headers()["content-security-policy"], path).toBe(
      "default-src 'none'; frame-ancestors 'none'; sandbox",
    );
    expect(answer.headers()["x-content-type-options"], path).toBe("nosniff");
  }
  const part = await context.request.get(`${baseURL}/files/documents/1/sealed.pdf`, {
    headers: { range: "bytes=0-4" },
  });
  expect([part.status(), await part.text()]).toEqual([206, "%PDF-"]);
  expect((await context.request.get(`${baseURL}/files/documents/999/sealed.pdf`)).status()).toBe(404);
});

test("a form of more than a megabyte is refused before it is read", async ({ request, baseURL }) => {
  const form = { email: "x".repeat(1_100_000), password: "x" };
  expect((await request.post(`${baseURL}/login`, { form })).status()).toBe(413);
});

test("the access log contains neither invitation tokens nor document codes", async ({ server }) => {
  const [token, code] = ["dead-token-of-somebody", "7H3C0D30FAD0CVM3N"];
  for (const path of [`/signup?token=${token}`, `/v/${code}`, `/v/${code}/pages/1`, `/api/verify/${code}`]) {
    await fetch(`${server.url}${path}`);
  }
  await expect.poll(() => server.output()).toContain('"route":"/api/verify/:code"');
  expect(server.output()).toContain('"route":"/v/:code/pages/:n"');
  expect(server.output()).not.toContain(token);
  expect(server.output()).not.toContain(code);
});

test("a second process on the same data exits with the reason", async ({ server }) => {
  const second = spawnSync("npx", ["--no-install", "react-router-serve", "build/server/index.js"], {
    env: { ...environment, DATA_DIR: server.data, PORT: String(await freePort()) },
    encoding: "utf8",
  });
  expect(second.status).toBe(1);
  expect(second.stderr).toContain(`Another Sealdesk process is using the data in ${server.data}`);
});

test("an invalid setting stops the start, with its name and the reason", () => {
  const wrong = spawnSync("npx", ["--no-install", "react-router-serve", "build/server/index.js"], {
    env: { ...environment, SESSION_SECRET: "short", HOST: "0.0.0.0", PUBLIC_URL: "" },
    encoding: "utf8",
  });
  expect(wrong.status).toBe(1);
  expect(wrong.stderr).toContain("SESSION_SECRET: give at least 32 characters");
});

test("on SIGTERM an upload in flight completes, and the process exits with 0", async () => {
  const server = await startServer({ from: sampleData });
  const { token } = await signInOverHttp(server.url);
  const file = await pdf("slow.pdf");
  const fields = {
    document_type: "Contract",
    document_subtype: "Lease",
    name: "Sent while it ends",
    email: signIn.email,
    date: "2026-11-21",
    expire_type: "never",
    access_type: "QR access",
    users_access_group: "Branch staff",
  };
  const parts = Object.entries(fields).map(
    ([name, value]) => `--b\r\nContent-Disposition: form-data; name="${name}"\r\n\r\n${value}\r\n`,
  );
  const head = `${parts.join("")}--b\r\nContent-Disposition: form-data; name="files[]"; filename="slow.pdf"\r\n\r\n`;
  const body = Buffer.concat([Buffer.from(head), file.buffer, Buffer.from("\r\n--b--\r\n")]);
  const socket = connect(server.port, "127.0.0.1");
  let answer = "";
  socket.on("data", (chunk: Buffer) => (answer += chunk.toString()));
  socket.write(
    `POST /api/documents/storeDocument HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\nAuthorization: Bearer ${token}\r\n` +
      `Content-Type: multipart/form-data; boundary=b\r\nContent-Length: ${body.length}\r\n\r\n`,
  );
  socket.write(body.subarray(0, body.length / 2));
  // The request is under way once the server has taken its first half.
  await until(() => socket.bytesWritten > body.length / 2);
  await fetch(`${server.url}/api/health`);
  server.process.kill("SIGTERM");
  await until(
    () =>
      fetch(`${server.url}/api/health`).then(
        () => false,
        () => true,
      ),
    "the listener to close",
  );
  socket.write(body.subarray(body.length / 2));
  await until(() => server.process.exitCode !== null, "the process to end");
  expect(answer, server.output()).toContain("HTTP/1.1 201 Created");
  expect(server.process.exitCode).toBe(0);
  await server.stop();
});
