import { randomUUID } from "node:crypto";
import { Readable } from "node:stream";
import { hasRuns } from "#lib/storage/copies/backup-runs.ts";
import { backupState } from "#lib/storage/copies/backup-state.ts";
import { appliedMigrations } from "#lib/storage/database/migrate.ts";
import { listTables } from "#lib/storage/database/rows.ts";
import { freeBytes } from "#lib/storage/files/disk-reserve.ts";
import { mebibytesInBytes, minutesInMs, showBytes } from "#lib/units.ts";
import { participantsOf } from "../participants.ts";
import { type Check, fail, ok, type StoresCheck, warn } from "./finding.ts";

export const databaseCheck: StoresCheck = async (_, { DATABASE_URL, DATA_DIR }) =>
  ok(DATABASE_URL ? `PostgreSQL at ${new URL(DATABASE_URL).host}` : `SQLite in ${DATA_DIR}`);

export const schemaCheck: StoresCheck = async ({ database }) => {
  const db = database.tables<any>();
  const tables = (await listTables(db)).map(({ name }) => name);
  const applied = await appliedMigrations(db, tables);
  const participants = participantsOf(applied, "The database");
  if (participants.length === 0) return warn("there are no tables yet", "Start the server, which makes them.");
  const missing = participants.flatMap(({ name, migrations }) =>
    Object.keys(migrations).filter((one) => !applied[name]!.includes(one)),
  );
  if (missing.length === 0) return ok("all migrations are applied");
  return warn(`migrations are missing: ${missing.join(", ")}`, "Run the command migrate, or start this version.");
};

export const filesCheck: StoresCheck = async ({ files }, { S3_BUCKET, S3_ENDPOINT, DATA_DIR }) => {
  const key = `work/doctor-${randomUUID()}`;
  await files.put(key, Readable.from(["written by doctor"]));
  try {
    const chunks = await Array.fromAsync(await files.stream(key));
    if (Buffer.concat(chunks).toString() !== "written by doctor")
      throw new Error("a file came back with other content");
  } finally {
    await files.remove(key);
  }
  const place = S3_BUCKET ? `bucket ${S3_BUCKET} at ${S3_ENDPOINT ?? "Amazon S3"}` : `${DATA_DIR}/files`;
  return ok(`${place}: wrote, read and deleted a file`);
};

export const diskCheck: Check = async ({ DATA_DIR, DISK_RESERVE_MB }) => {
  const free = await freeBytes(DATA_DIR);
  const reserve = mebibytesInBytes(DISK_RESERVE_MB);
  const detail = `${showBytes(free)} of the disk of ${DATA_DIR} are free`;
  if (free < reserve) return fail(`${detail}, less than DISK_RESERVE_MB: uploads are refused`, "Make room.");
  return free < 2 * reserve ? warn(`${detail}: uploads will soon be refused`, "Make room.") : ok(detail);
};

const overdueMs = minutesInMs(5);

export const jobsCheck: StoresCheck = async ({ database }) => {
  const jobs = await database.tables<any>().selectFrom("jobs").selectAll().execute();
  const overdueSince = new Date(Date.now() - overdueMs).toISOString();
  const overdue = jobs.filter(
    ({ next_run, locked_until }) => next_run < overdueSince && !(locked_until > overdueSince),
  );
  if (jobs.length === 0 || overdue.length > 0) {
    return fail(
      `no worker runs jobs${overdue.length > 0 ? `; overdue: ${overdue.map(({ name }) => name).join(", ")}` : ""}`,
      "Start the server, or with WORKER=off the command worker.",
    );
  }
  const failed = jobs.filter(({ outcome }) => outcome === "failed").map(({ name }) => name);
  return failed.length === 0
    ? ok(`${jobs.length} jobs run`)
    : warn(
        `failed at their last run: ${failed.join(", ")}`,
        "The log says why: job failed, retrying when it is next due.",
      );
};

export const backupsCheck: StoresCheck = async ({ database }, settings) => {
  const { BACKUP_TO, COPY_TO, PROVIDER_URL } = settings;
  if (PROVIDER_URL) return undefined;
  if (!BACKUP_TO && !COPY_TO)
    return warn("neither BACKUP_TO nor COPY_TO is set", "Set BACKUP_TO, or have cron run backup.");
  if (!(await hasRuns(database)))
    return warn("there are no tables of backups yet", "Start the server, which makes them.");
  const { last, degraded } = await backupState(database, settings, new Date());
  const detail = Object.entries(last)
    .map(([name, at]) => `last ${name} ${at ?? "never"}`)
    .join(", ");
  if (degraded.length === 0) return ok(detail);
  return fail(`${detail}, which is too old`, "The command backups and the worker's log say why.");
};
