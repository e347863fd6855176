import { randomUUID } from "node:crypto";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { environment } from "#lib/config.ts";
import { newDatabase, onServer, startPostgres, urlOf } from "./postgres.ts";
import { startS3 } from "./s3.ts";
import { seed } from "./sample.ts";

/** A PostgreSQL server's address, and the settings by which Sealdesk uses the S3 server beside it. */
type PostgresAndS3 = { postgresUrl: string; env: Record<string, string> };

const sampleName = "sealdesk_sample";

/**
 * Starts PostgreSQL and an S3 server, once for a run, and fills them with the sample company; workers find them by
 * `TEST_POSTGRES_S3`. Without PostgreSQL it says so and starts neither. Returns what stops both.
 */
export async function startPostgresAndS3(): Promise<() => Promise<void>> {
  const postgres = await startPostgres();
  if ("missing" in postgres) {
    console.log(`Journeys run on SQLite and this disk only: ${postgres.missing}.`);
    return async () => {};
  }
  const s3 = await startS3();
  await onServer(postgres.url, `drop database if exists ${sampleName}`);
  await onServer(postgres.url, `create database ${sampleName}`);
  const secret = randomUUID() + randomUUID();
  const env = { ...s3.env, SESSION_SECRET: secret, SEAL_SECRET: secret };
  const data = mkdtempSync(join(tmpdir(), "sealdesk-seed-"));
  await seed({ ...env, DATABASE_URL: urlOf(postgres.url, sampleName), DATA_DIR: data });
  rmSync(data, { recursive: true });
  environment.TEST_POSTGRES_S3 = JSON.stringify({ postgresUrl: postgres.url, env } satisfies PostgresAndS3);
  return async () => {
    await s3.stop();
    postgres.stop();
  };
}

/** Returns a server's settings for a copy of the sample company's database; undefined without PostgreSQL. */
export async function samplePostgresAndS3(): Promise<
  { env: Record<string, string>; drop(): Promise<void> } | undefined
> {
  if (!environment.TEST_POSTGRES_S3) return undefined;
  const { postgresUrl, env } = JSON.parse(environment.TEST_POSTGRES_S3) as PostgresAndS3;
  const { url, drop } = await newDatabase(postgresUrl, sampleName);
  return { env: { ...env, DATABASE_URL: url }, drop };
}
