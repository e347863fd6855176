import { expect, test } from "vitest";
import { clientIn } from "./client-address.ts";

test("without a trusted proxy the socket's address counts, whatever the header says", () => {
  expect(clientIn("198.51.100.1, 203.0.113.9, ::ffff:192.0.2.7", 0)).toBe("192.0.2.7");
});

test("behind trusted proxies the address counts that the outermost of them saw", () => {
  expect(clientIn("10.9.9.9, 2001:DB8::1, 10.0.0.1", 1)).toBe("2001:db8::1");
  expect(clientIn("10.9.9.9, [2001:db8::1]:50000, 10.0.0.1, 10.0.0.2", 2)).toBe("2001:db8::1");
  expect(clientIn("2001:db8::1", 2)).toBe("2001:db8::1");
});

test("if a proxy names no address its own counts, never one that the client wrote", () => {
  expect(clientIn("203.0.113.9, unknown, 10.0.0.1", 1)).toBe("10.0.0.1");
  expect(clientIn(`${"x".repeat(5000)}, 10.0.0.1`, 1)).toBe("10.0.0.1");
  expect(clientIn("", 1)).toBe("unknown");
  expect(clientIn("_hidden", 0)).toBe("unknown");
});
