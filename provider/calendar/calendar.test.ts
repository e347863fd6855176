import fc from "fast-check";
import { expect, test } from "vitest";
import { addDays, dateIn, dayBounds, laterByPeriod, startOfDay, timeIn } from "./calendar.ts";

test("a month begins in the company's time zone, not the server's", () => {
  expect(startOfDay("Europe/London", "2026-11-01")).toBe("2026-11-01T00:00:00.000Z");
  expect(startOfDay("Europe/London", "2026-07-01")).toBe("2026-06-30T23:00:00.000Z");
  expect(startOfDay("Pacific/Kiritimati", "2026-11-01")).toBe("2026-10-31T10:00:00.000Z");
  expect(startOfDay("Asia/Kathmandu", "2026-11-01")).toBe("2026-10-31T18:15:00.000Z");
});

test("a month begins at its first instant in every time zone", () => {
  const zones = fc.constantFrom(...Intl.supportedValuesOf("timeZone"));
  const months = fc.tuple(fc.integer({ min: 2020, max: 2037 }), fc.integer({ min: 1, max: 12 }));
  fc.assert(
    fc.property(zones, months, (zone, [year, number]) => {
      const month = `${year}-${String(number).padStart(2, "0")}`;
      const start = startOfDay(zone, `${month}-01`);
      expect(dateIn(zone, start)).toBe(`${month}-01`);
      expect(dateIn(zone, new Date(Date.parse(start) - 1)).slice(0, 7) < month).toBe(true);
    }),
  );
});

const zones = ["Europe/London", "Pacific/Auckland", "America/Santiago", "America/Havana", "Asia/Kathmandu", "UTC"];

test("an instant is within the bounds of its date and of no other", () => {
  const instant = fc.date({ min: new Date("1950-01-01"), max: new Date("2099-12-31"), noInvalidDate: true });
  fc.assert(
    fc.property(instant, fc.constantFrom(...zones), (at, zone) => {
      const { begin, end } = dayBounds(zone, dateIn(zone, at));
      expect(begin <= at.toISOString() && at.toISOString() < end, `${zone} ${at.toISOString()}`).toBe(true);
      expect(dateIn(zone, new Date(Date.parse(begin) - 1))).not.toBe(dateIn(zone, at));
      expect(dateIn(zone, new Date(end))).not.toBe(dateIn(zone, at));
    }),
    { numRuns: 500 },
  );
});

test("days on which clocks change begin and end correctly", () => {
  expect(dayBounds("Europe/London", "2026-03-29")).toEqual({
    begin: "2026-03-29T00:00:00.000Z",
    end: "2026-03-29T23:00:00.000Z",
  });
  // At midnight clocks were set to one.
  expect(dayBounds("America/Santiago", "2026-09-06").begin).toBe("2026-09-06T04:00:00.000Z");
  // At one they were set back to midnight, which came twice.
  expect(dayBounds("America/Havana", "2026-11-01")).toEqual({
    begin: "2026-11-01T04:00:00.000Z",
    end: "2026-11-02T05:00:00.000Z",
  });
  // The islands crossed the date line and had no 30 December.
  expect(dateIn("Pacific/Apia", new Date(Date.parse(dayBounds("Pacific/Apia", "2011-12-29").end)))).toBe("2011-12-31");
});

test("a text that is no date has bounds without instants", () => {
  const at = "2026-11-21T10:00:00.000Z";
  for (const date of ["", "yesterday", "2026-02-31", "2026-13-01"]) {
    const { begin, end } = dayBounds("UTC", date);
    expect([at >= begin, at < end]).toEqual([false, false]);
  }
});

test("the last date of year 9999 ends after all others", () => {
  const { begin, end } = dayBounds("America/New_York", "9999-12-30");
  expect([begin, end]).toEqual(["9999-12-30T05:00:00.000Z", "9999-12-31T05:00:00.000Z"]);
  expect("2026-11-21T10:00:00.000Z" < dayBounds("America/New_York", "9999-12-31").end).toBe(true);
});

test("dates and times are in the company's time zone", () => {
  const instant = "2026-07-31T23:30:00.000Z";
  expect([dateIn("Europe/London", instant), timeIn("Europe/London", instant)]).toEqual(["2026-08-01", "00:30"]);
  expect([dateIn("America/New_York", instant), timeIn("America/New_York", instant)]).toEqual(["2026-07-31", "19:30"]);
  // Once clocks have been set back, an hour comes a second time.
  expect(["00:30", "01:30"].map((time) => timeIn("Europe/London", `2026-10-25T${time}:00.000Z`))).toEqual([
    "01:30",
    "01:30",
  ]);
});

test.each([
  ["2028-02-28", 1, "2028-02-29"],
  ["2028-03-01", -1, "2028-02-29"],
  ["2027-02-28", 1, "2027-03-01"],
  ["2026-12-31", 1, "2027-01-01"],
  ["2026-03-28", 7, "2026-04-04"],
])("%s and %i days are %s", (date, days, later) => {
  expect(addDays(date, days)).toBe(later);
});

test.each([
  ["a year stays a year over a leap day", "2027-11-19", "2026-11-19", "2027-11-19", "2028-11-19"],
  ["a year that ends the day before", "2027-11-18", "2026-11-19", "2027-11-18", "2028-11-18"],
  ["a month from the end of a long one", "2026-01-31", "2025-12-31", "2026-01-31", "2026-02-28"],
  ["a quarter", "2026-04-01", "2026-01-01", "2026-04-01", "2026-07-01"],
  ["a quarter that ends the day before", "2026-03-31", "2026-01-01", "2026-03-31", "2026-06-30"],
  ["a year from a leap day", "2029-02-28", "2028-02-29", "2029-02-28", "2030-02-28"],
  ["a year that ends on a leap day", "2028-02-29", "2027-03-01", "2028-02-29", "2029-02-28"],
  ["four years from leap day to leap day", "2028-02-29", "2024-02-29", "2028-02-29", "2032-02-29"],
  ["a month to the end of a short one", "2026-02-28", "2026-01-31", "2026-02-28", "2026-03-28"],
  ["a fortnight, in days", "2026-11-15", "2026-11-01", "2026-11-15", "2026-11-29"],
  ["ten days over the end of a year", "2026-12-28", "2026-12-18", "2026-12-28", "2027-01-07"],
])("prolonging: %s", (_, date, from, first, later) => {
  expect(laterByPeriod(date, from, first)).toBe(later);
});
