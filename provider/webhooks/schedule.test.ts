import { expect, test } from "vitest";
import { hoursInMs } from "#lib/units.ts";
import { nextAttempt, pauseAfter, pauseMs } from "./schedule.ts";

const startedAt = new Date("2026-11-21T10:00:00Z");

/** Hours from the beginning to each attempt that follows a failed one. */
function attemptsWith(random: number) {
  const hours = [];
  let now = startedAt;
  for (let attempts = 1; ; attempts++) {
    const next = nextAttempt({ begun_at: startedAt.toISOString(), attempts }, now, random);
    if (!next) return hours;
    hours.push((next.getTime() - startedAt.getTime()) / hoursInMs(1));
    now = next;
  }
}

test.each([0, 0.5, 1])("attempts come ever more seldom, and the last one when three days end (jitter %d)", (random) => {
  const hours = attemptsWith(random);
  expect(hours.at(-1)).toBe(72);
  expect(hours.length).toBeGreaterThanOrEqual(8);
  expect(hours.length).toBeLessThanOrEqual(11);
  expect(hours).toEqual(hours.toSorted((one, other) => one - other));
});

test.each([
  [1, 0],
  [9, 0],
  [10, 60_000],
  [25, 300_000],
  [1000, 900_000],
])("after %d failed attempts in a row there is a pause of %d ms", (failures, ms) => {
  expect(pauseAfter(failures)).toBe(ms);
});

test("two deliveries that failed together are not tried again together", () => {
  const failed = { begun_at: startedAt.toISOString(), attempts: 3 };
  expect(nextAttempt(failed, startedAt, 0)).not.toEqual(nextAttempt(failed, startedAt, 1));
});

test.each([
  ["120", 120_000],
  ["Sat, 21 Nov 2026 10:01:00 GMT", 60_000],
  ["999999999", hoursInMs(12)],
  ["Fri, 31 Dec 9999 23:59:59 GMT", hoursInMs(12)],
  ["Sat, 21 Nov 2020 10:00:00 GMT", 0],
  ["-5", 0],
  ["soon", 0],
  ["1e9", 0],
  ["", 0],
  [undefined, 0],
])("Retry-After: %s is a pause of %d ms", (header, ms) => {
  expect(pauseMs(header, startedAt)).toBe(ms);
});
