import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, describe, expect, test } from "vitest";
import type { Database } from "./database/database.ts";
import { jobMigrations } from "./job-table.ts";
import { createNudger, createRunner, type Job, type JobDone, type Runner } from "./jobs.ts";
import { emptyDatabase, hasDatabase } from "#tests/fixtures/database.ts";

const suite = describe.runIf(hasDatabase());

const cleanUps: (() => Promise<unknown> | void)[] = [];
afterEach(async () => {
  for (const cleanUp of cleanUps.splice(0).toReversed()) await cleanUp();
});

/** A database, a clock that stands still, and runners that share them as processes do. */
async function fixture() {
  const directory = await mkdtemp(join(tmpdir(), "sealdesk-jobs-"));
  const { open, drop } = await emptyDatabase(directory);
  const database = await open();
  await database.migrate("jobs", jobMigrations);
  cleanUps.push(async () => {
    await database.close();
    await drop();
    await rm(directory, { recursive: true });
  });
  const clock = { now: new Date("2026-11-21T10:00:30Z") };
  const errors: unknown[] = [];
  const finishedRuns: JobDone[] = [];
  const shared: Database = { ...database, isShared: true };
  const startRunner = async (jobs: Job[], on = shared): Promise<Runner> => {
    const log = { warn: () => {}, error: ({ err }: { err?: unknown }) => void errors.push(err) };
    const runner = createRunner(on, { log, now: () => clock.now, onDone: (one) => void finishedRuns.push(one) });
    cleanUps.push(() => runner.stop(1000));
    await runner.start(jobs);
    await runner.runDue();
    return runner;
  };
  const advance = (minutes: number) => void (clock.now = new Date(clock.now.getTime() + minutes * 60_000));
  return { database, startRunner, advance, clock, finishedRuns, errors };
}

/** A job that counts its runs; after `hold` they wait for `release`. */
function counter(more: Partial<Job> = {}) {
  const observed = { runs: 0, signal: undefined as AbortSignal | undefined };
  let gate = Promise.withResolvers<void>();
  gate.resolve();
  const job: Job = {
    name: "count",
    due: "* * * * *",
    async run(signal) {
      observed.runs += 1;
      observed.signal = signal;
      await gate.promise;
    },
    ...more,
  };
  return { job, observed, hold: () => void (gate = Promise.withResolvers()), release: () => gate.resolve() };
}

suite("jobs", () => {
  test("run when due; missed runs are caught up once", async () => {
    const { startRunner, advance } = await fixture();
    const { job, observed } = counter();
    const runner = await startRunner([job]);
    expect(observed.runs).toBe(0);
    advance(0.5);
    await runner.runDue();
    await runner.runDue();
    expect(observed.runs).toBe(1);
    advance(60);
    await runner.runDue();
    expect(observed.runs).toBe(2);
  });

  test("keep their schedule when the clock is set back by a day", async () => {
    const { startRunner, advance } = await fixture();
    const { job, observed } = counter();
    const runner = await startRunner([job]);
    advance(24 * 60);
    await runner.runDue();
    advance(-24 * 60);
    await runner.runDue();
    advance(1);
    await runner.runDue();
    expect(observed.runs).toBe(2);
  });

  test("run at start if so configured, and when nudged", async () => {
    const { startRunner } = await fixture();
    const { job, observed } = counter({ due: "0 3 * * *", atStart: true });
    const first = await startRunner([job]);
    await expect.poll(() => observed.runs).toBe(1);
    await first.stop(1000);
    const second = await startRunner([job]);
    await expect.poll(() => observed.runs).toBe(2);
    second.nudge("count");
    await expect.poll(() => observed.runs).toBe(3);
  });

  test("run as part of the request that nudged them, until they are due for another reason", async () => {
    const { database, startRunner, advance, clock, finishedRuns } = await fixture();
    const { job } = counter();
    const runner = await startRunner([job]);
    const cause = { requestId: "of-a-request", traceparent: `00-${"1".repeat(32)}-${"2".repeat(16)}-01` };
    const hooks = { log: { error: () => {}, warn: () => {} }, cause: () => cause, now: () => clock.now };
    const nudger = createNudger(database, { ...hooks, run: () => void runner.runDue() });
    cleanUps.push(nudger.stop);
    nudger.nudge("count");
    await expect.poll(() => finishedRuns.at(-1)?.cause).toEqual(cause);
    advance(2);
    await runner.runDue();
    expect(finishedRuns.map((run) => run.cause)).toEqual([cause, undefined]);
  });

  test("report their last success, whether they fail, and how late they are", async () => {
    const { startRunner, advance } = await fixture();
    const { job } = counter();
    let isBroken = false;
    const failing = {
      ...job,
      name: "fail",
      run: async () => (isBroken ? Promise.reject(new Error("broken")) : undefined),
    };
    const runner = await startRunner([job, failing]);
    const states = async () => Object.fromEntries((await runner.states()).map(({ name, ...state }) => [name, state]));
    expect(await states()).toMatchObject({ count: { succeededAt: null, lateSeconds: 0, isFailing: false } });
    advance(1);
    await runner.runDue();
    const succeededAt = "2026-11-21T10:01:30.000Z";
    isBroken = true;
    advance(1);
    await runner.runDue();
    expect(await states()).toMatchObject({
      count: { succeededAt: "2026-11-21T10:02:30.000Z", isFailing: false },
      fail: { succeededAt, isFailing: true },
    });
    await runner.stop(1000);
    advance(10);
    expect((await states()).count).toMatchObject({ lateSeconds: 570 });
  });

  test("run once, however many processes poll at the same time", async () => {
    const { startRunner, advance } = await fixture();
    const { job, observed } = counter();
    const runners = [await startRunner([job]), await startRunner([job]), await startRunner([job])];
    for (let round = 1; round <= 5; round++) {
      advance(1);
      await Promise.all([...runners, ...runners].map((runner) => runner.runDue()));
      expect(observed.runs).toBe(round);
    }
  });

  test("run once if the clocks of two machines differ by seconds", async () => {
    const { startRunner, advance } = await fixture();
    const { job, observed } = counter();
    const runner = await startRunner([job]);
    // The faster clock runs what is due at 10:01.
    advance(0.55);
    await runner.runDue();
    expect(observed.runs).toBe(1);
    // The slower clock polls at 10:00:57 and again at 10:01:03.
    advance(-0.1);
    const slower = await startRunner([job]);
    advance(0.1);
    await slower.runDue();
    expect(observed.runs).toBe(1);
    advance(1);
    await runner.runDue();
    expect(observed.runs).toBe(2);
  });

  test("run in one process at a time, and once more when nudged meanwhile", async () => {
    const { startRunner, advance } = await fixture();
    const { job, observed, hold, release } = counter();
    const [busy, idle] = [await startRunner([job]), await startRunner([job])];
    advance(0.5);
    hold();
    const work = busy.runDue();
    await expect.poll(() => observed.runs).toBe(1);
    advance(0.9);
    idle.nudge("count");
    await idle.runDue();
    expect(observed.runs).toBe(1);
    release();
    await work;
    await expect.poll(() => observed.runs).toBe(2);
  });

  test("of a dead process are taken over when its lease ends, however far off the next run is", async () => {
    const { startRunner, advance } = await fixture();
    const { job, observed, hold, release } = counter({ due: "0 10 * * *" });
    advance(23 * 60 + 59);
    const dead = await startRunner([job]);
    advance(1);
    hold();
    void dead.runDue();
    await expect.poll(() => observed.runs).toBe(1);
    const successor = await startRunner([job]);
    advance(0.9);
    await successor.runDue();
    expect(observed.runs).toBe(1);
    advance(0.2);
    const takenOver = successor.runDue();
    await expect.poll(() => observed.runs).toBe(2);
    release();
    await takenOver;
  });

  test("of a dead process are unlocked at start if no other process can run", async () => {
    const { database, startRunner, advance } = await fixture();
    const alone = { ...database, isShared: false };
    const { job, observed, hold, release } = counter();
    const dead = await startRunner([job], alone);
    advance(1);
    hold();
    void dead.runDue();
    await expect.poll(() => observed.runs).toBe(1);
    release();
    advance(0.1);
    const row = database.tables<{ jobs: { locked_by: string | null; next_run: string } }>().updateTable("jobs");
    await row.set({ locked_by: "a dead process", next_run: "2026-11-21T10:00:00.000Z" }).execute();
    await startRunner([job], alone);
    await expect.poll(() => observed.runs).toBe(2);
  });

  test("that fail are logged, and retried when next due", async () => {
    const { startRunner, advance, errors, finishedRuns } = await fixture();
    const failing = counter({
      name: "fail",
      run: () => Promise.reject(new Error("no luck")),
    });
    const { job, observed } = counter();
    const runner = await startRunner([failing.job, job]);
    advance(1);
    await runner.runDue();
    expect(errors).toEqual([new Error("no luck")]);
    expect(observed.runs).toBe(1);
    expect(new Set(finishedRuns.map(({ name, outcome }) => `${name} ${outcome}`))).toEqual(
      new Set(["fail failed", "count done"]),
    );
    advance(1);
    await runner.runDue();
    expect(errors).toHaveLength(2);
  });

  test("are aborted when the runner stops, waited for, and not begun again", async () => {
    const { startRunner, advance } = await fixture();
    const { job, observed, hold, release } = counter();
    const runner = await startRunner([job]);
    advance(1);
    hold();
    const work = runner.runDue();
    await expect.poll(() => observed.runs).toBe(1);
    await runner.stop(10);
    expect(observed.signal!.aborted).toBe(true);
    release();
    await work;
    advance(1);
    await runner.runDue();
    runner.nudge("count");
    expect(observed.runs).toBe(1);
  });
});
