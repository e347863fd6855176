import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { isRealDate } from "#lib/dates.ts";
import { isoDate } from "./fields.ts";
import { isDateFilter, matchesDate, parseDateFilter } from "./partial-dates.ts";

describe("a date filter", () => {
  test.each([
    ["19-11-2026", "2026-11-19", "2026-11-19"],
    ["19/11/2026", "2026-11-19", "2026-11-19"],
    ["2026-11-19", "2026-11-19", "2026-11-19"],
    ["11-2026", "2026-11-01", "2026-11-31"],
    ["11.2026", "2026-11-01", "2026-11-31"],
    ["2026-11", "2026-11-01", "2026-11-31"],
    [" 2026 ", "2026-01-01", "2026-12-31"],
  ])("%s is a range of days", (text, from, to) => {
    expect(parseDateFilter(text)).toEqual({ from, to });
  });

  test.each(["23-11", "23/11", "1-2026", "13-2026", "-11-", "202"])(
    "%s is a part of the date as it is shown",
    (text) => {
      expect(parseDateFilter(text)).toEqual({ part: text.replace("/", "-") });
      expect(isDateFilter(text)).toBe(true);
    },
  );

  test.each(["tomorrow", "31-02-2026", "2026-13-01", "-", "1-1-1-1-1-1"])(
    "%s is no date and no part of one",
    (text) => {
      expect(isDateFilter(text)).toBe(false);
    },
  );

  test("matches what contains it as shown, day first", () => {
    const days = fc.date({ min: new Date("1900-01-01"), max: new Date("2099-12-31"), noInvalidDate: true });
    const cut = fc.tuple(fc.nat(9), fc.nat(9)).map(([a, b]) => [Math.min(a, b), Math.max(a, b) + 1] as const);
    fc.assert(
      fc.property(days, days, cut, (one, other, [from, to]) => {
        const [iso, another] = [one, other].map((day) => day.toISOString().slice(0, 10)) as [string, string];
        const dayFirst = (day: string) => day.split("-").toReversed().join("-");
        const part = dayFirst(iso).slice(from, to);
        // Without its first digit, 29-11-2026 is the ninth.
        fc.pre(part.length === 10 || !isRealDate(isoDate(part)));
        expect(matchesDate(iso, part)).toBe(true);
        expect(matchesDate(another, part)).toBe(dayFirst(another).includes(part));
      }),
    );
  });
});
