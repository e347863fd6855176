import type { Database } from "../database/database.ts";
import type { HeartbeatTables } from "./heartbeats.ts";

export type BackupKind = "backup" | "drill";
/** `started_at` is the moment whose rows a backup has; `error` is empty if the run was good. */
export type BackupRun = {
  kind: BackupKind;
  started_at: string;
  ended_at: string;
  name: string;
  bytes: number;
  error: string;
};
type EndedRun = Omit<BackupRun, "ended_at" | "error"> & { failure?: unknown };
export type CopyTables = HeartbeatTables & { backup_runs: BackupRun };

const storedRuns = 200;

export const hasRuns = async (database: Database) =>
  (await database.tables().introspection.getTables()).some(({ name }) => name === "backup_runs");

/** The failure of a run that has begun: a process that is killed stores no other. */
export const unended = new Error("it has not ended: it is running, or its process was killed");

/** Stores that a run has begun or how it ended: without a `failure`, well. */
export async function recordRun(database: Database, { failure, ...run }: EndedRun) {
  if (!(await hasRuns(database))) return;
  const db = database.tables<CopyTables>();
  const row = {
    ...run,
    error: failure === undefined ? "" : reasonOf(failure),
    ended_at: new Date().toISOString(),
  };
  await db
    .insertInto("backup_runs")
    .values(row)
    .onConflict((conflict) => conflict.columns(["kind", "started_at"]).doUpdateSet(row))
    .execute();
  const oldest = await db
    .selectFrom("backup_runs")
    .where("kind", "=", run.kind)
    .orderBy("started_at", "desc")
    .offset(storedRuns)
    .limit(1)
    .select("started_at")
    .executeTakeFirst();
  if (!oldest) return;
  await db
    .deleteFrom("backup_runs")
    .where("kind", "=", run.kind)
    .where("started_at", "<=", oldest.started_at)
    // The last good one counts, however many failed since.
    .where((eb) =>
      eb(
        "started_at",
        "not in",
        eb
          .selectFrom("backup_runs as good")
          .where("good.kind", "=", run.kind)
          .where("good.error", "=", "")
          .select(({ fn }) => fn.max("good.started_at").as("at")),
      ),
    )
    .execute();
}

/** Of an error that may say nothing, as an interruption. */
function reasonOf(failure: unknown): string {
  const { message, code, constructor } = failure as NodeJS.ErrnoException;
  return message || code || constructor.name;
}

export const recentRuns = (database: Database, limit: number): Promise<BackupRun[]> =>
  database
    .tables<CopyTables>()
    .selectFrom("backup_runs")
    .selectAll()
    .orderBy("started_at", "desc")
    .limit(limit)
    .execute();

export async function lastGood(database: Database, kind: BackupKind): Promise<Date | undefined> {
  const run = await database
    .tables<CopyTables>()
    .selectFrom("backup_runs")
    .where("kind", "=", kind)
    .where("error", "=", "")
    .select(({ fn }) => fn.max<string | null>("started_at").as("at"))
    .executeTakeFirst();
  return run?.at ? new Date(run.at) : undefined;
}
