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

export async function backupState(database: Database, settings: Settings, now: Date): Promise<BackupState> {
  const state: BackupState = { last: {}, degraded: [] };
  const ages = [
    settings.BACKUP_TO &&
      (["backup", await lastGood(database, "backup"), hoursInMs(settings.BACKUP_MAX_HOURS)] as const),
    settings.COPY_TO && (["copy", await copiedUntil(database), maxCopyLagMs] as const),
  ];
  for (const age of ages) {
    if (!age) continue;
    const [name, at, maxMs] = age;
    state.last[name] = at?.toISOString() ?? null;
    if (!at || now.getTime() - at.getTime() > maxMs) state.degraded.push(name);
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
