import { AsyncResource } from "node:async_hooks";
import { randomUUID } from "node:crypto";
import { setTimeout as wait } from "node:timers/promises";
import type { JobState } from "../metric-sources.ts";
import { secondsInMs } from "../units.ts";
import type { Database } from "./database/database.ts";
import { storageFailureOf } from "./database/failures.ts";
import { type Cause, openJobTable } from "./job-table.ts";

/** Recurring work. Each run is done by one of the processes that share the database, and may be done again after a crash. */
export type Job = {
  name: string;
  /** A cron pattern in UTC. Missed runs are caught up once. */
  due: string;
  atStart?: boolean;
  /** Does the work; once `signal` is aborted, it ends after its current step. */
  run(signal: AbortSignal): Promise<void>;
};

export type DescribedJob = Job & { summary: string };

export type JobDone = { name: string; seconds: number; outcome: "done" | "failed"; cause: Cause | undefined };

export type Runner = {
  start(jobs: Job[]): Promise<void>;
  runDue(): Promise<void>;
  nudge(name: string): void;
  states(): Promise<JobState[]>;
  /** Aborts current runs, and waits for them at most `timeoutMs`. */
  stop(timeoutMs: number): Promise<void>;
};

type Log = Record<"warn" | "error", (event: object, message: string) => void>;

type Hooks = {
  log: Log;
  within?(run: { name: string; cause: Cause | undefined }, work: () => Promise<void>): Promise<void>;
  /** The cause of what is nudged now; `within` gives it to the run, for what that logs and traces. */
  cause?(): Cause | undefined;
  onDone?(done: JobDone): void;
  now?(): Date;
};

const renewEveryMs = secondsInMs(15);
const pollEveryMs = secondsInMs(5);
/** Delay after a nudge, so that its request is answered first and more work comes together. */
const nudgeDelayMs = 50;

/** The process's runner of jobs. Each is held under a renewed lease: another process takes over what a dead one held. */
export function createRunner(database: Database, hooks: Hooks): Runner {
  const { log, within = (_, work) => work(), cause, onDone, now = () => new Date() } = hooks;
  const table = openJobTable(database, randomUUID(), now);
  const jobs = new Map<string, Job>();
  const running = new Set<Promise<void>>();
  const stopping = new AbortController();
  let polling: NodeJS.Timeout | undefined;

  async function poll() {
    for (const job of jobs.values()) await table.repairClockSkew(job);
    await runAllDue();
  }

  async function runAllDue() {
    const due = await table.due();
    await Promise.all(due.flatMap((name) => jobs.get(name) ?? []).map(runWhileDue));
  }

  async function runWhileDue(job: Job) {
    while (!stopping.signal.aborted) {
      const claimed = await table.claim(job);
      if (!claimed) return;
      await runOnce(job, claimed.cause);
    }
  }

  async function runOnce({ name, run }: Job, cause: Cause | undefined) {
    const lost = new AbortController();
    const renewal = setInterval(() => {
      table.renew(name).catch((err: unknown) => {
        log.error({ err, job: name }, "job lease lost, stopping the run");
        lost.abort();
      });
    }, renewEveryMs);
    const began = performance.now();
    const signal = AbortSignal.any([stopping.signal, lost.signal]);
    const work = () =>
      run(signal).catch((err: unknown) => {
        if (storageFailureOf(err) === "no space") log.warn({ job: name }, "job waits for disk space");
        else log.error({ err, job: name }, "job failed, retrying when it is next due");
        throw err;
      });
    const outcome = await within({ name, cause }, work).then(
      () => "done" as const,
      () => "failed" as const,
    );
    clearInterval(renewal);
    const result = { outcome, seconds: (performance.now() - began) / secondsInMs(1) };
    await table.finish(name, result);
    onDone?.({ name, ...result, cause });
  }

  function track(work: Promise<void>) {
    const tracked = work
      .catch((err: unknown) => log.error({ err }, "job runner failed"))
      .finally(() => running.delete(tracked));
    running.add(tracked);
    return tracked;
  }

  const nudger = createNudger(database, { log, run: () => track(runAllDue()), now, ...(cause && { cause }) });

  return {
    async start(newJobs) {
      // No other process can hold a lease there.
      if (!database.isShared) await table.unlockAll();
      for (const job of newJobs) {
        jobs.set(job.name, job);
        await table.add(job);
        if (job.atStart) await table.makeDue(job.name);
        await table.repairClockSkew(job);
      }
      void track(runAllDue());
      polling = setInterval(() => void track(poll()), pollEveryMs).unref();
    },
    runDue: () => track(poll()),
    nudge: nudger.nudge,
    states: () => table.states([...jobs.keys()]),
    async stop(timeoutMs) {
      stopping.abort();
      clearInterval(polling);
      nudger.stop();
      await Promise.race([Promise.all(running), wait(timeoutMs, undefined, { ref: false })]);
    },
  };
}

export type Nudger = { nudge(name: string): void; stop(): void };

/** Marks jobs as due soon, and then calls `run`: what runs them may be another process. */
export function createNudger(
  database: Database,
  { log, run, cause, now = () => new Date() }: Pick<Hooks, "log" | "cause" | "now"> & { run(): void },
): Nudger {
  const table = openJobTable(database, randomUUID(), now);
  const timers = new Map<string, NodeJS.Timeout>();
  let isStopped = false;
  // Outside the context of the request that nudges: what a job logs is not that request's.
  const makeDue = AsyncResource.bind((name: string, cause?: Cause) => {
    timers.delete(name);
    table.makeDue(name, cause).then(run, (err: unknown) => log.error({ err, job: name }, "job could not be made due"));
  });
  return {
    nudge(name) {
      if (!isStopped && !timers.has(name)) timers.set(name, setTimeout(makeDue, nudgeDelayMs, name, cause?.()));
    },
    stop() {
      isStopped = true;
      for (const timer of timers.values()) clearTimeout(timer);
    },
  };
}
