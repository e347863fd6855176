import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { addressOfTyped } from "./typed-address.ts";

describe("the address of a typed code", () => {
  test.each([
    ["4C7H-29KD", "/v/4C7H-29KD"],
    [" 4C7H 29KD\u200F", "/v/4C7H%2029KD"],
    ["\u202Ahttps://desk.example/v/4C7H29KD\u202C", "/v/4C7H29KD"],
    ["https://desk.example/v/4C7H29KD/123\u200B", "/v/4C7H29KD/123"],
    ["https://desk.example/v/4C7H29KD?lang=ar#answer", "/v/4C7H29KD"],
    ["https://desk.example/v/4C7H29KD/newer?lang=ar", "/v/4C7H29KD"],
    ["/v/\u65E5\u672C", "/v/%2Fv%2F%E6%97%A5%E6%9C%AC"],
    ["/v/..", "/v/%2Fv%2F.."],
    [`${"a".repeat(99)}\u{1F600}`, `/v/${"a".repeat(99)}%EF%BF%BD`],
    ["\u200B ", undefined],
    ["..", undefined],
    [" . ", undefined],
  ])("is that of %j", (input, path) => {
    expect(addressOfTyped(input)).toBe(path);
  });

  test("is one that a header can have, whatever is typed", () => {
    const anything = fc.string({ unit: "binary", maxLength: 300 });
    fc.assert(
      fc.property(anything, fc.constantFrom("", "/v/", "https://desk.example/v/"), (text, before) => {
        const address = addressOfTyped(before + text);
        if (address) expect(new Headers({ location: address }).get("location")).toMatch(/^\/v\/[\x21-\x7e]+$/);
      }),
    );
  });
});
