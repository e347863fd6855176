import { hrtime } from "node:process";
import fc from "fast-check";
import { type Run, simulate } from "./simulate.ts";

/** Which promise a sentence is about. */
const promiseOf = (sentence: string) => sentence.split(":")[0]!;

/** The run without visits, and faults, that its broken promise does not need; as short as it gets in so many milliseconds. */
export async function shrink(run: Run, broken: string, withinMs: number): Promise<Run> {
  const { bursts } = run.plan;
  const visits = bursts.flatMap((burst) => burst.visits.map(({ n }) => n));
  const without = (remaining: readonly number[]): Run => {
    const isKept = ({ n }: { n: number }) => remaining.includes(n);
    const kept = bursts.map((burst) => ({ ...burst, visits: burst.visits.filter(isKept) }));
    return { ...run, plan: { ...run.plan, bursts: kept } };
  };
  let shortest = run;
  // The clock of this process is the world's.
  const until = hrtime.bigint() + BigInt(withinMs) * 1_000_000n;
  const property = fc.asyncProperty(fc.array(fc.noShrink(fc.constantFrom(...visits))), async (remaining) => {
    if (hrtime.bigint() > until) return true;
    const shorter = without(remaining);
    const { breaches } = await simulate(shorter);
    const isBroken = breaches.some(({ sentence }) => promiseOf(sentence) === promiseOf(broken));
    if (isBroken) shortest = shorter;
    return !isBroken;
  });
  await fc.check(property, { examples: [[visits]], numRuns: 1 });
  return shortest;
}

/** A run as a script: who does what when. */
export const scriptOf = ({ plan }: Run): string[] =>
  plan.bursts.flatMap(({ at, visits, fault }) => {
    if (visits.length === 0 && !fault) return [];
    const all = visits.map(({ who, habit, n }) => `${who} ${habit} (${n})`).join(", ");
    return `${at.toISOString()} ${all}${fault ? `; ${JSON.stringify(fault)}` : ""}`;
  });
