import { Cron } from "croner";
import type { ExpressionBuilder } from "kysely";
import type { Migration } from "kysely/migration";
import type { JobState } from "../metric-sources.ts";
import { minutesInMs, secondsInMs } from "../units.ts";
import type { Database } from "./database/database.ts";
import { up as tables } from "./migrations/001_tables.ts";
import { up as causes } from "./migrations/002_causes_expand_1.0.0.ts";
import { up as backups } from "./migrations/003_backups_expand_1.0.0.ts";

export const jobMigrations: Record<string, Migration> = {
  "001_tables": { up: tables },
  "002_causes_expand_1.0.0": { up: causes },
  "003_backups_expand_1.0.0": { up: backups },
};

/** The newest request from which a run follows, and its span. */
export type Cause = { requestId: string; traceparent?: string | undefined };

type JobTables = {
  jobs: {
    name: string;
    next_run: string;
    locked_by: string | null;
    locked_until: string | null;
    started_at: string | null;
    ended_at: string | null;
    outcome: "done" | "failed" | null;
    seconds: number | null;
    cause: string | null;
    succeeded_at: string | null;
  };
};

type Schedule = { name: string; due: string };

/** Longer than machines' clocks differ, and than a busy process goes without renewing. */
const leaseMs = minutesInMs(1);

/** The rows of jobs, as one runner reads and claims them. Each change is one UPDATE, so that one runner of many wins. */
export function openJobTable(database: Database, runnerId: string, now: () => Date) {
  const db = database.tables<JobTables>();
  const instant = (laterMs = 0) => new Date(now().getTime() + laterMs).toISOString();
  const nextRuns = ({ due }: Schedule, count: number) =>
    new Cron(due, { timezone: "UTC", paused: true }).nextRuns(count, now()).map((time) => time.toISOString());
  const nextRun = (job: Schedule) => nextRuns(job, 1)[0]!;
  const update = (name: string) => db.updateTable("jobs").where("name", "=", name);
  const updateOwn = (name: string) => update(name).where("locked_by", "=", runnerId);
  const isDue = ({ eb, and, or }: ExpressionBuilder<JobTables, "jobs">) =>
    or([and([eb("next_run", "<=", instant()), eb("locked_by", "is", null)]), eb("locked_until", "<=", instant())]);

  return {
    async add(job: Schedule) {
      const row = db.insertInto("jobs").values({ name: job.name, next_run: nextRun(job) });
      await row.onConflict((conflict) => conflict.doNothing()).execute();
    },
    async unlockAll() {
      await db.updateTable("jobs").set({ locked_by: null, locked_until: null }).execute();
    },
    async makeDue(name: string, cause?: Cause) {
      await update(name)
        .set({ next_run: instant(), ...(cause && { cause: JSON.stringify(cause) }) })
        .execute();
    },
    /** After a clock was set back, a run lies too far ahead; a process with a slightly earlier clock sets the one after next. */
    async repairClockSkew(job: Schedule) {
      const [next, afterNext] = nextRuns(job, 2) as [string, string];
      await update(job.name).where("next_run", ">", afterNext).set({ next_run: next }).execute();
    },
    async states(names: string[]): Promise<JobState[]> {
      const rows = await db.selectFrom("jobs").selectAll().where("name", "in", names).execute();
      return rows.map(({ name, next_run, locked_until, outcome, succeeded_at }) => {
        const isLate = next_run <= instant() && (locked_until ?? "") <= instant();
        return {
          name,
          lateSeconds: isLate ? (now().getTime() - Date.parse(next_run)) / secondsInMs(1) : 0,
          isFailing: outcome === "failed",
          succeededAt: succeeded_at,
        };
      });
    },
    async due(): Promise<string[]> {
      const rows = await db.selectFrom("jobs").where(isDue).select("name").execute();
      return rows.map(({ name }) => name);
    },
    /** Returns the run with its cause, or undefined if the job is not due or another runner has it. */
    async claim(job: Schedule): Promise<{ cause: Cause | undefined } | undefined> {
      const row = await db
        .selectFrom("jobs")
        .where("name", "=", job.name)
        .where(isDue)
        .select("cause")
        .executeTakeFirst();
      if (!row) return undefined;
      const lease = { locked_by: runnerId, locked_until: instant(leaseMs), started_at: instant(), cause: null };
      const { numUpdatedRows } = await update(job.name)
        .where(isDue)
        .set({ ...lease, next_run: nextRun(job) })
        .executeTakeFirst();
      return numUpdatedRows > 0n ? { cause: row.cause ? (JSON.parse(row.cause) as Cause) : undefined } : undefined;
    },
    /** Throws if another runner has taken the job over. */
    async renew(name: string) {
      const { numUpdatedRows } = await updateOwn(name)
        .set({ locked_until: instant(leaseMs) })
        .executeTakeFirst();
      if (numUpdatedRows === 0n) throw new Error("another process has the job");
    },
    async finish(name: string, result: { outcome: "done" | "failed"; seconds: number }) {
      const free = { locked_by: null, locked_until: null, ended_at: instant() };
      await updateOwn(name)
        .set({ ...result, ...free, ...(result.outcome === "done" && { succeeded_at: instant() }) })
        .execute();
    },
  };
}
