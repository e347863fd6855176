import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, describe, expect, test } from "vitest";
import type { Database } from "./database.ts";
import { createRunner, type Job, type JobDone, type Runner } from "./jobs.ts";
import { emptyDatabase, hasDatabase } from "#fixtures/database.ts";

const suite = describe.runIf(hasDatabase());

const cleanUps: (() => Promise<unknown> | void)[] = [];
afterEach(async () => {
  for (const cleanUp of cleanUps.splice(0).toReversed()) await cleanUp();
});

/** A database, a clock that stands still, and runners on both, as processes that share them. */
async function office() {
  const directory = await mkdtemp(join(tmpdir(), "sealdesk-jobs-"));
  const { open, drop } = await emptyDatabase(directory);
  const database = open();
  cleanUps.push(async () => {
    await database.close();
    await drop();
    await rm(directory, { recursive: true });
  });
  const clock = { now: new Date("2026-11-21T10:00:30Z") };
  const errors: unknown[] = [];
  const done: JobDone[] = [];
  /** Another process: what one leaves behind at its start is not for it to judge. */
  const shared: Database = { ...database, isShared: true };
  const hire = async (jobs: Job[], on = shared): Promise<Runner> => {
    const log = { error: ({ err }: { err?: unknown }) => void errors.push(err) };
    const runner = createRunner(on, { log, now: () => clock.now, onDone: (one) => void done.push(one) });
    cleanUps.push(() => runner.stop(1000));
    await runner.start(jobs);
    await runner.runDue();
    return runner;
  };
  const pass = (minutes: number) => void (clock.now = new Date(clock.now.getTime() + minutes * 60_000));
  return { database, hire, pass, done, errors };
}

/** A job that counts its runs; while it is held, they wait. */
function counter(more: Partial<Job> = {}) {
  const seen = { runs: 0, signal: undefined as AbortSignal | undefined };
  let gate = Promise.withResolvers<void>();
  gate.resolve();
  const job: Job = {
    name: "count",
    due: "* * * * *",
    async run(signal) {
      seen.runs += 1;
      seen.signal = signal;
      await gate.promise;
    },
    ...more,
  };
  return { job, seen, hold: () => void (gate = Promise.withResolvers()), release: () => gate.resolve() };
}

suite("jobs", () => {
  test("run when their time has come, and once for all times that nobody was there for", async () => {
    const { hire, pass } = await office();
    const { job, seen } = counter();
    const runner = await hire([job]);
    expect(seen.runs).toBe(0);
    pass(0.5);
    await runner.runDue();
    await runner.runDue();
    expect(seen.runs).toBe(1);
    pass(60);
    await runner.runDue();
    expect(seen.runs).toBe(2);
  });

  test("are due at their usual times again when the clock was put back by a day", async () => {
    const { hire, pass } = await office();
    const { job, seen } = counter();
    const runner = await hire([job]);
    pass(24 * 60);
    await runner.runDue();
    pass(-24 * 60);
    await runner.runDue();
    pass(1);
    await runner.runDue();
    expect(seen.runs).toBe(2);
  });

  test("run at each start if they are meant to, and at a nudge", async () => {
    const { hire } = await office();
    const { job, seen } = counter({ due: "0 3 * * *", atStart: true });
    const first = await hire([job]);
    await expect.poll(() => seen.runs).toBe(1);
    await first.stop(1000);
    const second = await hire([job]);
    await expect.poll(() => seen.runs).toBe(2);
    second.nudge("count");
    await expect.poll(() => seen.runs).toBe(3);
  });

  test("run once, however many processes look for them at the same time", async () => {
    const { hire, pass } = await office();
    const { job, seen } = counter();
    const runners = [await hire([job]), await hire([job]), await hire([job])];
    for (let round = 1; round <= 5; round++) {
      pass(1);
      await Promise.all([...runners, ...runners].map((runner) => runner.runDue()));
      expect(seen.runs).toBe(round);
    }
  });

  test("run once where the clocks of two machines differ by seconds", async () => {
    const { hire, pass } = await office();
    const { job, seen } = counter();
    const runner = await hire([job]);
    // The one before has done what is due at 10:01.
    pass(0.55);
    await runner.runDue();
    expect(seen.runs).toBe(1);
    // The one behind starts and looks while its clock says 10:00:57, and looks again when it says 10:01:03.
    pass(-0.1);
    const behind = await hire([job]);
    pass(0.1);
    await behind.runDue();
    expect(seen.runs).toBe(1);
    pass(1);
    await runner.runDue();
    expect(seen.runs).toBe(2);
  });

  test("are no other process's while one is at them, and are done once more if they were nudged meanwhile", async () => {
    const { hire, pass } = await office();
    const { job, seen, hold, release } = counter();
    const [busy, idle] = [await hire([job]), await hire([job])];
    pass(0.5);
    hold();
    const work = busy.runDue();
    await expect.poll(() => seen.runs).toBe(1);
    pass(0.9);
    idle.nudge("count");
    await idle.runDue();
    expect(seen.runs).toBe(1);
    release();
    await work;
    await expect.poll(() => seen.runs).toBe(2);
  });

  test("of a process that died are taken over when its lease ends, however far off their next time is", async () => {
    const { hire, pass } = await office();
    const { job, seen, hold, release } = counter({ due: "0 10 * * *" });
    pass(23 * 60 + 59);
    const dead = await hire([job]);
    pass(1);
    hold();
    void dead.runDue();
    await expect.poll(() => seen.runs).toBe(1);
    const heir = await hire([job]);
    pass(0.9);
    await heir.runDue();
    expect(seen.runs).toBe(1);
    pass(0.2);
    const taken = heir.runDue();
    await expect.poll(() => seen.runs).toBe(2);
    release();
    await taken;
  });

  test("of a process that died are free at once where no other process can be", async () => {
    const { database, hire, pass } = await office();
    const alone = { ...database, isShared: false };
    const { job, seen, hold, release } = counter();
    const dead = await hire([job], alone);
    pass(1);
    hold();
    void dead.runDue();
    await expect.poll(() => seen.runs).toBe(1);
    release();
    pass(0.1);
    const row = database.tables<{ jobs: { locked_by: string | null; next_run: string } }>().updateTable("jobs");
    await row.set({ locked_by: "who died", next_run: "2026-11-21T10:00:00.000Z" }).execute();
    await hire([job], alone);
    await expect.poll(() => seen.runs).toBe(2);
  });

  test("that fail are told of, and tried again at their next time", async () => {
    const { hire, pass, errors, done } = await office();
    const failing = counter({
      name: "fail",
      run: () => Promise.reject(new Error("no luck")),
    });
    const { job, seen } = counter();
    const runner = await hire([failing.job, job]);
    pass(1);
    await runner.runDue();
    expect(errors).toEqual([new Error("no luck")]);
    expect(seen.runs).toBe(1);
    expect(new Set(done.map(({ name, outcome }) => `${name} ${outcome}`))).toEqual(
      new Set(["fail failed", "count done"]),
    );
    pass(1);
    await runner.runDue();
    expect(errors).toHaveLength(2);
  });

  test("are asked to end with the process, waited for, and none is begun any more", async () => {
    const { hire, pass } = await office();
    const { job, seen, hold, release } = counter();
    const runner = await hire([job]);
    pass(1);
    hold();
    const work = runner.runDue();
    await expect.poll(() => seen.runs).toBe(1);
    await runner.stop(10);
    expect(seen.signal!.aborted).toBe(true);
    release();
    await work;
    pass(1);
    await runner.runDue();
    runner.nudge("count");
    expect(seen.runs).toBe(1);
  });
});
