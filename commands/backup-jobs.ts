import { type ChildProcess, fork } from "node:child_process";
import { once } from "node:events";
import { fileURLToPath } from "node:url";
import { Cron } from "croner";
import type { Config } from "#lib/config.ts";
import { recentRuns } from "#lib/storage/copies/backup-runs.ts";
import { beat } from "#lib/storage/copies/heartbeats.ts";
import type { Place } from "#lib/storage/copies/place.ts";
import type { Database } from "#lib/storage/database/database.ts";
import type { DescribedJob } from "#lib/storage/jobs.ts";
import { minutesInMs } from "#lib/units.ts";
import { copyPlace } from "./backup-place.ts";

/** The worker's jobs of backups and of the continuous copy, as far as they are configured. */
export function backupJobs(database: Database, settings: Config): DescribedJob[] {
  let place: Promise<Place> | undefined;
  const backup: DescribedJob = {
    name: "backup",
    summary: "makes backups that are due",
    due: "*/5 * * * *",
    atStart: true,
    run: async (signal) => {
      if (await isBackupDue(database, settings.BACKUP_SCHEDULE, new Date())) await backUp(signal);
    },
  };
  const heartbeat: DescribedJob = {
    name: "heartbeat",
    summary: "writes a row and finds those in the copy",
    due: "*/5 * * * * *",
    atStart: true,
    run: async () => beat(database, await (place ??= copyPlace(settings)), new Date()),
  };
  return [
    ...(settings.BACKUP_TO && settings.BACKUP_SCHEDULE !== "off" ? [backup] : []),
    ...(settings.COPY_TO ? [heartbeat] : []),
  ];
}

const retryMs = minutesInMs(30);

/** Whether no good backup was started since the schedule's last time, and none was tried a short while ago. */
async function isBackupDue(database: Database, schedule: string, now: Date): Promise<boolean> {
  const runs = (await recentRuns(database, 50)).filter(({ kind }) => kind === "backup");
  const [lastTry, lastGood] = [runs[0], runs.find(({ error }) => error === "")];
  if (lastTry && lastTry.error !== "" && now.getTime() - Date.parse(lastTry.ended_at) < retryMs) return false;
  const [scheduled] = new Cron(schedule, { timezone: "UTC", paused: true }).previousRuns(1, now);
  return !lastGood || (scheduled !== undefined && Date.parse(lastGood.started_at) < scheduled.getTime());
}

// The build puts all programs into one folder.
const isSource = import.meta.url.endsWith(".ts");
const program = fileURLToPath(new URL(isSource ? "./cli.ts" : "./cli.js", import.meta.url));

/** Makes a backup in a process of its own, whose memory the worker does not need afterwards. Throws what it printed. */
async function backUp(signal: AbortSignal) {
  const child: ChildProcess = fork(program, ["backup"], { stdio: ["ignore", "ignore", "pipe", "ipc"], execArgv: [] });
  const stop = () => child.kill("SIGTERM");
  signal.addEventListener("abort", stop);
  let printed = "";
  child.stderr!.on("data", (chunk: Buffer) => (printed = (printed + chunk.toString()).slice(-2000)));
  const [code] = (await once(child, "close")) as [number | null];
  signal.removeEventListener("abort", stop);
  if (code !== 0) throw new Error(`the backup failed: ${printed.trim() || "its process was killed"}`);
}
