import { Cron } from "croner";
import type { ExpressionBuilder } from "kysely";
import type { Migration } from "kysely/migration";
import { minutesInMs } from "../units.ts";
import type { Database } from "./database/database.ts";
import { up as tables } from "./migrations/001_tables.ts";

export const jobMigrations: Record<string, Migration> = { "001_tables": { up: tables } };

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
    async makeDue(name: string) {
      await update(name).set({ next_run: instant() }).execute();
    },
    /** After a clock was set back, a run lies too far ahead; a process with a slightly earlier clock sets the one after next. */
    async repairClockSkew(job: Schedule) {
      const [next, afterNext] = nextRuns(job, 2) as [string, string];
      await update(job.name).where("next_run", ">", afterNext).set({ next_run: next }).execute();
    },
    async due(): Promise<string[]> {
      const rows = await db.selectFrom("jobs").where(isDue).select("name").execute();
      return rows.map(({ name }) => name);
    },
    async claim(job: Schedule): Promise<boolean> {
      const { numUpdatedRows } = await update(job.name)
        .where(isDue)
        .set({ locked_by: runnerId, locked_until: instant(leaseMs), started_at: instant(), next_run: nextRun(job) })
        .executeTakeFirst();
      return numUpdatedRows > 0n;
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
        .set({ ...result, ...free })
        .execute();
    },
  };
}
