import { randomUUID } from "node:crypto";
import { Readable } from "node:stream";
import { setTimeout as wait } from "node:timers/promises";
import { sql } from "kysely";
import { config } from "#lib/config.ts";
import { metrics } from "#lib/metrics.ts";
import { type BackupState, copyAge } from "#lib/storage/copies/backup-state.ts";
import { freeBytes } from "#lib/storage/files/disk-reserve.ts";
import { mebibytesInBytes, secondsInMs } from "#lib/units.ts";
import { log } from "./log.ts";
import { resources } from "./resources.ts";

const timeoutMs = secondsInMs(4);
/** Too little for the database to go on; uploads stop well above it (`DISK_RESERVE_MB`). */
const minFreeBytes = mebibytesInBytes(256);

type Checks = Record<string, () => Promise<void>>;

const needed: Checks = { database: checkDatabase };

/** All processes share these, and most is served without them: they take no process from its balancer. */
const shared: Checks = {
  storage: checkStorage,
  disk: checkDisk,
  mail: checkMail,
  backup: () => checkAge("backup"),
  copy: () => checkAge("copy"),
};
for (const check of Object.keys(shared)) metrics.degraded.set({ check }, 0);

/** Anyone may request the results, so they are cached. */
const cacheMs = secondsInMs(1);
const cachedNeeded = cached(needed);
const cachedShared = cached(shared);

/** The moments of the last good backup and of the database's copy, if they are configured. */
let last: BackupState["last"] = {};
let leaving: string[] = [];
let degraded: string[] = [];

export function leave(reason: "shutting down" | "newer schema") {
  leaving = [...leaving, reason];
}

/** Why this process should get no requests, and what it serves without, as last checked: a bucket that hangs delays no probe. */
export async function readiness(): Promise<{ missing: string[]; degraded: string[]; last: BackupState["last"] }> {
  void checkShared();
  return { missing: [...leaving, ...(await cachedNeeded())], degraded, last };
}

/** Whether a shared check failed when it was last run. */
export const isDegraded = (check: "storage" | "disk" | "mail") => degraded.includes(check);

/** Checks what processes share, for the metric and the next reply. */
export async function checkShared() {
  degraded = await cachedShared();
  for (const check of Object.keys(shared)) metrics.degraded.set({ check }, degraded.includes(check) ? 1 : 0);
}

/** Returns what runs the checks, or returns what they last found: the names of failed ones. */
function cached(checks: Checks) {
  const failing = new Set<string>();
  let last = { at: -Infinity, failed: Promise.resolve<string[]>([]) };
  async function run(name: string, check: () => Promise<void>) {
    try {
      await Promise.race([check(), timeout()]);
      if (failing.delete(name)) log.info({ check: name }, "check passes again");
    } catch (err) {
      if (!failing.has(name)) log.warn({ err, check: name }, checks === needed ? "not ready" : "degraded");
      failing.add(name);
    }
  }
  const runAll = async () => {
    await Promise.all(Object.entries(checks).map(([name, check]) => run(name, check)));
    return [...failing];
  };
  return () => {
    if (performance.now() - last.at > cacheMs) last = { at: performance.now(), failed: runAll() };
    return last.failed;
  };
}

async function timeout(): Promise<never> {
  await wait(timeoutMs, undefined, { ref: false });
  throw new Error(`no answer within ${timeoutMs} ms`);
}

async function checkDatabase() {
  const { database } = resources();
  await sql`select 1`.execute(database.tables());
}

async function checkStorage() {
  const { files } = resources();
  const key = `work/ready-${randomUUID()}`;
  await files.put(key, Readable.from(["ready"]));
  await files.remove(key);
}

async function checkDisk() {
  if ((await freeBytes(config().DATA_DIR)) < minFreeBytes) throw new Error("the disk is almost full");
}

async function checkMail() {
  if (await resources().embedded?.isMailFailing()) throw new Error("messages wait for the mail server");
}

async function checkAge(of: "backup" | "copy") {
  const age = await copyAge(of, resources().database, config());
  if (!age) return;
  last = { ...last, [of]: age.at };
  if (age.isOld) throw new Error(`the last good one is of ${age.at ?? "never"}`);
}
