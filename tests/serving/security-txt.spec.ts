import { expect, test } from "@playwright/test";
import { startServer } from "../support/server.ts";

test("security.txt names the contact, without a session, and always expires within a year", async () => {
  const SECURITY_CONTACT = "mailto:security@sealdesk.example";
  const server = await startServer({ env: { SECURITY_CONTACT } });
  const answer = await fetch(`${server.url}/.well-known/security.txt`);
  expect([answer.status, answer.headers.get("content-type")]).toEqual([200, "text/plain; charset=utf-8"]);
  expect(answer.headers.getSetCookie()).toEqual([]);
  const fields = Object.fromEntries(
    (await answer.text())
      .trim()
      .split("\n")
      .map((line) => line.split(/: (.*)/).slice(0, 2)),
  ) as Record<string, string>;
  const Canonical = `${server.url}/.well-known/security.txt`;
  expect(fields).toMatchObject({ Contact: SECURITY_CONTACT, Canonical });
  const ahead = (Date.parse(fields.Expires!) - Date.now()) / (24 * 60 * 60 * 1000);
  expect(ahead).toBeGreaterThan(178);
  expect(ahead).toBeLessThan(365);
  await server.stop();
});

test("without a contact there is no security.txt", async () => {
  const server = await startServer();
  expect((await fetch(`${server.url}/.well-known/security.txt`)).status).toBe(404);
  await server.stop();
});
