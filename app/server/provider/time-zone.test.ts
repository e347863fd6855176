import { expect, test } from "vitest";
import { zoneOf } from "./time-zone.ts";

test.each([
  ["Europe/Warsaw", "Europe/Warsaw"],
  ["europe/warsaw", "europe/warsaw"],
  [" UTC ", "UTC"],
  ["+05:30", "+05:30"],
  ["GMT Standard Time", "Europe/London"],
  ["Central European Standard Time", "Europe/Warsaw"],
  ["India Standard Time", "Asia/Calcutta"],
  ["Pacific Standard Time", "America/Los_Angeles"],
])("a time zone called %j is read as %s", (name, zone) => {
  const result = zoneOf(name);
  expect(result.unknown).toBeUndefined();
  expect(result.zone).toBe(zone);
  expect(new Intl.DateTimeFormat("en", { timeZone: result.zone })).toBeDefined();
});

test("without a name it is the specification's own, and an unknown name is returned", () => {
  for (const name of [undefined, "", "  "]) expect(zoneOf(name)).toEqual({ zone: "Europe/London" });
  for (const name of ["string", "Mars/Olympus", "GMT+25", "__proto__", "constructor", "Europe/London\0", "25:00"]) {
    expect(zoneOf(name), name).toEqual({ zone: "Europe/London", unknown: name });
  }
  expect(zoneOf("🏛".repeat(1000)).unknown).toBe("🏛".repeat(30));
});
