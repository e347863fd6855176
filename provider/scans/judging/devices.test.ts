import fc from "fast-check";
import { expect, test } from "vitest";
import { minutesInMs } from "#lib/units.ts";
import { devicesBehind } from "./devices.ts";

const windowMs = minutesInMs(10);
const begin = Date.parse("2026-11-21T10:00:00Z");

const scans = fc
  .array(fc.record({ seconds: fc.nat({ max: 300 }), device: fc.nat({ max: 5 }), isJudged: fc.boolean() }))
  .map((headers) => {
    let at = begin;
    return headers.map(({ seconds, device, isJudged }, n) => {
      at += seconds * 1000;
      return { id: n + 1, at: new Date(at).toISOString(), address_hash: String(device), isJudged };
    });
  });

test("counts for each scan the devices of the time before it, by their newest scans", () => {
  fc.assert(
    fc.property(scans, (all) => {
      const judged = all.filter(({ isJudged }) => isJudged);
      const expected = judged.map((scan) => {
        const since = new Date(Date.parse(scan.at) - windowMs).toISOString();
        const within = all.filter(({ id, at }) => id <= scan.id && at > since);
        const newest = new Map(within.map(({ address_hash, id }) => [address_hash, id]));
        return [...newest.values()].toSorted((a, b) => b - a);
      });
      expect(devicesBehind(judged, all, windowMs).map(({ devices }) => devices)).toEqual(expected);
    }),
  );
});

test("counts a hundred devices at most, the newest", () => {
  const all = Array.from({ length: 150 }, (_, n) => ({
    id: n + 1,
    at: "2026-11-21T10:00:00.000Z",
    address_hash: String(n),
  }));
  const [last] = devicesBehind(all.slice(-1), all, windowMs);
  expect(last!.devices).toEqual(Array.from({ length: 100 }, (_, n) => 150 - n));
});
