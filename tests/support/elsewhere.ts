import { spawn } from "node:child_process";
import { randomUUID } from "node:crypto";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { environment } from "#config";
import { newDatabase, onServer, startPostgres, urlOf } from "./postgres.ts";
import { startS3 } from "./s3.ts";

/**
 * PostgreSQL and an S3 server with the sample company, for servers that keep nothing on their own machine. Started once
 * for a run; workers learn of it by their environment.
 */
type Elsewhere = { database: string; env: Record<string, string> };

const root = join(import.meta.dirname, "..", "..");
const sampleName = "sealdesk_sample";

/** Starts both and fills them. Without PostgreSQL there is none of it, and it says so. Returns how to end it. */
export async function startElsewhere(): Promise<() => Promise<void>> {
  const postgres = await startPostgres();
  if ("missing" in postgres) {
    console.log(`Journeys run on SQLite and this disk only: ${postgres.missing}.`);
    return async () => {};
  }
  const s3 = await startS3();
  await onServer(postgres.url, `drop database if exists ${sampleName}`);
  await onServer(postgres.url, `create database ${sampleName}`);
  const env = { ...s3.env, SESSION_SECRET: randomUUID() + randomUUID() };
  const data = mkdtempSync(join(tmpdir(), "sealdesk-seed-"));
  const settings = { ...env, DATABASE_URL: urlOf(postgres.url, sampleName), DATA_DIR: data };
  await new Promise<void>((resolve, reject) => {
    // Not waited for in one go: the S3 server answers from this very process.
    const child = spawn(process.execPath, ["build/server/cli.js", "seed"], {
      cwd: root,
      env: { ...environment, ...settings },
      stdio: "inherit",
    });
    child.once("exit", (code) => (code === 0 ? resolve() : reject(new Error(`Seeding ended with ${code}`))));
  });
  rmSync(data, { recursive: true });
  environment.TEST_ELSEWHERE = JSON.stringify({ database: postgres.url, env } satisfies Elsewhere);
  return async () => {
    await s3.stop();
    postgres.stop();
  };
}

/** A copy of the sample company's database, and the settings of servers that use it; undefined without PostgreSQL. */
export async function sampleElsewhere(): Promise<{ env: Record<string, string>; drop(): Promise<void> } | undefined> {
  if (!environment.TEST_ELSEWHERE) return undefined;
  const { database, env } = JSON.parse(environment.TEST_ELSEWHERE) as Elsewhere;
  const { url, drop } = await newDatabase(database, sampleName);
  return { env: { ...env, DATABASE_URL: url }, drop };
}
