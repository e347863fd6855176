import { randomUUID } from "node:crypto";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { environment } from "#config";
import { newDatabase, onServer, startPostgres, urlOf } from "./postgres.ts";
import { startS3 } from "./s3.ts";
import { seed } from "./sample.ts";

/**
 * PostgreSQL and an S3 server with the sample company, for servers that keep nothing on their own machine. Started once
 * for a run; workers learn of it by their environment.
 */
type Elsewhere = { database: string; env: Record<string, string> };

const sampleName = "sealdesk_sample";

/** Starts both and fills them. Without PostgreSQL there is none of it, and it says so. Returns how to end it. */
export async function startPostgresAndS3(): Promise<() => Promise<void>> {
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
  await seed({ ...env, DATABASE_URL: urlOf(postgres.url, sampleName), DATA_DIR: data });
  rmSync(data, { recursive: true });
  environment.TEST_POSTGRES_S3 = JSON.stringify({ database: postgres.url, env } satisfies Elsewhere);
  return async () => {
    await s3.stop();
    postgres.stop();
  };
}

/** A copy of the sample company's database, and the settings of servers that use it; undefined without PostgreSQL. */
export async function samplePostgresAndS3(): Promise<
  { env: Record<string, string>; drop(): Promise<void> } | undefined
> {
  if (!environment.TEST_POSTGRES_S3) return undefined;
  const { database, env } = JSON.parse(environment.TEST_POSTGRES_S3) as Elsewhere;
  const { url, drop } = await newDatabase(database, sampleName);
  return { env: { ...env, DATABASE_URL: url }, drop };
}
