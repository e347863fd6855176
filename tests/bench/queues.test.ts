import { describe, expect, test } from "vitest";
import { simulate, type System } from "./queues.ts";

/** That the model of queues says what is known without one. */

const instant = { cores: 100, read: 0, group: 0, scan: 0 };
const single: System = { processes: 1, page: { mean: 1, phases: 1 }, database: instant, largestGroup: 200, delay: 0 };
const within = (share: number, expected: number) => [expected * (1 - share), expected * (1 + share)] as const;

function expectBetween(value: number, [least, most]: readonly [number, number]) {
  expect(value).toBeGreaterThan(least);
  expect(value).toBeLessThan(most);
}

describe("A simulation", () => {
  test("of one queue waits as long as theory says: the mean is exponential, with 99 of 100 within 4.6 means", () => {
    // With a page of 1 ms and 500 a second: 1 / (1000 - 500) s.
    const { perSecond, median, p99 } = simulate(single, { perSecond: 500 }, 400);
    expectBetween(perSecond, within(0.02, 500));
    expectBetween(median, within(0.05, 2 * Math.log(2)));
    expectBetween(p99, within(0.08, 2 * Math.log(100)));
  });

  test("of strangers who never rest answers as many as its processor can", () => {
    expectBetween(simulate(single, { atOnce: 10 }, 100).perSecond, within(0.02, 1000));
    const two = { ...single, processes: 2 };
    expectBetween(simulate(two, { atOnce: 20 }, 100).perSecond, within(0.03, 2000));
  });

  test("of one stranger takes a page and a commit, and of many shares the commit", () => {
    const stored: System = { ...single, page: { mean: 1, phases: 64 }, database: { ...instant, group: 9 } };
    expectBetween(simulate(stored, { atOnce: 1 }, 100).perSecond, within(0.02, 100));
    // A group has what was rendered while the one before was written: nine pages.
    expectBetween(simulate(stored, { atOnce: 100 }, 100).perSecond, within(0.02, 1000));
  });

  test("of a database that is too slow answers as many as that can", () => {
    const slow: System = { ...single, processes: 8, database: { cores: 1, read: 0.2, group: 0, scan: 0.3 } };
    expectBetween(simulate(slow, { atOnce: 400 }, 60).perSecond, within(0.03, 2000));
  });

  test("is the same with the same seed, and another with another", () => {
    const run = (seed: number) => simulate(single, { perSecond: 700 }, 20, seed);
    expect(run(3)).toEqual(run(3));
    expect(run(3)).not.toEqual(run(4));
  });
});
