import { expect, test } from "vitest";
import { config } from "#lib/config.ts";
import { redact } from "./redact.ts";

const logged = (event: object) => JSON.stringify(redact(event));

test.each([
  ["a link's token", "GET /signup?token=3fQ9xWbZ1 failed", "3fQ9xWbZ1"],
  ["a session's token", "header was Authorization: Bearer 3fQ9xWbZ1", "3fQ9xWbZ1"],
  ["an API key", "Invalid URL http://embedded/api/documents?api_key=sd_live_3fQ9xWbZ1", "3fQ9xWbZ1"],
  ["a document's code", "no row for 7H3C0D30FAD0CVM3N", "7H3C0D30FAD0CVM3N"],
  ["a code as it is printed", "no row for 7H3C-0D30-FAD0-CVM3-N", "FAD0"],
  ["a calendar’s secret", `Invalid URL http://embedded/api/calendar/${"s3cret-".repeat(6)}x`, "s3cret"],
  ["a code in an address", "Invalid URL http://embedded/api/verify/7h3c0d30fad0cvm3n/scans", "7h3c0d30"],
  ["a signed code's digits", "no route for /v/x/5925519689470101915450592884335211", "59255196"],
  ["the password of a mail server", "getaddrinfo ENOTFOUND smtps://desk:3fQ9xWbZ1@mail.example", "3fQ9xWbZ1"],
  ["an email address", "550 no such user <helen.marsh@hallam.example>", "helen"],
])("an error's message comes to the log without %s", (_, message, secret) => {
  const line = logged({ err: new Error(message, { cause: new TypeError(message) }) });
  expect(line).not.toContain(secret);
  expect(line).toContain("…");
});

test("of an error's properties only those that name its cause are logged", () => {
  const err = Object.assign(new Error("duplicate key value"), {
    code: "23505",
    constraint: "users_email_key",
    detail: "Key (email_key)=(helen@hallam.example) already exists.",
    parameters: ["correct horse battery"],
    input: "http://sealdesk.example/signup?token=3fQ9xWbZ1",
  });
  expect(redact({ err })).toMatchObject({ err: { code: "23505", constraint: "users_email_key", type: "Error" } });
  expect(logged({ err })).not.toMatch(/helen|horse|3fQ9/);
});

test("causes are logged to a limited depth", () => {
  const err = new Error("outer", { cause: new Error("inner") });
  expect(redact({ err })).toMatchObject({ err: { message: "outer", cause: { message: "inner" } } });
  (err.cause as Error).cause = err;
  expect(logged({ err })).toContain("inner");
});

test("the functions and packages of a stack trace stay readable", () => {
  const stack =
    "Error: x\n    at handleDataRequest (file:///srv/v/app/node_modules/@react-router/express/index.mjs:28:22)";
  expect(redact({ stack })).toEqual({ stack });
});

test("the secrets of the configuration are logged nowhere", () => {
  const { SESSION_SECRET, SEAL_SECRET } = config();
  for (const secret of [...SESSION_SECRET, ...SEAL_SECRET])
    expect(logged({ note: `it is ${secret}` })).toContain("it is …");
});
