import { expect, test } from "vitest";
import { newSalt, passphraseKey, secretKey, unwrap, wrap, wrappedBy } from "./wrapping.ts";

const [ours, older] = [secretKey("the secret of this test"), secretKey("an older secret")];
const content = Buffer.from("a private key");

test("what was encrypted is decrypted with the same secret, whichever its place in the list", () => {
  const stored = wrap(content, older, "seal key 1");
  expect(stored).not.toContain(content.toString("base64url"));
  expect(wrappedBy(stored)).toBe(older.id);
  expect(unwrap(stored, [ours, older], "seal key 1")).toEqual(content);
});

test("it is not decrypted with another secret, or for another use", () => {
  const stored = wrap(content, ours, "seal key 1");
  expect(unwrap(stored, [older], "seal key 1")).toBeUndefined();
  expect(unwrap(stored, [ours], "seal key 2")).toBeUndefined();
});

test("it is not decrypted once altered, whatever was altered", () => {
  const stored = wrap(content, ours, "seal key 1");
  const [version, id, encrypted] = stored.split(".") as [string, string, string];
  const bytes = Buffer.from(encrypted, "base64url");
  for (let at = 0; at < bytes.length; at++) {
    const altered = Buffer.from(bytes);
    altered[at]! ^= 1;
    expect(unwrap([version, id, altered.toString("base64url")].join("."), [ours], "seal key 1")).toBeUndefined();
  }
  for (const text of ["", "1", "1.", `1.${id}.`, `1.${id}.AAAA`, `2.${id}.${encrypted}`, encrypted]) {
    expect(unwrap(text, [ours], "seal key 1")).toBeUndefined();
  }
});

test("it is encrypted differently each time", () => {
  expect(wrap(content, ours, "use")).not.toBe(wrap(content, ours, "use"));
});

test("a passphrase decrypts with the salt that stands in front, however its letters are composed", () => {
  const salt = newSalt();
  const stored = wrap(content, passphraseKey("caf\u00e9 au lait", salt), "use");
  expect(wrappedBy(stored)).toBe(`p${salt}`);
  expect(unwrap(stored, [passphraseKey("cafe\u0301 au lait", salt)], "use")).toEqual(content);
  expect(unwrap(stored, [passphraseKey("cafe au lait", salt)], "use")).toBeUndefined();
});
