import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { distance } from "./distance.ts";
import { defaultRules } from "../../alerts/rules/rules.ts";
import * as rules from "./rules.ts";
import { burstOfScans, impossibleTravel, isLeftOut, type LocatedScan } from "./rules.ts";

const manchester = { latitude: 53.4808, longitude: -2.2426, accuracy: 30 };
const london = { latitude: 51.5072, longitude: -0.1276, accuracy: 30 };
const salford = { latitude: 53.4875, longitude: -2.2901, accuracy: 30 };
const at = (minute: number) => new Date(Date.UTC(2026, 10, 21, 9, minute)).toISOString();

describe("impossible travel", () => {
  test("is found between two positions too far apart for the time", () => {
    const raised = impossibleTravel({ ...london, at: at(15) }, [{ ...manchester, at: at(0) }]);
    expect(raised).toEqual({
      other: { ...manchester, at: at(0) },
      rule: "travel",
      alert: "Fake scan",
      reason: "Scanned within 15 minutes at places 262 km apart: nobody travels that fast.",
    });
    expect(impossibleTravel({ ...london, at: at(18) }, [{ ...manchester, at: at(0) }])).toBeUndefined();
    const within = (minute: number) => impossibleTravel({ ...london, at: at(minute) }, [{ ...manchester, at: at(0) }]);
    expect([within(0)!.reason, within(1)!.reason]).toEqual([
      expect.stringMatching(/^Scanned at the same time at places/),
      expect.stringMatching(/^Scanned within a minute at places/),
    ]);
  });

  test("is not found within a town, nor between inaccurate positions", () => {
    expect(impossibleTravel({ ...salford, at: at(0) }, [{ ...manchester, at: at(0) }])).toBeUndefined();
    const vague = { ...london, accuracy: 250_000, at: at(0) };
    expect(impossibleTravel(vague, [{ ...manchester, at: at(0) }])).toBeUndefined();
    const halves = [london, manchester].map((place) => ({ ...place, accuracy: 125_000, at: at(0) }));
    expect(impossibleTravel(halves[0]!, halves.slice(1))).toBeUndefined();
  });

  const place = fc.record({
    latitude: fc.double({ min: -90, max: 90, noNaN: true }),
    longitude: fc.double({ min: -180, max: 180, noNaN: true }),
    accuracy: fc.double({ min: 0, max: 5000, noNaN: true }),
  });

  test("is never found below the speed limit, in any order", () => {
    const hops = fc.array(fc.tuple(place, fc.double({ min: 1, max: 899, noNaN: true })), { maxLength: 12 });
    fc.assert(
      fc.property(place, hops, fc.nat(), (start, more, pick) => {
        let time = Date.UTC(2026, 0, 1);
        let here = start;
        const journey: LocatedScan[] = [{ ...start, at: new Date(time).toISOString() }];
        for (const [next, speed] of more) {
          time += Math.ceil((distance(here, next) / speed) * 60 * 60 * 1000);
          journey.push({ ...next, at: new Date(time).toISOString() });
          here = next;
        }
        const [scan] = journey.splice(pick % journey.length, 1);
        expect(impossibleTravel(scan!, journey)).toBeUndefined();
      }),
      { numRuns: 1000 },
    );
  });

  test("is always found above the speed limit", () => {
    fc.assert(
      fc.property(place, place, fc.double({ min: 0, max: 0.99, noNaN: true }), (a, b, share) => {
        const apart = distance(a, b) - (a.accuracy + b.accuracy) / 1000;
        fc.pre(apart > 51);
        const later = new Date(Date.UTC(2026, 0, 1) + Math.floor((apart / 900) * share * 60 * 60 * 1000));
        const first = { ...a, at: new Date(Date.UTC(2026, 0, 1)).toISOString() };
        expect(impossibleTravel({ ...b, at: later.toISOString() }, [first])?.rule).toBe("travel");
      }),
      { numRuns: 1000 },
    );
  });
});

test("thresholds decide, and a rule that is off finds nothing", () => {
  const pair = [{ ...london, at: at(15) }, [{ ...manchester, at: at(0) }]] as const;
  const travel = (change: object) => impossibleTravel(pair[0], [...pair[1]], { ...defaultRules.travel, ...change });
  expect([{}, { min_km: 300 }, { max_km_per_hour: 1200 }, { enabled: false }].map((one) => travel(one)?.rule)).toEqual([
    "travel",
    undefined,
    undefined,
    undefined,
  ]);
  expect(burstOfScans(5, { enabled: true, devices: 5, minutes: 30 })?.reason).toBe(
    "Scanned by 5 devices or more within 30 minutes.",
  );
  expect(burstOfScans(100, { ...defaultRules.burst, enabled: false })).toBeUndefined();
  const grace = (days: number, day: string) => isLeftOut({ enabled: true, grace_days: days }, "2026-11-01", day);
  expect([grace(0, "2026-10-31"), grace(3, "2026-11-03"), grace(3, "2026-11-04")]).toEqual([false, true, false]);
});

test("a burst needs more devices than one paper attracts", () => {
  const { burst } = defaultRules;
  expect(burstOfScans(burst.devices - 1)).toBeUndefined();
  expect(burstOfScans(burst.devices)).toEqual({
    rule: "burst",
    alert: "Burst of scans",
    reason: expect.stringContaining("20 devices"),
  });
});

const since = "2026-10-31";
const partsOf = (finding: rules.Finding | undefined) => finding && [finding.rule, finding.alert, finding.reason];

test("a scan after the end names the day on which a document or a copy ended", () => {
  expect(partsOf(rules.endedScan({ reason: "expired", since }))).toEqual([
    "expired",
    "Expired document scanned",
    "Scanned after it had expired on 31-10-2026.",
  ]);
  expect(partsOf(rules.endedScan({ reason: "exited", since }))).toEqual([
    "withdrawn",
    "Withdrawn document scanned",
    "Scanned after it had been withdrawn on 31-10-2026.",
  ]);
  for (const [reason, how] of [
    ["lost", " as lost"],
    ["destroyed", " as destroyed"],
    ["other", ""],
  ] as const) {
    expect(partsOf(rules.withdrawnCopyScan({ copy: 2, copies: 3 }, { reason, since }))).toEqual([
      "withdrawn copy",
      "Withdrawn copy scanned",
      `Copy 2 of 3 was scanned after it had been withdrawn${how} on 31-10-2026.`,
    ]);
  }
});

test("a scan of another paper or an altered code is a fake one, and says why", () => {
  expect(partsOf(rules.otherPaper("NM-WRONG"))).toEqual([
    "other paper",
    "Fake scan",
    "Checked for a paper with the number “NM-WRONG”, which is not this document’s: its code may have been copied.",
  ]);
  for (const [verdict, why] of [
    ["altered", "its signature is wrong, so its digits were changed or copied from another code"],
    ["unknown key", "it is signed with a key that is not ours"],
    ["revoked key", "it is signed with a key that was revoked on 31-10-2026"],
  ] as const) {
    const reason = `Scanned from a paper whose code was altered: ${why}.`;
    expect(partsOf(rules.alteredCode({ verdict, revoked: since }))).toEqual(["altered code", "Fake scan", reason]);
  }
  expect(rules.alteredCode({ verdict: "confirmed", revoked: "" })).toBeUndefined();
});

test.each([
  ["in force", "", "“Odd”"],
  ["in force", "confirmed", "“Odd”"],
  ["other paper", "", "Of a paper whose number is not this document’s: “Odd”"],
  ["in force", "altered", "Of a paper whose code was altered: “Odd”"],
  ["other paper", "altered", "Of a paper whose number is not this document’s and whose code was altered: “Odd”"],
] as const)("a complaint about a scan that was %s, with a signature that was %s", (verdict, signature, reason) => {
  expect(partsOf(rules.complaint("Odd", { verdict, signature }))).toEqual(["complaint", "Complaint", reason]);
});

test("a document ends on the day after it expires, and on the day on which it is withdrawn", () => {
  const ends = (["expired", "exited"] as const).map((reason) => ({ reason, since }));
  expect(ends.map(rules.firstDayEnded)).toEqual(["2026-11-01", since]);
  expect(ends.map(rules.ruleOfEnd)).toEqual(["expired", "withdrawn"]);
  expect(rules.isLeftOut({ enabled: false, grace_days: 0 }, since, since)).toBe(true);
});
