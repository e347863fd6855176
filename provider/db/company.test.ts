import fc from "fast-check";
import { expect, test } from "vitest";
import { dayOf, startOfMonth, today } from "./company.ts";

test("a month begins where the company is, not where the server is", () => {
  expect(startOfMonth("Europe/London", "2026-11").toISOString()).toBe("2026-11-01T00:00:00.000Z");
  expect(startOfMonth("Europe/London", "2026-07").toISOString()).toBe("2026-06-30T23:00:00.000Z");
  expect(startOfMonth("Pacific/Kiritimati", "2026-11").toISOString()).toBe("2026-10-31T10:00:00.000Z");
  expect(startOfMonth("Asia/Kathmandu", "2026-11").toISOString()).toBe("2026-10-31T18:15:00.000Z");
});

test("the first moment of a month is in it, and the one before is not, in every time zone", () => {
  const zones = fc.constantFrom(...Intl.supportedValuesOf("timeZone"));
  const months = fc.tuple(fc.integer({ min: 2020, max: 2037 }), fc.integer({ min: 1, max: 12 }));
  fc.assert(
    fc.property(zones, months, (zone, [year, number]) => {
      const month = `${year}-${String(number).padStart(2, "0")}`;
      const start = startOfMonth(zone, month);
      expect(today(zone, start)).toBe(`${month}-01`);
      expect(today(zone, new Date(start.getTime() - 1)).slice(0, 7) < month).toBe(true);
    }),
  );
});

const zones = ["Europe/London", "Pacific/Auckland", "America/Santiago", "America/Havana", "Asia/Kathmandu", "UTC"];

test("an instant is within the day whose date it has where the company is, and in no other", () => {
  const instant = fc.date({ min: new Date("1950-01-01"), max: new Date("2099-12-31"), noInvalidDate: true });
  fc.assert(
    fc.property(instant, fc.constantFrom(...zones), (at, zone) => {
      const { begin, end } = dayOf(zone, today(zone, at));
      expect(begin <= at.toISOString() && at.toISOString() < end, `${zone} ${at.toISOString()}`).toBe(true);
      expect(today(zone, new Date(Date.parse(begin) - 1))).not.toBe(today(zone, at));
      expect(today(zone, new Date(end))).not.toBe(today(zone, at));
    }),
    { numRuns: 500 },
  );
});

test("days on which clocks are set begin and end when they do", () => {
  expect(dayOf("Europe/London", "2026-03-29")).toEqual({
    begin: "2026-03-29T00:00:00.000Z",
    end: "2026-03-29T23:00:00.000Z",
  });
  // At midnight clocks were set to one.
  expect(dayOf("America/Santiago", "2026-09-06").begin).toBe("2026-09-06T04:00:00.000Z");
});

test("what is no date is a day on which nothing is", () => {
  const at = "2026-11-21T10:00:00.000Z";
  for (const date of ["", "yesterday", "2026-02-31", "2026-13-01"]) {
    const { begin, end } = dayOf("UTC", date);
    expect([at >= begin, at < end]).toEqual([false, false]);
  }
});
