import { expect, test } from "vitest";
import { isHostOf } from "./host.ts";

const anywhere = "0.0.0.0";

test("the host of the public address is ours, whatever the case, with its port or the usual one", () => {
  for (const host of ["sealdesk.example", "SEALDESK.example", "sealdesk.example:443"]) {
    expect(isHostOf("https://sealdesk.example", anywhere, host), host).toBe(true);
  }
  expect(isHostOf("https://sealdesk.example:8443", anywhere, "sealdesk.example:8443")).toBe(true);
  expect(isHostOf("http://[2001:db8::1]:3000", anywhere, "[2001:db8::1]:3000")).toBe(true);
});

test.each([
  "",
  "evil.example",
  "sealdesk.example.evil.example",
  "evil.example:443",
  "sealdesk.example:80",
  "sealdesk.example:8443",
  "sealdesk.example.",
  "sealdesk.example@evil.example",
  "evil.example/sealdesk.example",
  "sealdesk.example,evil.example",
  "sealdesk.example evil.example",
  "https://sealdesk.example",
  "sealdesk.example:",
  "[",
  "10.0.0.5",
  "10.0.0.5:3000",
  "localhost:3000",
  "127.0.0.1",
  "__proto__",
])("%j is no host of https://sealdesk.example on an open network", (host) => {
  expect(isHostOf("https://sealdesk.example", anywhere, host)).toBe(false);
});

test("if the server or its address is local, every name of this machine is accepted, at any port", () => {
  for (const [origin, listensOn] of [
    ["http://localhost:3000", anywhere],
    ["https://sealdesk.example", "127.0.0.1"],
    ["https://sealdesk.example", "::1"],
  ] as const) {
    for (const host of ["localhost:3000", "LOCALHOST", "127.0.0.1:8080", "[::1]:3000", "[::1]"]) {
      expect(isHostOf(origin, listensOn, host), host).toBe(true);
    }
    for (const host of [
      "evil.example:3000",
      "localhost.evil.example",
      "127.0.0.1.evil.example",
      "127.1",
      "2130706433",
    ]) {
      expect(isHostOf(origin, listensOn, host), host).toBe(false);
    }
  }
});
