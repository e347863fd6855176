import { globSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { expect, expectTypeOf, test } from "vitest";
import { limitersInMemory } from "#lib/storage/limits/limiters.ts";
import { networksOf } from "#lib/storage/limits/networks.ts";
import { limitByKey, limitByNetwork, limitWithReserve } from "./rate-limits.ts";
import type { login } from "../contract/sessions.ts";
import type { HandlerInput } from "./endpoint.ts";
import type { HttpError } from "./errors.ts";
import { delayMs } from "../sessions/slow-down.ts";

const root = join(import.meta.dirname, "../..");
const sources = globSync("{app,provider,lib/storage}/**/*.{ts,tsx}", { cwd: root }).filter(
  (file) => !file.endsWith(".test.ts"),
);
const filesWith = (pattern: RegExp) =>
  sources.filter((file) => pattern.test(readFileSync(join(root, file), "utf8"))).toSorted();

test("handlers get a client's networks, never its address", () => {
  expectTypeOf<HandlerInput<typeof login>>().not.toHaveProperty("clientAddress");
  expectTypeOf<HandlerInput<typeof login>>().toHaveProperty("networks");
  // Where the provider takes an address, of calls and of codes that are opened in process, and makes networks of it.
  expect(filesWith(/clientAddress/).filter((file) => file.startsWith("provider/"))).toEqual([
    "provider/http/call-request.ts",
    "provider/http/endpoint.ts",
    "provider/provider.ts",
  ]);
});

test("rate limits are made in one file", () => {
  const making = filesWith(/\blimiter\(/).filter((file) => !file.startsWith("lib/storage/"));
  expect(making).toEqual(["provider/http/rate-limits.ts", "provider/sessions/slow-down.ts"]);
  const counting = filesWith(/\.(consume|penalty)\(|RateLimiter/).filter((file) => !file.startsWith("lib/storage/"));
  expect(counting).toEqual(["provider/http/rate-limits.ts"]);
});

const services = () => ({ limiter: limitersInMemory() });
const refusal = (promise: Promise<unknown>) =>
  promise.then(
    () => undefined,
    (error: HttpError) => error.message,
  );

test("a refusal says how long to wait", async () => {
  const limit = limitByKey(services(), ["limit", 1, 60 * 60], "You have sent many");
  await limit.count("key");
  expect(await refusal(limit.count("key"))).toBe("You have sent many. Try again in 60 minutes.");
  const daily = limitByKey(services(), ["limit", 1, 24 * 60 * 60]);
  await daily.count("key");
  expect(await refusal(daily.count("key"))).toBe("Too many attempts. Try again in 24 hours.");
  await daily.refund("key");
  await daily.refund("key");
  expect(await refusal(daily.count("key"))).toBeUndefined();
});

test("a limit by network counts each account separately and can be reset", async () => {
  const limit = limitByNetwork(services(), ["limit", 2, 60]);
  const networks = networksOf("2001:db8::1");
  for (const about of ["one", "one", "other"]) await limit.count(networks, about);
  expect(await refusal(limit.count(networks, "one"))).toContain("Too many attempts");
  await limit.reset(networks, "one");
  expect(await refusal(limit.count(networks, "one"))).toBeUndefined();
});

test("half of a limit with a reserve is for networks that are new to the key", async () => {
  const limit = limitWithReserve(services(), ["limit", 6, 60]);
  const count = (address: string, key = "key") => refusal(limit.count(key, networksOf(address)));
  for (let n = 0; n < 4; n++) expect(await count("192.0.2.1")).toBeUndefined();
  expect(await count("192.0.2.1")).toContain("Too many attempts");
  // A /48 is one neighbourhood.
  expect(await count("2001:db8:1:1::1")).toBeUndefined();
  expect(await count("2001:db8:1:2::1")).toContain("Too many attempts");
  expect(await count("192.0.2.2")).toBeUndefined();
  expect(await count("192.0.2.3")).toContain("Too many attempts");
  expect(await count("192.0.2.1", "another key")).toBeUndefined();
});

test("the delay of sign-ins to an account grows to four seconds at most", () => {
  expect([1, 10, 11, 12, 13, 14, 15, 16, 1e9].map(delayMs)).toEqual([0, 0, 250, 500, 1000, 2000, 4000, 4000, 4000]);
});
