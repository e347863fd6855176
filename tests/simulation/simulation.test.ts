import { execFile } from "node:child_process";
import { join } from "node:path";
import { promisify } from "node:util";
import { expect, test, vi } from "vitest";
import { minutesInMs } from "#lib/units.ts";
import { findBinaries } from "../support/postgres.ts";

// Ends a run that hangs.
vi.setConfig({ testTimeout: minutesInMs(15) });

const program = join(import.meta.dirname, "run.ts");

/** Runs seeds in a process of their own, whose clock and random bytes are the world's. */
async function run(...options: string[]) {
  const { stdout } = await promisify(execFile)("node", [program, ...options]).catch(
    (error: { stdout: string }) => error,
  );
  return stdout.replace(/, \d+ s$/gm, "");
}

const runTwice = (...options: string[]) => Promise.all([run(...options), run(...options)]);

test("a seed gives the same run in another process", async () => {
  const [first, second] = await runTwice("--seed", "13", "--bursts", "30");
  expect(first).toMatch(/^seed 13: trace [0-9a-f]{16}, \d+ calls/);
  expect(second).toBe(first);
});

test("no promise is broken in some days of fixed seeds", async () => {
  // In the last one, a sign-in met the end of its claim, and failed.
  expect(await run("--seed", "3", "--seeds", "3", "--bursts", "50")).toMatch(
    /^(seed \d: trace \w+, \d+ calls, \d+ gates\n){3}$/,
  );
});

test.runIf(findBinaries())("nor on PostgreSQL, where a seed gives the same run too", async () => {
  const [first, second] = await runTwice("--seed", "3", "--bursts", "16", "--postgres");
  expect(first).toMatch(/^seed 3: trace \w+, \d+ calls, \d+ gates\n$/);
  expect(second).toBe(first);
});
