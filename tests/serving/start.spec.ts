import { existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { once } from "node:events";
import { createServer } from "node:net";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { runCommand, secrets } from "../support/command.ts";
import { onServer, startOwnPostgres, urlOf } from "../support/postgres.ts";
import { childrenOf, outputs, startServer, until } from "../support/server.ts";
import { expect, test } from "../support/serving.ts";

/** The built files that a server loads as it starts, with their code, and the packages that they import. */
function loadedAtStart() {
  const files = new Map<string, string>();
  const packages = new Set<string>();
  const load = (file: string) => {
    if (files.has(file)) return;
    const code = readFileSync(file, "utf8");
    files.set(file, code);
    for (const [, name] of code.matchAll(/^(?:import|export)\b[^;"]*"([^"]+)";/gm)) {
      if (name!.startsWith(".")) load(join(dirname(file), name!));
      else packages.add(name!);
    }
  };
  load("build/server/index.js");
  return { files, packages };
}

test("a server starts without the packages that few servers or pages need", () => {
  const { files, packages } = loadedAtStart();
  expect([...packages]).toContain("better-sqlite3");
  expect(packages).not.toContain("@cantoo/pdf-lib");
  expect(packages).not.toContain("@simplewebauthn/server");
  expect(packages).not.toContain("pg");
  expect(packages).not.toContain("nodemailer");
  expect([...packages].filter((name) => name.startsWith("@opentelemetry/"))).toEqual(["@opentelemetry/api"]);
  // Nodemailer, which is bundled.
  expect([...files.values()].some((code) => code.includes("STARTTLS"))).toBe(false);
});

test("the programs of a server's processes and threads are where it looks for them", () => {
  const programs = [...loadedAtStart().files].flatMap(([file, code]) =>
    [...code.matchAll(/"(\.\/[\w-]+\.js)", import\.meta\.url/g)].map(([, name]) => join(dirname(file), name!)),
  );
  expect(programs.length).toBe(3);
  expect(programs.filter((program) => !existsSync(program))).toEqual([]);
});

test("a server has a process for page work before the first page needs it", async () => {
  const server = await startServer();
  const names = () => childrenOf(server.process.pid!).map((pid) => readFileSync(`/proc/${pid}/comm`, "utf8").trim());
  try {
    // Linux keeps fifteen characters of a name.
    await until(() => names().includes("sealdesk page w"));
  } finally {
    await server.stop();
  }
});

test("a port in use stops server and worker with one sentence", async () => {
  const taken = createServer().listen(0, "127.0.0.1");
  await once(taken, "listening");
  const { port } = taken.address() as { port: number };
  const sentence = `PORT, HOST: port ${port} of 127.0.0.1 is in use.`;
  const refused = await startServer({ env: { PORT: String(port) } }).catch(({ message }: Error) => message);
  expect(refused).toMatch(/^The server ended: \{.*\}\n$/);
  expect(refused).toContain(`"msg":"${sentence}"}`);
  const postgres = await startOwnPostgres();
  if (!("missing" in postgres)) {
    const stores = {
      DATA_DIR: "unused",
      DATABASE_URL: postgres.url,
      ...secrets,
      PORT: String(port),
      LOG_LEVEL: "warn",
    };
    expect(await runCommand(stores, "worker")).toMatchObject({ exitCode: 1, stderr: `${sentence}\n` });
    postgres.stop();
  }
  taken.close();
});

test("a server waits for a database that is away, says so, and starts once it is there", async () => {
  const postgres = await startOwnPostgres();
  test.skip("missing" in postgres, "there is no PostgreSQL here");
  if ("missing" in postgres) return;
  postgres.crash();
  const heard = outputs.length;
  const starting = startServer({ env: { DATABASE_URL: postgres.url, ...secrets } });
  await until(() => outputs.slice(heard).some((output) => output().includes("database unreachable, trying again")));
  postgres.resume();
  const server = await starting;
  expect((await fetch(`${server.url}/readyz`)).status).toBe(200);
  expect(server.errors().match(/database unreachable/g)).toHaveLength(1);
  await server.stop();
  postgres.stop();
});

test("a server waits for a database that is still to be created", async () => {
  const postgres = await startOwnPostgres();
  test.skip("missing" in postgres, "there is no PostgreSQL here");
  if ("missing" in postgres) return;
  const heard = outputs.length;
  const starting = startServer({ env: { DATABASE_URL: urlOf(postgres.url, "later"), LOG_LEVEL: "info", ...secrets } });
  await until(() => outputs.slice(heard).some((output) => output().includes("database missing, trying again")));
  // It ends no process that starts.
  process.kill(childrenOf(process.pid).at(-1)!, "SIGHUP");
  await onServer(postgres.url, "create database later");
  const server = await starting;
  expect((await fetch(`${server.url}/readyz`)).status).toBe(200);
  await until(() => server.errors().includes("settings read again"));
  await server.stop();
  postgres.stop();
});

test("the first line of the log names the build, and misspelt settings are warned of", async () => {
  const server = await startServer({ env: { LOG_LEVEL: "info", SMPT_URL: "smtp://mail.example" } });
  const [first, second] = server.errors().split("\n");
  expect(JSON.parse(first!)).toMatchObject({
    msg: "Sealdesk starts",
    version: "1.0.0",
    commit: expect.stringMatching(/^[0-9a-f]{12}$/),
  });
  expect(JSON.parse(second!)).toMatchObject({ level: 40, msg: "there is no setting SMPT_URL: is SMTP_URL meant?" });
  expect(server.errors()).toContain('"msg":"database migrated"');
  await server.stop();
});

test("on SIGHUP a server and its worker read LOG_LEVEL again, and keep what they have if a setting is wrong", async () => {
  const folder = mkdtempSync(join(tmpdir(), "sealdesk-settings-"));
  const LOG_LEVEL_FILE = join(folder, "log-level");
  writeFileSync(LOG_LEVEL_FILE, "silent");
  const server = await startServer({ env: { LOG_LEVEL_FILE } });
  const timesLogged = (words: string) => server.errors().split(words).length - 1;
  await until(() => childrenOf(server.process.pid!).length >= 2, "the worker");
  expect(server.errors()).toBe("");
  writeFileSync(LOG_LEVEL_FILE, "info\n");
  await until(() => {
    server.process.kill("SIGHUP");
    return timesLogged('"role":"worker","LOG_LEVEL":"info","msg":"settings read again"') > 0;
  }, "the worker to read its settings");
  expect(timesLogged('"msg":"settings read again"')).toBeGreaterThan(1);
  writeFileSync(LOG_LEVEL_FILE, "loud");
  server.process.kill("SIGHUP");
  await until(() => timesLogged('"msg":"settings not read again"') > 0, "the refusal");
  expect(server.errors()).toContain("LOG_LEVEL: ");
  expect((await fetch(`${server.url}/healthz`)).status).toBe(200);
  await server.stop();
  rmSync(folder, { recursive: true });
});
