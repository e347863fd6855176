import { expect, test } from "vitest";
import { isKey, isWellFormed, keyIn, makeKey, withChecksum } from "./key-text.ts";

test("a key has a prefix, 32 random characters and a checksum", () => {
  const keys = Array.from({ length: 100 }, makeKey);
  expect(new Set(keys).size).toBe(100);
  for (const key of keys) {
    expect(key).toMatch(/^sd_live_[0-9A-Za-z]{38}$/);
    expect(isWellFormed(key)).toBe(true);
  }
});

test("the checksum is the CRC-32 of what precedes it, in base62", () => {
  // Computed by Python's zlib.crc32.
  expect(withChecksum("sd_live_0123456789ABCDEFGHIJKLMNOPQRSTUV").slice(-6)).toBe("1kwjSI");
});

test("a key with one other character, two exchanged ones or a lost one is mistyped", () => {
  const key = makeKey();
  for (let at = 8; at < key.length; at++) {
    const other = key[at] === "x" ? "y" : "x";
    expect(isWellFormed(key.slice(0, at) + other + key.slice(at + 1))).toBe(false);
    expect(isWellFormed(key.slice(0, at) + key.slice(at + 1))).toBe(false);
  }
  expect(isWellFormed("sd_live_")).toBe(false);
  expect(isWellFormed(`${key}\n`)).toBe(false);
});

test("a mistyped key is still taken for one, and a session’s token is not", () => {
  expect(isKey("SD_LIVE_abc")).toBe(true);
  expect(isKey("sd_3fQ9xWbZ1")).toBe(false);
});

test("a key is found in an address, also one that was cut", () => {
  const key = makeKey();
  expect(keyIn(`http://sealdesk.example/api/documents?api_key=${key}&page=1`)).toBe(key);
  expect(keyIn(`/api/documents/${key.slice(0, 20)}`)).toBe(key.slice(0, 20));
  expect(keyIn("/api/documents?name=sd_live_")).toBeUndefined();
});
