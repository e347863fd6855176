import { randomUUID } from "node:crypto";
import { Readable } from "node:stream";
import { setTimeout as wait } from "node:timers/promises";
import { sql } from "kysely";
import { config } from "#config";
import { freeBytes } from "#storage/reserve.ts";
import { log } from "./log.ts";
import { resources } from "./resources.ts";

/** Slower than this is as good as gone; anything faster is slow, and not for a health check to judge. */
const patience = 4000;
/** Under this not even rows can be written for long; uploads are refused well above it (`DISK_RESERVE_MB`). */
const leastDisk = 256 * 1024 * 1024;

/** Anybody may ask, so that asking often must cost little. */
const keptFor = 1000;
let kept = { at: 0, missing: Promise.resolve<string[]>([]) };

/** What keeps this process from doing its work, in words for operators; nothing if it is ready. */
export function failedChecks(): Promise<string[]> {
  if (Date.now() - kept.at > keptFor) kept = { at: Date.now(), missing: look() };
  return kept.missing;
}

async function look(): Promise<string[]> {
  const checks = { database: askDatabase, storage: writeFile, disk: lookAtDisk };
  const failed = await Promise.all(
    Object.entries(checks).map(async ([name, check]) => {
      try {
        await Promise.race([check(), tooLate()]);
        return [];
      } catch (err) {
        log.warn({ err, check: name }, "not ready");
        return [name];
      }
    }),
  );
  return failed.flat();
}

async function tooLate() {
  await wait(patience, undefined, { ref: false });
  throw new Error(`no answer within ${patience} ms`);
}

/** Migrations have run before a process listens at all, so that an answer is enough. */
async function askDatabase() {
  const { database } = resources();
  await sql`select 1`.execute(database.tables());
}

async function writeFile() {
  const { files } = resources();
  const key = `work/ready-${randomUUID()}`;
  await files.put(key, Readable.from(["ready"]));
  await files.remove(key);
}

async function lookAtDisk() {
  if ((await freeBytes(config().DATA_DIR)) < leastDisk) throw new Error("the disk is almost full");
}
