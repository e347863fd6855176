import { expect, test } from "vitest";
import { countryCode } from "./country-code.ts";

test.each([
  ["United Kingdom", "GB"],
  [" united kingdom", "GB"],
  ["UK", "GB"],
  ["gb", "GB"],
  ["Deutschland", "DE"],
  ["المملكة المتحدة", "GB"],
  ["中国", "CN"],
  ["Türkiye", "TR"],
  ["Turkey", "TR"],
])("a country written %s is known by its code", (written, code) => {
  expect(countryCode(written)).toBe(code);
});

test.each(["", "Atlantis", "European Union", "EU", "XK", "ZZ", "SU", "G"])("%s is no country", (written) => {
  expect(countryCode(written)).toBeUndefined();
});
