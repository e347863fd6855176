import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect, test } from "@playwright/test";
import { sampleData, signIn } from "../support/sample.ts";
import { startServer, type TestServer } from "../support/server.ts";

const [older, newer] = ["0d9f4be61a7c83525e6f90ab3cd41728", "b7e1d3c95f8a4026e1c7d09a36f4852b"];

/** Signs in on the form. Returns the session's and the browser's cookie, as `name=value`. */
async function cookiesOf({ url }: TestServer, browser = "") {
  const headers = { origin: url, cookie: browser };
  const body = new URLSearchParams(signIn);
  const answer = await fetch(`${url}/login`, { method: "POST", redirect: "manual", headers, body });
  expect(answer.status).toBe(302);
  const find = (name: string) =>
    answer.headers
      .getSetCookie()
      .find((cookie) => cookie.startsWith(`${name}=`))!
      .split(";")[0]!;
  return { session: find("sealdesk"), browser: find("sealdesk-browser") };
}

const statusOf = async ({ url }: TestServer, cookie: string) =>
  (await fetch(`${url}/dashboard`, { headers: { cookie }, redirect: "manual" })).status;

/** What is signed, without the signature. */
const signed = (cookie: string) => decodeURIComponent(cookie).split(".")[0];

test("during rotation of the session secret, the older one stays valid until it is removed", async () => {
  const data = mkdtempSync(join(tmpdir(), "sealdesk-data-"));
  const start = (SESSION_SECRET: string, from?: string) =>
    startServer({ ...(from && { from }), on: data, env: { SESSION_SECRET } });
  let server = await start(older, sampleData);
  const before = await cookiesOf(server);
  expect(await statusOf(server, before.session)).toBe(200);
  await server.stop();

  server = await start(`${newer}, ${older}`);
  expect(await statusOf(server, before.session)).toBe(200);
  const after = await cookiesOf(server, before.browser);
  expect(signed(after.browser)).toBe(signed(before.browser));
  expect(after.browser).not.toBe(before.browser);
  await server.stop();

  server = await start(newer);
  expect(await statusOf(server, before.session)).toBe(302);
  expect(await statusOf(server, after.session)).toBe(200);
  expect(signed((await cookiesOf(server, after.browser)).browser)).toBe(signed(before.browser));
  expect(signed((await cookiesOf(server, before.browser)).browser)).not.toBe(signed(before.browser));
  await server.stop();
  rmSync(data, { recursive: true });
});
