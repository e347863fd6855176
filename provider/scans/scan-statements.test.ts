import { metrics } from "#lib/metrics.ts";
import { describe, expect, test } from "vitest";
import { hasDatabase } from "#tests/fixtures/provider.ts";
import { withScans } from "#tests/fixtures/scans.ts";

const suite = describe.runIf(hasDatabase());

/** How many statements were sent so far, of each kind. */
async function sent(): Promise<Record<string, number>> {
  const { values } = await metrics.querySeconds.get();
  const counts = values.filter(({ metricName }) => metricName?.endsWith("_count"));
  return Object.fromEntries(counts.map(({ labels, value }) => [labels.kind, value]));
}

async function during(work: () => Promise<unknown>) {
  const before = await sent();
  await work();
  const after = await sent();
  const kinds = Object.keys(after).filter((kind) => after[kind] !== (before[kind] ?? 0));
  return Object.fromEntries(kinds.map((kind) => [kind, after[kind]! - (before[kind] ?? 0)]));
}

suite("the statements of a scan", () => {
  test("are one for the verdict, one for its log, and for all scans of a group one on PostgreSQL and three on SQLite", async () => {
    // The rules come later. The end of a transaction counts as a statement.
    const { provider, params, isShared } = await withScans({}, { nudgeScanRules: () => {} });
    const open = (n: number) =>
      provider.openCode(
        { code: params.code, digits: "" },
        { hostCompany: undefined, clientAddress: `198.51.100.${n}` },
      );
    // The first one of a day reads the day's salt.
    await open(0);
    const ofGroup = isShared ? 1 : 3;
    expect(await during(() => open(1))).toEqual({ select: 2, other: ofGroup });
    const many = Array.from({ length: 50 }, (_, n) => open(n + 2));
    const { select, other } = await during(() => Promise.all(many));
    expect(select).toBe(100);
    // PostgreSQL answers ten at a time, and forms as many groups; SQLite a second one of those that wait for the first.
    expect(other).toBeLessThanOrEqual((isShared ? 10 : 2) * ofGroup);
  });

  test("for the rules do not become more with the scans of a document", async () => {
    const { provider, params, run } = await withScans({}, { nudgeScanRules: () => {} });
    const scans = (count: number, from: number) =>
      Promise.all(
        Array.from({ length: count }, (_, n) =>
          provider.openCode(
            { code: params.code, digits: "" },
            { hostCompany: undefined, clientAddress: `198.51.100.${from + n}` },
          ),
        ),
      );
    await scans(2, 0);
    const few = await during(() => run("scan rules"));
    await scans(15, 2);
    expect(await during(() => run("scan rules"))).toEqual(few);
  });
});
