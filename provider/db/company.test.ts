import fc from "fast-check";
import { expect, test } from "vitest";
import { startOfMonth, today } from "./company.ts";

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
