import { AsyncResource } from "node:async_hooks";
import { randomUUID } from "node:crypto";
import { setTimeout as wait } from "node:timers/promises";
import { Cron } from "croner";
import type { ExpressionBuilder } from "kysely";
import type { Migration } from "kysely/migration";
import { secondsInMs } from "#units";
import type { Database } from "./database.ts";
import { up as jobsTable } from "./migrations/001_jobs.ts";

/** Work that comes again and again. Each time one process of all that share the database does it. */
export type Job = {
  name: string;
  /** When it is due: a cron pattern, in UTC. A time that nobody was there for is made up for once. */
  due: string;
  /** Whether it is due at each start as well. */
  atStart?: boolean;
  /** Does it. Once the signal says so it ends after the step that it is at: it comes again. */
  run(signal: AbortSignal): Promise<void>;
};

/** What became of a job's run. */
export type JobDone = { name: string; seconds: number; outcome: "done" | "failed" };

export type Runner = {
  /** Takes jobs on, and from now on does what is due. */
  start(jobs: Job[]): Promise<void>;
  /** Does whatever is due now; resolves when that is through. */
  runDue(): Promise<void>;
  /** Makes a job due at once: there is work for it. */
  nudge(name: string): void;
  /** Begins nothing more, asks what runs to end, and waits for it so long at most. */
  stop(timeoutMs: number): Promise<void>;
};

type Hooks = {
  log: { error(event: object, message: string): void };
  /** Hears of every run that ended in this process. */
  onDone?(done: JobDone): void;
  now?(): Date;
};

type JobTables = {
  jobs: {
    name: string;
    next_run: string;
    /** Which runner is at it, and until when that is believed without hearing from it again. */
    locked_by: string | null;
    locked_until: string | null;
    started_at: string | null;
    ended_at: string | null;
    outcome: JobDone["outcome"] | null;
    seconds: number | null;
  };
};

/** How long a silent runner keeps a job. Longer than clocks of machines differ, and than a busy one is silent. */
const leaseMs = secondsInMs(60);
const renewEveryMs = secondsInMs(15);
const lookEveryMs = secondsInMs(5);
/** The time for whoever nudges to answer their own request first, and for more work to come together. */
const nudgeAfterMs = 50;

/**
 * A runner for the process. A job is locked by one UPDATE of its row, under a lease that is renewed while it works: if
 * the process dies, the lease ends and the next to look takes the job over. What was cut off is then done again, so
 * that a job must stand being done twice.
 */
export function createRunner(database: Database, { log, onDone, now = () => new Date() }: Hooks): Runner {
  const me = randomUUID();
  const db = database.tables<JobTables>();
  const jobs = new Map<string, Job>();
  const running = new Set<Promise<void>>();
  const nudges = new Map<string, NodeJS.Timeout>();
  const ending = new AbortController();
  let looking: NodeJS.Timeout | undefined;

  const at = (laterMs = 0) => new Date(now().getTime() + laterMs).toISOString();
  const nextRuns = ({ due }: Job, count: number) =>
    new Cron(due, { timezone: "UTC", paused: true }).nextRuns(count, now()).map((time) => time.toISOString());
  const nextRun = (job: Job) => nextRuns(job, 1)[0]!;
  const ofJob = (name: string) => db.updateTable("jobs").where("name", "=", name);
  const ofMine = (name: string) => ofJob(name).where("locked_by", "=", me);

  /** Its time has come, or whoever was at it is gone. */
  const isDue = ({ eb, and, or }: ExpressionBuilder<JobTables, "jobs">) =>
    or([and([eb("next_run", "<=", at()), eb("locked_by", "is", null)]), eb("locked_until", "<=", at())]);

  /**
   * A clock that was put back since would keep a job waiting for as long. The time after the next one is that of a
   * process whose clock goes a little before this one's, and which has done the job already.
   */
  async function putBack() {
    for (const job of jobs.values()) {
      const [next, afterNext] = nextRuns(job, 2) as [string, string];
      await ofJob(job.name).where("next_run", ">", afterNext).set({ next_run: next }).execute();
    }
  }

  async function look() {
    await putBack();
    await takeDue();
  }

  async function takeDue() {
    const due = await db.selectFrom("jobs").where(isDue).select("name").execute();
    await Promise.all(due.flatMap(({ name }) => jobs.get(name) ?? []).map(runWhileDue));
  }

  async function runWhileDue(job: Job) {
    while (!ending.signal.aborted && (await claim(job))) await perform(job);
  }

  async function claim(job: Job): Promise<boolean> {
    const { numUpdatedRows } = await ofJob(job.name)
      .where(isDue)
      .set({ locked_by: me, locked_until: at(leaseMs), started_at: at(), next_run: nextRun(job) })
      .executeTakeFirst();
    return numUpdatedRows > 0n;
  }

  async function perform({ name, run }: Job) {
    const lost = new AbortController();
    const renewal = setInterval(() => {
      renew(name).catch((err: unknown) => {
        log.error({ err, job: name }, "a job ends early, as others may take it over");
        lost.abort();
      });
    }, renewEveryMs);
    const began = performance.now();
    const outcome = await run(AbortSignal.any([ending.signal, lost.signal])).then(
      () => "done" as const,
      (err: unknown) => {
        log.error({ err, job: name }, "a job failed, and is tried again when it is due");
        return "failed" as const;
      },
    );
    clearInterval(renewal);
    const done = { outcome, seconds: (performance.now() - began) / 1000 };
    await ofMine(name)
      .set({ ...done, locked_by: null, locked_until: null, ended_at: at() })
      .execute();
    onDone?.({ name, ...done });
  }

  async function renew(name: string) {
    const { numUpdatedRows } = await ofMine(name)
      .set({ locked_until: at(leaseMs) })
      .executeTakeFirst();
    if (numUpdatedRows === 0n) throw new Error("another process has the job");
  }

  /** Keeps work in mind until it is through, so that an end can wait for it. */
  function keep(work: Promise<void>) {
    const kept = work
      .catch((err: unknown) => log.error({ err }, "jobs could not be looked after"))
      .finally(() => running.delete(kept));
    running.add(kept);
    return kept;
  }

  const makeDue = (name: string) => ofJob(name).set({ next_run: at() }).execute();

  // Whoever nudges is not the one on whose behalf a job is done: what it logs is its own.
  const nudged = AsyncResource.bind((name: string) => {
    nudges.delete(name);
    void keep(makeDue(name).then(takeDue));
  });

  return {
    async start(given) {
      await database.migrate("jobs", jobMigrations);
      // On a database of one process, whoever held a lock is gone.
      const free = db.updateTable("jobs").set({ locked_by: null, locked_until: null });
      if (!database.isShared) await free.execute();
      for (const job of given) {
        jobs.set(job.name, job);
        const row = db.insertInto("jobs").values({ name: job.name, next_run: nextRun(job) });
        await row.onConflict((conflict) => conflict.doNothing()).execute();
        if (job.atStart) await makeDue(job.name);
      }
      await putBack();
      void keep(takeDue());
      looking = setInterval(() => void keep(look()), lookEveryMs).unref();
    },
    runDue: () => keep(look()),
    nudge(name) {
      if (ending.signal.aborted || nudges.has(name)) return;
      nudges.set(name, setTimeout(nudged, nudgeAfterMs, name));
    },
    async stop(timeoutMs) {
      ending.abort();
      clearInterval(looking);
      for (const nudge of nudges.values()) clearTimeout(nudge);
      await Promise.race([Promise.all(running), wait(timeoutMs, undefined, { ref: false })]);
    },
  };
}

/** Migrations of the runner's table, in order. A released one never changes. */
export const jobMigrations: Record<string, Migration> = { "001_jobs": { up: jobsTable } };
