import fc from "fast-check";
import { expect, test } from "vitest";
import { canonicalAddress, networksOf, widestOf } from "./networks.ts";

test.each([
  ["192.0.2.7", "192.0.2.7"],
  ["192.0.2.7:51234", "192.0.2.7"],
  ["::ffff:192.0.2.7", "192.0.2.7"],
  ["::FFFF:c000:0207", "192.0.2.7"],
  ["[::ffff:192.0.2.7]:443", "192.0.2.7"],
  ["2001:DB8:0:0:0:0:0:1", "2001:db8::1"],
  ["[2001:db8::1]:443", "2001:db8::1"],
  ["[2001:db8::1]", "2001:db8::1"],
  ["fe80::1%eth0", "fe80::1"],
  ["[fe80::1%25eth0]:80", "fe80::1"],
  // Translators: RFC 6052 and RFC 7915.
  ["64:ff9b::c000:207", "192.0.2.7"],
  ["::ffff:0:192.0.2.7", "192.0.2.7"],
  // 6to4, and Teredo with the address inverted.
  ["2002:c000:207:1234::1", "192.0.2.7"],
  ["2001:0:4136:e378:8000:63bf:3fff:fdf8", "192.0.2.7"],
])("%s is the address %s", (written, canonical) => {
  expect(canonicalAddress(written)).toBe(canonical);
});

test.each(["", "unknown", "_hidden", "localhost", "192.0.2", "0x7f.1", "0177.0.0.1", "192.0.2.256", "::g", "1::2::3"])(
  "%j is no address",
  (written) => {
    expect(canonicalAddress(written)).toBeUndefined();
    expect(networksOf(written)).toEqual({ nearest: "unknown", wider: [] });
  },
);

test("an IPv4 client counts by its address, an IPv6 client by its /64 and wider networks", () => {
  expect(networksOf("192.0.2.7")).toEqual({ nearest: "192.0.2.7", wider: [] });
  expect(networksOf("2001:db8:1:2233:4455::6")).toEqual({
    nearest: "2001:db8:1:2233::/64",
    wider: [
      { prefix: "2001:db8:1:2200::/56", factor: 4 },
      { prefix: "2001:db8:1::/48", factor: 16 },
    ],
  });
  expect(widestOf(networksOf("2001:db8:1:2233::6"))).toBe("2001:db8:1::/48");
  expect(widestOf(networksOf("::ffff:192.0.2.7"))).toBe("192.0.2.7");
});

test("any text has few, short networks, the same for each spelling of an address", () => {
  const anything = fc.oneof(fc.string(), fc.ipV4(), fc.ipV6(), fc.string({ minLength: 1000, maxLength: 5000 }));
  fc.assert(
    fc.property(anything, (written) => {
      const networks = networksOf(written);
      expect(networks.wider.length).toBeLessThanOrEqual(2);
      for (const text of [networks.nearest, ...networks.wider.map(({ prefix }) => prefix)]) {
        expect(text.length).toBeLessThan(50);
      }
      const canonical = canonicalAddress(written);
      if (canonical) expect(networksOf(canonical)).toEqual(networks);
    }),
  );
});
