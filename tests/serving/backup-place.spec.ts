import { mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from "node:fs";
import { createServer } from "node:http";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect, serve, test } from "../support/backups.ts";
import { resultOf, runCommand, startCommand, type Stores, withSettings } from "../support/command.ts";
import { metricsOf, metricsToken } from "../support/metrics.ts";
import { freePort } from "../support/postgres.ts";
import { startS3 } from "../support/s3.ts";
import { startServer, until } from "../support/server.ts";

const bucketEnv = ({ env }: { env: Record<string, string> }) => ({
  BACKUP_TO: "s3://sealdesk/backups/main",
  BACKUP_S3_ENDPOINT: env.S3_ENDPOINT!,
  BACKUP_S3_ACCESS_KEY_ID: env.S3_ACCESS_KEY_ID!,
  BACKUP_S3_SECRET_ACCESS_KEY: env.S3_SECRET_ACCESS_KEY!,
});

/** Makes a key pair; returns the public key and the file of the private one. */
async function makeKey(stores: Stores, folder: string) {
  const identity = join(folder, `${crypto.randomUUID()}.txt`);
  const { stdout } = await runCommand(stores, "backup-key", identity);
  expect(statSync(identity).mode & 0o777).toBe(0o600);
  return { identity, recipient: stdout.trim() };
}

/** A dead man's switch that counts its requests, and answers as it is told. */
async function startSwitch() {
  const state = { pings: 0, status: 200 };
  const server = createServer((_, response) => {
    state.pings++;
    response.writeHead(state.status).end();
  });
  const port = await freePort();
  server.listen(port, "127.0.0.1");
  return { state, url: `http://127.0.0.1:${port}/ping`, stop: () => server.close() };
}

test("backups go encrypted to a bucket, where exactly as many are kept as are set, and restore from there", async ({
  sampleStores,
  emptyOf,
  folder,
}) => {
  const [sample, target, s3, ping] = [
    await sampleStores(),
    await emptyOf("PostgreSQL"),
    await startS3(),
    await startSwitch(),
  ];
  const { identity, recipient } = await makeKey(sample, folder);
  const other = await makeKey(sample, folder);
  const env = { ...bucketEnv(s3), BACKUP_RECIPIENTS: recipient, BACKUP_KEEP: "2", BACKUP_PING_URL: ping.url };
  const stores = withSettings(sample, env);
  await (await serve(sample)).stop();
  try {
    const named: string[] = [];
    for (let n = 0; n < 4; n++) {
      const { exitCode, stderr } = await runCommand(stores, "backup");
      expect([exitCode, stderr]).toEqual([0, expect.stringContaining("Backed up ")]);
      named.push(/sealdesk-\S+\.tar\.gz\.age/.exec(stderr)![0]);
    }
    expect(ping.state.pings).toBe(4);
    const listed = await runCommand(stores, "backups");
    expect(listed.exitCode).toBe(0);
    expect(listed.stdout.match(/^ {2}sealdesk-\S+/gm)!.map((line) => line.trim())).toEqual(
      named.slice(-2).toReversed(),
    );

    const elsewhere = withSettings(target, { ...bucketEnv(s3), BACKUP_RECIPIENTS: recipient });
    for (const [args, reason] of [
      [[], "is encrypted: give the file with its private key by --identity"],
      [["--identity", other.identity], "can’t be decrypted by this identity"],
    ] as const) {
      const refused = await runCommand(elsewhere, "verify", "newest", ...args);
      expect([refused.exitCode, refused.stderr]).toEqual([1, expect.stringContaining(reason)]);
    }
    const restored = await runCommand(elsewhere, "restore", "newest", "--identity", identity);
    expect([restored.exitCode, restored.stdout]).toEqual([0, expect.stringContaining("No fault.")]);

    ping.state.status = 500;
    const unheard = await runCommand(stores, "backup");
    expect([unheard.exitCode, unheard.stderr]).toEqual([1, expect.stringContaining("BACKUP_PING_URL")]);
    await s3.crash();
    const failed = await runCommand(stores, "backup");
    expect(failed.exitCode).toBe(1);
    await s3.resume();
    const { stdout } = await runCommand(stores, "backups");
    expect(stdout).toMatch(/backup {2}failed: .+/);
  } finally {
    ping.stop();
    await s3.stop();
  }
});

test("a bucket is refused without a public key, and a folder's files are private", async ({ sampleStores, folder }) => {
  const sample = await sampleStores();
  const refused = await runCommand(withSettings(sample, { BACKUP_TO: "s3://sealdesk" }), "backup");
  expect([refused.exitCode, refused.stderr]).toEqual([1, expect.stringContaining("BACKUP_RECIPIENTS: required")]);
  const to = join(folder, "new", "backups");
  expect((await runCommand(withSettings(sample, { BACKUP_TO: to }), "backup")).exitCode).toBe(0);
  const [name, ...others] = readdirSync(to);
  expect([name, others]).toEqual([
    expect.stringMatching(/^sealdesk-localhost-3000-\d{4}-\d\d-\d\dT\d{6}Z\.tar\.gz$/),
    [],
  ]);
  expect(statSync(join(to, name!)).mode & 0o777).toBe(0o600);
  expect((await runCommand(sample, "verify", join(to, name!))).exitCode).toBe(0);
});

test("the worker makes a backup that is due, which metrics, readiness and operators see", async ({
  sampleStores,
  folder,
}) => {
  const sample = await sampleStores();
  const to = join(folder, "backups");
  const env = { METRICS_TOKEN: metricsToken, BACKUP_TO: to, BACKUP_SCHEDULE: "0 4 1 1 *" };
  const server = await startServer({ on: sample.DATA_DIR, env });
  const lastGood = async () =>
    (await metricsOf(server)).get('sealdesk_backup_last_success_timestamp_seconds{of="backup"}');
  const began = Date.now() / 1000;
  try {
    await until(async () => ((await lastGood()) ?? 0) > 0, "a backup");
    expect(await lastGood()).toBeGreaterThan(began - 120);
    expect(readdirSync(to)).toHaveLength(1);
    const ready = async () => (await (await fetch(`${server.url}/readyz`)).json()) as { backup?: string };
    await until(async () => Boolean((await ready()).backup), "the backup in readiness");
    expect(await ready()).toMatchObject({ ready: true, degraded: [] });
  } finally {
    await server.stop();
  }
  const stores = withSettings(sample, env);
  expect((await runCommand(stores, "backups")).stdout).toContain("backup  good: sealdesk-");
  const old = await runCommand(withSettings(stores, { BACKUP_TO: join(folder, "other") }), "backups");
  expect(old.exitCode, "the last good one counts").toBe(0);
});

for (const [signal, code, said] of [
  ["SIGINT", 130, "failed: Interrupted"],
  ["SIGKILL", null, "it has not ended"],
] as const) {
  test(`a backup that is ended by ${signal} is no good one`, async ({ sampleStores, folder }) => {
    const sample = await sampleStores();
    const { recipient } = await makeKey(sample, folder);
    // It makes the tables.
    await (await startServer({ on: sample.DATA_DIR })).stop();
    let uploads = 0;
    // A bucket that takes a file and never answers.
    const bucket = createServer((request) => {
      if (request.method === "PUT" || request.method === "POST") uploads++;
      request.resume();
    });
    const port = await freePort();
    bucket.listen(port, "127.0.0.1");
    const env = {
      BACKUP_RECIPIENTS: recipient,
      BACKUP_S3_ENDPOINT: `http://127.0.0.1:${port}`,
      BACKUP_TO: "s3://sealdesk",
    };
    const keys = { BACKUP_S3_ACCESS_KEY_ID: "key", BACKUP_S3_SECRET_ACCESS_KEY: "secret-of-the-bucket" };
    const stores = withSettings(sample, { ...env, ...keys });
    const backup = startCommand(stores, "backup");
    const end = resultOf(backup);
    await until(() => uploads > 0, "the upload");
    backup.kill(signal);
    expect((await end).exitCode).toBe(code);
    bucket.closeAllConnections();
    bucket.close();
    const elsewhere = withSettings(sample, { BACKUP_TO: join(folder, "elsewhere") });
    const { exitCode, stdout } = await runCommand(elsewhere, "backups");
    expect([exitCode, stdout]).toEqual([1, expect.stringContaining(said)]);
    expect(stdout).not.toContain("good: sealdesk-");
  });
}

test("without a good backup readiness is degraded, and still ready", async ({ sampleStores, folder }) => {
  const sample = await sampleStores();
  const to = join(folder, "a file");
  writeFileSync(to, "");
  const server = await startServer({ on: sample.DATA_DIR, env: { BACKUP_TO: join(to, "below"), LOG_LEVEL: "error" } });
  try {
    await until(() => server.errors().includes("the backup failed"), "a failed backup");
    const ask = async () => (await fetch(`${server.url}/readyz`)).json();
    await until(async () => ((await ask()) as { degraded: string[] }).degraded.includes("backup"), "the alarm");
    expect(await ask()).toMatchObject({ ready: true, missing: [], backup: null });
  } finally {
    await server.stop();
  }
});

test("a drill restores, verifies and compares the newest backup, and says what is wrong with it", async ({
  sampleStores,
  folder,
}) => {
  const sample = await sampleStores();
  const { identity, recipient } = await makeKey(sample, folder);
  const [to, temporary] = [join(folder, "backups"), join(folder, "temporary")];
  mkdirSync(temporary);
  const stores = withSettings(sample, { BACKUP_TO: to, BACKUP_RECIPIENTS: recipient, METRICS_TOKEN: metricsToken });
  await (await serve(sample)).stop();
  expect((await runCommand(stores, "drill")).stderr).toContain("There is no backup");
  expect((await runCommand(stores, "backup")).exitCode).toBe(0);
  const drill = async (...args: string[]) => {
    const result = await runCommand(stores, "drill", ...args, "--identity", identity, "--in", temporary);
    expect(readdirSync(temporary), "the temporary place is removed").toEqual([]);
    return result;
  };
  const passed = await drill();
  expect([passed.exitCode, passed.stdout]).toEqual([
    0,
    expect.stringMatching(/documents: \d+\n[^]*The drill passed: sealdesk-/),
  ]);
  expect((await runCommand(stores, "backups")).stdout).toContain("drill  good: ");

  const plain = join(folder, "plain.tar");
  expect((await runCommand(sample, "backup", plain)).exitCode).toBe(0);
  const content = readFileSync(plain);
  content[content.indexOf("%PDF-") + 20]! ^= 1;
  const damaged = join(folder, "damaged.tar");
  writeFileSync(damaged, content);
  const failed = await drill(damaged);
  expect([failed.exitCode, failed.stderr]).toEqual([
    1,
    expect.stringMatching(/does not match its checksums: files\/documents\/\S+ is damaged/),
  ]);
  expect((await runCommand(stores, "backups")).stdout).toMatch(/drill {2}failed: .*is damaged/);
});

test("a drill fails if the backup lacks documents that were issued before", async ({ sampleStores, folder }) => {
  const [sample, other] = [await sampleStores(), mkdtempSync(join(tmpdir(), "sealdesk-other-"))];
  try {
    const server = await serve({ DATA_DIR: other });
    await server.stop();
    const file = join(folder, "empty.tar");
    expect((await runCommand({ DATA_DIR: other }, "backup", file)).exitCode).toBe(0);
    const { exitCode, stdout } = await runCommand(sample, "drill", file);
    expect([exitCode, stdout]).toEqual([
      1,
      expect.stringMatching(/fault: it lacks \d+ documents that were issued before/),
    ]);
  } finally {
    rmSync(other, { recursive: true });
  }
});
