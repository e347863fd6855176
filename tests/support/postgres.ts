import { execFileSync, spawnSync } from "node:child_process";
import { randomInt } from "node:crypto";
import { chownSync, existsSync, mkdtempSync, readdirSync, rmSync } from "node:fs";
import { createServer } from "node:net";
import { tmpdir, userInfo } from "node:os";
import { delimiter, join } from "node:path";
import { environment } from "#lib/config.ts";
import { settings } from "./settings.ts";

export { newDatabase, onServer, urlOf } from "../fixtures/postgres.ts";

/** A PostgreSQL server for tests: the one that `TEST_DATABASE_URL` names, or one started from this machine's binaries. */
export type TestPostgres = {
  url: string;
  /** Ends it at once, as a crash does; what it has is kept. Only of one that was started here. */
  crash(): void;
  /** Starts it again. */
  resume(): void;
  stop(): void;
};

/** Undefined if no PostgreSQL can be had, with the reason. */
export async function startPostgres(): Promise<TestPostgres | { missing: string }> {
  const notOurs = () => {
    throw new Error("A PostgreSQL server that is not ours is not to be stopped");
  };
  const url = settings.databaseUrl;
  return url ? { url, crash: notOurs, resume: notOurs, stop: () => {} } : startOwnPostgres();
}

/** One from this machine's binaries, which can be stopped and started again. */
export async function startOwnPostgres(): Promise<TestPostgres | { missing: string }> {
  const binaries = findBinaries();
  if (!binaries) return { missing: "neither TEST_DATABASE_URL nor PostgreSQL's binaries were found" };
  const account = serverAccount();
  if (!account) return { missing: "PostgreSQL does not run as root, and there is no user named postgres" };

  const directory = mkdtempSync(join(tmpdir(), "sealdesk-postgres-"));
  chownSync(directory, account.uid, account.gid);
  const run = (program: string, ...args: string[]) =>
    execFileSync(join(binaries, program), args, { ...account, cwd: directory, stdio: ["ignore", "ignore", "pipe"] });
  const data = join(directory, "data");
  const port = await freePort();
  run("initdb", "-D", data, "-U", "sealdesk", "-A", "trust", "-E", "UTF8", "--locale=C.UTF-8");
  // Tests need no promise that data outlives the machine.
  const parameters = ["listen_addresses=127.0.0.1", "fsync=off", "full_page_writes=off", "max_connections=200"];
  const options = [`-p ${port} -k ${directory}`, ...parameters.map((parameter) => `-c ${parameter}`)].join(" ");
  const start = () => run("pg_ctl", "-D", data, "-w", "-l", join(directory, "log"), "-o", options, "start");
  const crash = () => run("pg_ctl", "-D", data, "-w", "-m", "immediate", "stop");
  start();
  const stop = () => {
    process.off("exit", stop);
    spawnSync(join(binaries, "pg_ctl"), ["-D", data, "-w", "-m", "immediate", "stop"], { ...account, cwd: directory });
    rmSync(directory, { recursive: true, force: true });
  };
  // A test that fails may not come to stopping it.
  process.once("exit", stop);
  return {
    crash,
    resume: start,
    url: `postgres://sealdesk@127.0.0.1:${port}/postgres`,
    stop,
  };
}

export function findBinaries() {
  const versions = "/usr/lib/postgresql";
  const debian = existsSync(versions)
    ? readdirSync(versions)
        .toSorted((a, b) => Number(b) - Number(a))
        .map((version) => join(versions, version, "bin"))
    : [];
  const folders = [...debian, ...(environment.PATH ?? "").split(delimiter)];
  return folders.find((folder) => existsSync(join(folder, "initdb")) && existsSync(join(folder, "pg_ctl")));
}

/** Whom the server runs as: us, or the user `postgres` if we are root. */
export function serverAccount() {
  const { uid, gid } = userInfo();
  if (uid !== 0) return { uid, gid };
  try {
    const id = (flag: string) =>
      Number(execFileSync("id", [flag, "postgres"], { stdio: ["ignore", "pipe", "ignore"] }));
    return { uid: id("-u"), gid: id("-g") };
  } catch {
    return undefined;
  }
}

/** A free port. It is below those that Linux gives to clients, so that none takes it before its server listens. */
export async function freePort(): Promise<number> {
  // Clients begin at 32768; 10080 is the last that browsers refuse.
  const port = randomInt(10_081, 32_768);
  const server = createServer();
  const isFree = await new Promise<boolean>((resolve) => {
    server.once("error", () => resolve(false)).listen(port, "127.0.0.1", () => resolve(true));
  });
  if (!isFree) return freePort();
  await new Promise((resolve) => server.close(resolve));
  return port;
}
