import { execFileSync, spawn } from "node:child_process";
import { once } from "node:events";
import { appendFileSync, chownSync, mkdirSync, mkdtempSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { delimiter, join } from "node:path";
import { expect, test } from "@playwright/test";
import { environment } from "#lib/config.ts";
import { runCommand, secrets } from "../support/command.ts";
import { signInClient } from "../support/form-client.ts";
import { findBinaries, freePort, onServer, serverAccount } from "../support/postgres.ts";
import { seed } from "../support/sample.ts";
import { startServer, until } from "../support/server.ts";

const guide = readFileSync(join(import.meta.dirname, "..", "..", "docs/running/restoring.md"), "utf8");
const [copyBase, putBack] = [...guide.matchAll(/^( *)```bash\n([^]*?)^ *```$/gm)].map(([, indent, block]) =>
  block!.replaceAll(new RegExp(`^${indent}`, "gm"), ""),
) as [string, string];
const archiving = guide.match(/^ {6}archive_.*$/gm)!.join("\n");

/** A machine with PostgreSQL as the guide sets it up, and a folder for the copy that the guide calls `/copy`. */
async function start() {
  const [binaries, account] = [findBinaries(), serverAccount()];
  if (!binaries || !account) return undefined;
  const machine = mkdtempSync(join(tmpdir(), "sealdesk-moment-"));
  const [PGDATA, copy, port] = [join(machine, "pg"), join(machine, "copy"), await freePort()];
  for (const folder of [machine, PGDATA, copy, join(copy, "wal")]) {
    mkdirSync(folder, { recursive: true, mode: 0o700 });
    chownSync(folder, account.uid, account.gid);
  }
  const url = `postgres://sealdesk@127.0.0.1:${port}/postgres`;
  const inGuide = (text: string) => text.replaceAll("/copy/", `${copy}/`);
  const run = async (script: string, MOMENT = "") => {
    const PATH = [binaries, environment.PATH].join(delimiter);
    const child = spawn("bash", ["-euo", "pipefail", "-c", inGuide(script)], {
      ...account,
      cwd: machine,
      env: { PATH, PGDATA, DATABASE_URL: url, MOMENT },
      // A server that it starts would keep pipes open.
      stdio: "ignore",
    });
    expect(await once(child, "exit")).toEqual([0, null]);
  };
  const pgCtl = (...args: string[]) =>
    execFileSync(join(binaries, "pg_ctl"), ["-D", PGDATA, "-w", ...args], {
      ...account,
      cwd: machine,
      stdio: "ignore",
    });
  execFileSync(
    join(binaries, "initdb"),
    ["-D", PGDATA, "-U", "sealdesk", "-A", "trust", "-E", "UTF8", "--locale=C.UTF-8"],
    { ...account, cwd: machine, stdio: "ignore" },
  );
  const place = `listen_addresses = '127.0.0.1'\nunix_socket_directories = ''\nport = ${port}\n`;
  appendFileSync(join(PGDATA, "postgresql.conf"), `${inGuide(archiving)}\n${place}logging_collector = on\n`);
  pgCtl("start");
  return {
    env: { DATABASE_URL: url, DATA_DIR: join(machine, "data"), ...secrets },
    run,
    destroy() {
      pgCtl("-m", "immediate", "stop");
      rmSync(PGDATA, { recursive: true });
      mkdirSync(PGDATA, { mode: 0o700 });
      chownSync(PGDATA, account.uid, account.gid);
    },
    end() {
      pgCtl("-m", "immediate", "stop");
      rmSync(machine, { recursive: true });
    },
  };
}

const later = { name: "Lara Later", email: "lara@hallam.example", staff: "Accountant" };
const earlier = { name: "Edda Earlier", email: "edda@hallam.example", staff: "Accountant" };

test("PostgreSQL goes back to a point in time by the guide's own commands", async () => {
  test.setTimeout(15 * 60_000);
  const machine = await start();
  test.skip(!machine, "PostgreSQL's programs or a user named postgres are missing");
  const { env, run, destroy, end } = machine!;
  const value = async (query: string) => Object.values((await onServer(env.DATABASE_URL, query))[0] ?? {})[0];
  const usersNamed = (name: string) => value(`select count(*)::integer as n from users where name = '${name}'`);
  try {
    await seed(env);
    for (let copies = 0; copies < 2; copies++) await run(copyBase);
    const server = await startServer({ on: env.DATA_DIR, env });
    const client = await signInClient(server.url);
    expect((await client.post("/users/new", earlier)).status).toBe(302);
    const moment = String(await value("select clock_timestamp()::text as at"));
    expect((await client.post("/users/new", later)).status).toBe(302);
    await server.stop();
    const segment = await value("select pg_walfile_name(pg_switch_wal()) as segment");
    const isArchived = async () => (await value("select last_archived_wal from pg_stat_archiver")) === segment;
    await until(isArchived, "the log in the archive");
    destroy();

    await run(putBack, moment);
    expect([await usersNamed(earlier.name), await usersNamed(later.name)]).toEqual([1, 0]);
    expect((await runCommand(env, "after-restore")).exitCode).toBe(0);
    const currentSegment = () => value("select pg_walfile_name(pg_current_wal_lsn()) as segment");
    const restored = await currentSegment();
    await until(async () => (await currentSegment()) !== restored, "the new log to be archived");
    expect((await runCommand(env, "verify")).stdout).toContain("No fault.");
    await run(copyBase);
    const again = await startServer({ on: env.DATA_DIR, env });
    expect((await (await signInClient(again.url)).post("/users/new", later)).status).toBe(302);
    await again.stop();
  } finally {
    end();
  }
});
