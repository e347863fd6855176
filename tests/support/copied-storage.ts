import { type ChildProcess, execFileSync, spawn } from "node:child_process";
import { chownSync, existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { delimiter, join } from "node:path";
import Sqlite from "better-sqlite3";
import { environment } from "#lib/config.ts";
import { secrets } from "./command.ts";
import { findBinaries, freePort, onServer, serverAccount } from "./postgres.ts";
import { startS3 } from "./s3.ts";
import { seed } from "./sample.ts";
import { childrenOf, until } from "./server.ts";

/** A machine whose database another program copies, with its files in a bucket. */
export type CopiedStorage = {
  env: Record<string, string>;
  /** What the copier does if it hangs: nothing, without a word. */
  freezeCopier(): void;
  wakeCopier(): void;
  /** Ends all programs of the machine, and deletes what it had. The server is ended before. */
  destroy(): void;
  /** Makes another machine from the copy, whose database is copied again; with Litestream as of a moment. */
  restore(moment?: Date): Promise<void>;
  /** The first column of a query's rows. */
  values(query: string): Promise<unknown[]>;
  end(): Promise<void>;
};

type Missing = { missing: string };

const root = join(import.meta.dirname, "..", "..");
const quiet: { stdio: ("ignore" | "pipe")[] } = { stdio: ["ignore", "ignore", "pipe"] };

/** The program in PATH, or of its npm package for Linux. */
const litestream = () =>
  [...(environment.PATH ?? "").split(delimiter), join(root, "node_modules/@flydotio/litestream-linux-x64")]
    .map((folder) => join(folder, "litestream"))
    .find(existsSync);

/** Litestream copies into another folder. */
async function onLitestream(): Promise<CopiedStorage | Missing> {
  const program = litestream();
  if (!program) return { missing: "Litestream is not here" };
  const [machine, copy, s3] = [
    join(mkdtempSync(join(tmpdir(), "sealdesk-machine-")), "data"),
    newFolder(),
    await startS3(),
  ];
  const env = { DATA_DIR: machine, COPY_TO: copy, ...secrets, ...s3.env };
  await seed(env);
  const database = join(machine, "sealdesk.db");
  let copier: ChildProcess;
  const startCopier = () => {
    copier = spawn(program, ["replicate", database, `file://${copy}`], { stdio: "ignore" });
  };
  startCopier();
  return {
    env,
    freezeCopier: () => copier.kill("SIGSTOP"),
    wakeCopier: () => copier.kill("SIGCONT"),
    destroy() {
      copier.kill("SIGKILL");
      rmSync(machine, { recursive: true, maxRetries: 50 });
    },
    async restore(moment) {
      mkdirSync(machine, { recursive: true, mode: 0o700 });
      const at = moment ? ["-timestamp", moment.toISOString()] : [];
      execFileSync(program, ["restore", ...at, "-o", database, `file://${copy}`], quiet);
      startCopier();
    },
    async values(query) {
      const sqlite = new Sqlite(database, { readonly: true });
      return sqlite.prepare(query).pluck().all();
    },
    async end() {
      copier.kill("SIGKILL");
      for (const folder of [machine, copy]) rmSync(folder, { recursive: true, force: true });
      await s3.stop();
    },
  };
}

const newFolder = () => mkdtempSync(join(tmpdir(), "sealdesk-copy-"));

/** PostgreSQL archives its log into another folder, which also has a base backup. */
async function onArchive(): Promise<CopiedStorage | Missing> {
  const [binaries, account] = [findBinaries(), serverAccount()];
  if (!binaries || !account) return { missing: "PostgreSQL's programs or a user named postgres" };
  const [machine, copy, s3, port] = [newFolder(), newFolder(), await startS3(), await freePort()];
  for (const folder of [machine, copy]) chownSync(folder, account.uid, account.gid);
  const [data, base, archive] = [join(machine, "data"), join(copy, "base"), join(copy, "wal")];
  const run = (program: string, ...args: string[]) =>
    execFileSync(join(binaries, program), args, { ...account, cwd: copy, ...quiet });
  run("initdb", "-D", data, "-U", "sealdesk", "-A", "trust", "-E", "UTF8", "--locale=C.UTF-8");
  mkdirSync(archive);
  chownSync(archive, account.uid, account.gid);
  const frozen = join(copy, "frozen");
  const parameters = {
    archive_mode: "on",
    archive_timeout: "5s",
    archive_command: `test ! -e ${frozen} && gzip < %p > ${archive}/%f.part && mv ${archive}/%f.part ${archive}/%f.gz`,
    restore_command: `gunzip < ${archive}/%f.gz > %p`,
    listen_addresses: "127.0.0.1",
    unix_socket_directories: "",
    port: String(port),
  };
  const lines = Object.entries(parameters).map(([name, value]) => `${name} = '${value}'\n`);
  writeFileSync(join(data, "postgresql.auto.conf"), lines.join(""));
  const control = (...args: string[]) =>
    run("pg_ctl", "-D", data, "-w", "-t", "300", "-l", join(machine, "log"), ...args);
  const start = () => control("start");
  // Its children would hold the port for a moment longer. A zombie of it would hold a socket file for ever: there is none.
  const kill = () => {
    const postmaster = Number(readFileSync(join(data, "postmaster.pid"), "utf8").split("\n")[0]);
    for (const pid of [postmaster, ...childrenOf(postmaster)]) process.kill(pid, "SIGKILL");
  };
  start();
  const url = `postgres://sealdesk@127.0.0.1:${port}/postgres`;
  const env = { DATABASE_URL: url, DATA_DIR: newFolder(), COPY_TO: archive, ...secrets, ...s3.env };
  await seed(env);
  run("pg_basebackup", "-d", url, "-D", base, "--checkpoint=fast");
  return {
    env,
    freezeCopier: () => writeFileSync(frozen, ""),
    wakeCopier: () => rmSync(frozen),
    destroy() {
      kill();
      rmSync(data, { recursive: true, maxRetries: 50 });
    },
    async restore() {
      execFileSync("cp", ["-a", base, data]);
      writeFileSync(join(data, "recovery.signal"), "");
      chownSync(join(data, "recovery.signal"), account.uid, account.gid);
      try {
        start();
      } catch (error) {
        throw new Error(readFileSync(join(machine, "log"), "utf8").slice(-2000), { cause: error });
      }
      const isOver = async () =>
        (await onServer(url, "select pg_is_in_recovery() as going")).every(({ going }) => !going);
      await until(isOver, "the end of the recovery");
      // Else the archive would get nothing for five minutes.
      control("reload");
    },
    values: async (query) => (await onServer(url, query)).map((row) => Object.values(row)[0]),
    async end() {
      if (existsSync(join(data, "postmaster.pid"))) kill();
      for (const folder of [machine, copy, env.DATA_DIR]) {
        rmSync(folder, { recursive: true, force: true, maxRetries: 50 });
      }
      await s3.stop();
    },
  };
}

export const copiedStorages = { "SQLite by Litestream": onLitestream, "PostgreSQL by its archive": onArchive };
