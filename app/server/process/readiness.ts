import { randomUUID } from "node:crypto";
import { Readable } from "node:stream";
import { setTimeout as wait } from "node:timers/promises";
import { sql } from "kysely";
import { config } from "#lib/config.ts";
import { freeBytes } from "#lib/storage/files/disk-reserve.ts";
import { mebibytesInBytes, secondsInMs } from "#lib/units.ts";
import { log } from "./log.ts";
import { resources } from "./resources.ts";

const timeoutMs = secondsInMs(4);
/** Too little for the database to go on; uploads stop well above it (`DISK_RESERVE_MB`). */
const minFreeBytes = mebibytesInBytes(256);

/** Anyone may request the result, so it is cached. */
const cacheMs = secondsInMs(1);
let cached = { at: 0, failed: Promise.resolve<string[]>([]) };

export function failedChecks(): Promise<string[]> {
  if (Date.now() - cached.at > cacheMs) cached = { at: Date.now(), failed: runChecks() };
  return cached.failed;
}

async function runChecks(): Promise<string[]> {
  const checks = { database: checkDatabase, storage: checkStorage, disk: checkDisk };
  const failed = await Promise.all(
    Object.entries(checks).map(async ([name, check]) => {
      try {
        await Promise.race([check(), timeout()]);
        return [];
      } catch (err) {
        log.warn({ err, check: name }, "not ready");
        return [name];
      }
    }),
  );
  return failed.flat();
}

async function timeout() {
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
