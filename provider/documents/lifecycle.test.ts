import { expect, test } from "vitest";
import { laterByFirstPeriod } from "./lifecycle.ts";

test.each([
  ["a year stays a year over a leap day", "2027-11-19", "2026-11-19", "2027-11-19", "2028-11-19"],
  ["a year that ends the day before", "2027-11-18", "2026-11-19", "2027-11-18", "2028-11-18"],
  ["a month from the end of a long one", "2026-01-31", "2025-12-31", "2026-01-31", "2026-02-28"],
  ["a quarter", "2026-04-01", "2026-01-01", "2026-04-01", "2026-07-01"],
  ["a quarter that ends the day before", "2026-03-31", "2026-01-01", "2026-03-31", "2026-06-30"],
  ["a fortnight, in days", "2026-11-15", "2026-11-01", "2026-11-15", "2026-11-29"],
  ["ten days over the end of a year", "2026-12-28", "2026-12-18", "2026-12-28", "2027-01-07"],
])("prolonging: %s", (_, date, from, first, later) => {
  expect(laterByFirstPeriod(date, from, first)).toBe(later);
});
