import { cpSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { connect } from "node:tls";
import { pathToFileURL } from "node:url";
import { expect, test } from "@playwright/test";
import { type Stores, runCommand } from "../support/command.ts";
import { startMailServer } from "../support/mail-server.ts";
import { freePort } from "../support/postgres.ts";
import { samplePostgresAndS3 } from "../support/postgres-s3.ts";
import { sampleData } from "../support/sample.ts";
import { startServer, until } from "../support/server.ts";
import { inDatabase } from "../support/stored.ts";
import { startTlsProxy } from "../support/tls-proxy.ts";

type Finding = { name: string; state: "ok" | "warn" | "fail"; detail: string; advice?: string };
type Settings = Stores & Record<string, string>;

async function examine(settings: Settings) {
  const { exitCode, stdout } = await runCommand(settings, "doctor", "--json");
  const { state, checks } = JSON.parse(stdout) as { state: string; checks: Finding[] };
  const of = (name: string) => checks.find((check) => check.name === name)!;
  return {
    exitCode,
    state,
    checks,
    of,
    failed: checks.filter((check) => check.state === "fail").map(({ name }) => name),
  };
}

/** A server on the sample company behind a proxy that ends TLS, and the settings of both. */
async function start(env: Record<string, string> = {}) {
  const [port, mail] = [await freePort(), await startMailServer()];
  const own = {
    PUBLIC_URL: `https://localhost:${port}`,
    TRUSTED_PROXIES: "1",
    SMTP_URL: mail.url,
    MAIL_FROM: "Sealdesk <sealdesk@company.example>",
    DISK_RESERVE_MB: "0",
    ...env,
  };
  const data = mkdtempSync(join(tmpdir(), "sealdesk-doctor-"));
  if (!env.DATABASE_URL) cpSync(sampleData, data, { recursive: true });
  const server = await startServer({ on: data, env: own });
  const proxy = await startTlsProxy(port, server.port);
  const authority = join(data, "authority.pem");
  writeFileSync(authority, await certificateAt(port));
  const settings: Settings = { DATA_DIR: data, PORT: String(server.port), NODE_EXTRA_CA_CERTS: authority, ...own };
  await until(async () => (await examine(settings)).of("jobs").state === "ok", "the worker's first jobs");
  return {
    server,
    mail,
    settings,
    async stop() {
      proxy.closeAllConnections();
      proxy.close();
      await server.stop();
      await mail.stop();
      rmSync(data, { recursive: true });
    },
  };
}

const certificateAt = (port: number) =>
  new Promise<string>((resolve, reject) => {
    const socket = connect({ port, host: "127.0.0.1", rejectUnauthorized: false }, () => {
      const raw = socket.getPeerCertificate().raw.toString("base64");
      resolve(`-----BEGIN CERTIFICATE-----\n${raw}\n-----END CERTIFICATE-----\n`);
      socket.end();
    });
    socket.on("error", reject);
  });

test("a sound installation passes all checks, and no mail is sent", async () => {
  const { settings, mail, stop } = await start();
  try {
    const { exitCode, checks, failed } = await examine(settings);
    expect(failed).toEqual([]);
    expect(exitCode).toBe(0);
    const names =
      "address certificate proxies readiness database schema files jobs backups seals clock disk mail memory";
    expect(checks.map(({ name }) => name)).toEqual(names.split(" "));
    expect(checks.filter(({ state }) => state !== "ok").every(({ advice }) => advice)).toBe(true);
    expect(mail.taken).toEqual([]);
    const { stdout } = await runCommand(settings, "doctor");
    expect(stdout).toMatch(/^ok {4}address {6}https:\/\/localhost:\d+ leads to version /);
  } finally {
    await stop();
  }
});

test("each fault is a failure of its own check, with what to do", async () => {
  const { server, settings, mail, stop } = await start();
  const faulty = async (name: string, changed: Record<string, string>, reason: RegExp) => {
    const { exitCode, of, failed } = await examine({ ...settings, ...changed });
    expect([exitCode, failed], name).toEqual([1, [name]]);
    expect(of(name).detail, name).toMatch(reason);
    expect(of(name).advice, name).toBeTruthy();
  };
  try {
    await faulty(
      "certificate",
      { NODE_EXTRA_CA_CERTS: "" },
      /browsers refuse the certificate \(DEPTH_ZERO_SELF_SIGNED/,
    );
    await faulty("proxies", { TRUSTED_PROXIES: "0" }, /^1 proxies add .* clients share the limits/);
    await faulty("proxies", { TRUSTED_PROXIES: "2" }, /^1 proxies add .* TRUSTED_PROXIES is 2/);
    await faulty("address", { SESSION_SECRET: "another-one-that-is-long-enough-for-it" }, /not as a server with this/);
    await faulty("address", { PUBLIC_URL: `https://localhost:${await freePort()}` }, /ECONNREFUSED/);
    await faulty("seals", { SEAL_SECRET: "another-one-that-is-long-enough-for-it" }, /does not decrypt \d+ of/);
    await faulty("mail", { SMTP_URL: `smtp://127.0.0.1:${await freePort()}` }, /ECONNREFUSED/);
    await faulty("mail", { SMTP_URL: mail.url.replace("//", "//nobody:wrong@") }, /EAUTH|Authentication/i);
    await faulty("time stamps", { TSA_URL: server.url }, /replied with \d+/);
    await faulty("disk", { DISK_RESERVE_MB: "100000000" }, /uploads are refused/);
    await faulty("backups", { BACKUP_TO: join(settings.DATA_DIR, "backups") }, /^last backup never, which is too old/);
    const bucket = { S3_BUCKET: "gone", S3_ENDPOINT: `http://127.0.0.1:${await freePort()}` };
    await faulty("files", { ...bucket, S3_ACCESS_KEY_ID: "key", S3_SECRET_ACCESS_KEY: "word" }, /ECONNREFUSED/);
  } finally {
    await stop();
  }
});

test("without a server it names the address, jobs that nobody runs, and tables of another version", async () => {
  const { server, settings, stop } = await start();
  await server.stop();
  inDatabase(server, (db) => db.exec("update jobs set next_run = '2020-01-01T00:00:00.000Z'"));
  try {
    const stopped = await examine(settings);
    expect(stopped.failed).toEqual(["address", "jobs"]);
    expect(stopped.of("address").detail).toMatch(/socket hang up|ECONNRESET/);
    expect(stopped.of("jobs").detail).toContain("no worker runs jobs; overdue: ");
    const [last] = inDatabase(server, (db) =>
      db
        .prepare("delete from provider_migrations where name = (select max(name) from provider_migrations) returning *")
        .all(),
    ) as [{ name: string }];
    const older = await examine(settings);
    expect(older.of("schema")).toMatchObject({ state: "warn", detail: `migrations are missing: ${last.name}` });
    inDatabase(server, (db) => db.exec("insert into provider_migrations values ('999_of_tomorrow', '2030-01-01')"));
    const newer = await examine(settings);
    expect(newer.of("schema")).toMatchObject({ state: "fail", detail: expect.stringContaining("newer Sealdesk") });
  } finally {
    await stop();
  }
});

test("on PostgreSQL and S3 it compares the clocks of both, and says that a database is away", async () => {
  const sample = await samplePostgresAndS3();
  test.skip(!sample, "there is no PostgreSQL here");
  const { settings, stop } = await start(sample!.env);
  try {
    const sound = await examine(settings);
    expect([sound.failed, sound.exitCode]).toEqual([[], 0]);
    expect(sound.of("files").detail).toContain("bucket sealdesk");
    const clock = pathToFileURL(join(import.meta.dirname, "..", "support/shifted-clock.ts")).href;
    const ahead = await examine({ ...settings, NODE_OPTIONS: `--import ${clock}`, CLOCK_HOURS: "-0.05" });
    expect(ahead.of("clock")).toMatchObject({
      state: "fail",
      detail: expect.stringMatching(/database (179|180)\.\d s ahead/),
    });
    const nowhere = new URL(settings.DATABASE_URL!);
    nowhere.pathname = "/nowhere";
    const away = await examine({ ...settings, DATABASE_URL: nowhere.href });
    expect(away.of("database")).toMatchObject({ state: "fail", detail: 'database "nowhere" does not exist' });
    expect(away.of("mail").state, "what needs no database is checked all the same").toBe("ok");
  } finally {
    await stop();
    await sample!.drop();
  }
});

test("/healthz says how a request arrived only to commands that have the session secret", async () => {
  const server = await startServer({ from: sampleData });
  try {
    for (const proof of ["", "1", "x".repeat(43), "x".repeat(5000)]) {
      const reply = await fetch(`${server.url}/healthz`, { headers: { "x-sealdesk-command": proof } });
      expect(await reply.text()).toMatch(/^ok/);
    }
  } finally {
    await server.stop();
  }
});

test("in front of another provider it checks what is this server's own", async () => {
  const provider = await startServer({ from: sampleData });
  const data = mkdtempSync(join(tmpdir(), "sealdesk-doctor-"));
  const env = { PROVIDER_URL: provider.url, DISK_RESERVE_MB: "0" };
  const server = await startServer({ on: data, env });
  const settings: Settings = { ...env, DATA_DIR: data, PORT: String(server.port) };
  try {
    await until(async () => (await examine(settings)).of("jobs").state === "ok", "the worker's first jobs");
    const { exitCode, checks, failed } = await examine(settings);
    expect([exitCode, failed]).toEqual([0, []]);
    const names = "address proxies readiness database schema files jobs clock disk memory";
    expect(checks.map(({ name }) => name)).toEqual(names.split(" "));
  } finally {
    await server.stop();
    await provider.stop();
    rmSync(data, { recursive: true });
  }
});
