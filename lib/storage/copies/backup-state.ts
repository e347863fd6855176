import { watch } from "../../metric-sources.ts";
import { hoursInMs } from "../../units.ts";
import type { Database } from "../database/database.ts";
import { lastGood } from "./backup-runs.ts";
import { copiedUntil, maxCopyLagMs } from "./heartbeats.ts";

type Settings = { BACKUP_TO?: string | undefined; BACKUP_MAX_HOURS: number; COPY_TO?: string | undefined };

export type BackupState = {
  /** Instants of what is configured; null if there is none yet. */
  last: { backup?: string | null; copy?: string | null };
  degraded: ("backup" | "copy")[];
};

/** The last good backup or the end of the copy, and whether it is too old; undefined if it is not configured. */
export async function copyAge(of: "backup" | "copy", database: Database, settings: Settings, now = new Date()) {
  const { BACKUP_TO, BACKUP_MAX_HOURS, COPY_TO } = settings;
  if (!(of === "backup" ? BACKUP_TO : COPY_TO)) return undefined;
  const [at, maxMs] =
    of === "backup"
      ? [await lastGood(database, "backup"), hoursInMs(BACKUP_MAX_HOURS)]
      : [await copiedUntil(database), maxCopyLagMs];
  return { at: at?.toISOString() ?? null, isOld: !at || now.getTime() - at.getTime() > maxMs };
}

export async function backupState(database: Database, settings: Settings, now: Date): Promise<BackupState> {
  const state: BackupState = { last: {}, degraded: [] };
  for (const of of ["backup", "copy"] as const) {
    const age = await copyAge(of, database, settings, now);
    if (!age) continue;
    state.last[of] = age.at;
    if (age.isOld) state.degraded.push(of);
  }
  return state;
}

/** Has the metrics show them. */
export function watchBackups(database: Database, { BACKUP_TO, COPY_TO }: Settings) {
  const seconds = (at: Date | undefined) => (at?.getTime() ?? 0) / 1000;
  if (BACKUP_TO) watch("last backup", async () => seconds(await lastGood(database, "backup")));
  if (BACKUP_TO) watch("last drill", async () => seconds(await lastGood(database, "drill")));
  if (COPY_TO) watch("last copy", async () => seconds(await copiedUntil(database)));
}
