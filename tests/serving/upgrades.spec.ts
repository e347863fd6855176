import { spawn } from "node:child_process";
import { expect, test } from "@playwright/test";
import { environment } from "#lib/config.ts";
import { startBalancer } from "../support/balancer.ts";
import { resultOf, runCommand } from "../support/command.ts";
import { addPages, codeOf, create, type FormClient, signInClient, startDraft } from "../support/form-client.ts";
import { lastMigration, makeNextVersion, nextMigration } from "../support/next-version.ts";
import { asUpload, picture } from "../support/page-files.ts";
import { startPgbouncer } from "../support/pgbouncer.ts";
import { freePort, onServer } from "../support/postgres.ts";
import { samplePostgresAndS3 } from "../support/postgres-s3.ts";
import { startServer, until } from "../support/server.ts";

test.describe.configure({ mode: "parallel" });

const newer = "The database comes from a newer Sealdesk than this one";
const addOfTomorrow = "insert into provider_migrations values ('999_of_tomorrow', '2030-01-01')";

/** Reads and issues until it is stopped; returns what was not answered as it should be. */
async function useUntil(client: FormClient, isDone: () => boolean) {
  const failed: string[] = [];
  let issued = 0;
  const page = asUpload(await picture("page.png"));
  const code = await codeOf(client, "/documents/1");
  while (!isDone()) {
    try {
      for (const path of ["/documents/list", "/dashboard", `/v/${code}`]) {
        const { status } = await client.get(path);
        if (status !== 200) failed.push(`${path}: ${status}`);
      }
      const draft = await startDraft(client, "Issued during the upgrade");
      await addPages(client, draft, [page]);
      await create(client, draft);
      issued++;
    } catch (error) {
      failed.push(String(error));
    }
  }
  return { failed, issued };
}

test("two processes are upgraded one after the other, under load, without a failed request or a wrong counter", async () => {
  const sample = await samplePostgresAndS3();
  test.skip(!sample, "there is no PostgreSQL here");
  const next = makeNextVersion();
  const port = await freePort();
  const url = `http://localhost:${port}`;
  const env: Record<string, string> = { ...sample!.env, PUBLIC_URL: url, TRUSTED_PROXIES: "1" };
  const servers = await Promise.all([startServer({ env }), startServer({ env })]);
  const ports = servers.map((server) => server.port);
  const balancer = await startBalancer(port, ports, { pollsReadiness: true });
  const client = await signInClient(url);
  let isDone = false;
  const users = [client, client].map((user) => useUntil(user, () => isDone));
  const here = { ...env, DATA_DIR: servers[0]!.data };
  const run = async (...args: string[]) => {
    const command = spawn(process.execPath, [next.cli, ...args], { env: { ...environment, ...here }, stdio: "pipe" });
    return resultOf(command);
  };
  expect(await run("migrate", "--check")).toMatchObject({ exitCode: 3, stdout: `provider: ${nextMigration}\n` });
  const migrated = await run("migrate");
  expect([migrated.exitCode, migrated.stderr]).toEqual([0, expect.stringContaining(`"from":"${lastMigration}"`)]);
  const issuedBy = async (origin: string) => {
    const rows = await onServer(env.DATABASE_URL!, `select count(*) as n from documents where origin = '${origin}'`);
    return Number(rows[0]!.n);
  };
  const before = await issuedBy("before");
  await until(async () => (await issuedBy("before")) > before, "the version before to issue into the new tables");
  for (const [n, old] of servers.entries()) {
    const replacement = await startServer({ env, build: next.build });
    [servers[n], ports[n]] = [replacement, replacement.port];
    await old.stop();
  }
  await until(async () => (await issuedBy("next")) > 1, "the new version to issue");
  isDone = true;
  const used = await Promise.all(users);
  expect(used.flatMap(({ failed }) => failed)).toEqual([]);
  const verified = await run("verify");
  expect([verified.exitCode, verified.stdout]).toEqual([0, expect.stringContaining("No fault.")]);
  balancer.closeAllConnections();
  balancer.close();
  for (const server of servers) {
    expect(server.errors()).not.toContain('"level":50');
    await server.stop();
  }
  next.remove();
  await sample!.drop();
});

test("a server and a worker that find tables of an unknown version end with one sentence, and don't start on them", async () => {
  const sample = await samplePostgresAndS3();
  test.skip(!sample, "there is no PostgreSQL here");
  const { env } = sample!;
  const server = await startServer({ env });
  const settings = { ...environment, ...env, PORT: String(await freePort()), DATA_DIR: server.data };
  const worker = resultOf(spawn(process.execPath, ["build/server/cli.js", "worker"], { env: settings, stdio: "pipe" }));
  await until(
    async () => (await fetch(`http://localhost:${settings.PORT}/healthz`).catch(() => undefined))?.ok === true,
  );
  const ended = new Promise((resolve) => server.process.once("exit", resolve));
  await onServer(env.DATABASE_URL!, addOfTomorrow);
  expect(await ended).toBe(1);
  expect(server.errors()).toContain(`${newer} (1.0.0): provider, 999_of_tomorrow. Use that version`);
  const { exitCode, stderr } = await worker;
  expect([exitCode, stderr]).toEqual([1, expect.stringContaining(newer)]);
  const refused = await startServer({ env }).catch((error: Error) => error.message);
  expect(refused).toContain(`${newer} (1.0.0): provider, 999_of_tomorrow.`);
  expect(refused).not.toContain(" at ");
  expect(await runCommand({ ...env, DATA_DIR: server.data }, "migrate", "--check")).toMatchObject({
    exitCode: 1,
    stderr: expect.stringContaining(newer),
  });
  await server.stop();
  await sample!.drop();
});

test("processes behind PgBouncer in transaction mode start, issue and leave no lock behind", async () => {
  const sample = await samplePostgresAndS3();
  test.skip(!sample, "there is no PostgreSQL here");
  const pooler = await startPgbouncer(sample!.env.DATABASE_URL!);
  test.skip(!pooler, "needs Debian's package pgbouncer");
  const env = { ...sample!.env, DATABASE_URL: pooler!.url };
  const servers = await Promise.all([startServer({ env }), startServer({ env })]);
  const page = asUpload(await picture("page.png"));
  await Promise.all(
    servers.map(async ({ url }) => {
      const client = await signInClient(url);
      for (let n = 0; n < 3; n++) {
        const draft = await startDraft(client, "Issued through a pooler");
        await addPages(client, draft, [page]);
        expect(await create(client, draft)).toMatch(/^\/documents\/\d+$/);
      }
    }),
  );
  const locks = "select count(*) as n from pg_locks where locktype = 'advisory' and pid <> pg_backend_pid()";
  await until(async () => Number((await onServer(sample!.env.DATABASE_URL!, locks))[0]!.n) === 0, "no advisory lock");
  // Directly, and through the pooler.
  for (const DATABASE_URL of [sample!.env.DATABASE_URL!, pooler!.url]) {
    const stores = { ...env, DATABASE_URL, DATA_DIR: servers[0]!.data };
    expect((await runCommand(stores, "seal-keys", "list")).exitCode).toBe(0);
    expect((await runCommand(stores, "verify")).stdout).toContain("No fault.");
  }
  for (const server of servers) {
    expect(server.errors()).not.toContain('"level":50');
    await server.stop();
  }
  await pooler!.stop();
  await sample!.drop();
});
