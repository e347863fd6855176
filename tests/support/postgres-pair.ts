import { type ChildProcess, execFileSync, spawn } from "node:child_process";
import { chownSync, existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { findBinaries, freePort, serverAccount } from "./postgres.ts";
import { until } from "./server.ts";

/**
 * A PostgreSQL primary and its synchronous standby, as operators run them: each beside Patroni, whose lock is in etcd, and
 * HAProxy before both, which leads to the one that accepts writes. All of it from this machine's programs.
 */
export type PostgresPair = {
  /** Of HAProxy. */
  url: string;
  /** The name of the primary; undefined while there is none. */
  primary(): Promise<string | undefined>;
  /** Waits until a standby confirms what the primary commits. */
  inSync(): Promise<void>;
  /** Ends the primary's machine at once, or lets it stand still. Waking it ends when it knows that it is no primary. */
  lose(how: "killed" | "frozen"): Promise<{ wake(): Promise<void> }>;
  stop(): Promise<void>;
};

type Member = { name: string; port: number; rest: number; process: ChildProcess; data: string };

const programs = ["etcd", "patroni", "haproxy"];

/** With the names of what this machine lacks, if it lacks something. */
export async function startPostgresPair(): Promise<PostgresPair | { missing: string }> {
  const lacking = programs.filter((name) => !pathOf(name));
  const [binaries, account] = [findBinaries(), serverAccount()];
  if (lacking.length > 0 || !binaries || !account) return { missing: [...lacking, "postgresql"].join(", ") };
  const folder = mkdtempSync(join(tmpdir(), "sealdesk-pair-"));
  chownSync(folder, account.uid, account.gid);
  const [started, members]: [ChildProcess[], Member[]] = [[], []];
  const run = (name: string, ...args: string[]) => {
    const child = spawn(pathOf(name)!, args, { ...account, cwd: folder, stdio: "ignore", detached: true });
    started.push(child);
    return child;
  };
  const end = () => {
    for (const { pid } of started) if (pid) killTree(pid, "SIGKILL");
    for (const { data } of members) if (existsSync(pidFile(data))) killTree(postmasterOf(data), "SIGKILL");
  };
  process.once("exit", end);

  const store = await startEtcd(folder, run);
  for (const name of ["a", "b"]) {
    const [port, rest] = [await freePort(), await freePort()];
    const data = join(folder, name);
    const settings = memberSettings({ name, port, rest, data, folder, binaries, store });
    writeFileSync(`${data}.yml`, JSON.stringify(settings));
    members.push({ name, port, rest, data, process: run("patroni", `${data}.yml`) });
    await until(
      async () => (await fetch(`http://127.0.0.1:${rest}/health`).catch(() => undefined))?.ok ?? false,
      `PostgreSQL ${name}`,
    );
  }
  const port = await startProxy(folder, members, run);
  const { primary, inSync } = watching(members);
  return {
    url: `postgres://sealdesk@127.0.0.1:${port}/postgres`,
    primary,
    inSync,
    async lose(how) {
      const name = await primary();
      const { process: patroni, data, rest } = members.find((member) => member.name === name)!;
      const trees = [patroni.pid!, postmasterOf(data)];
      const signal = (which: NodeJS.Signals) => trees.forEach((pid) => killTree(pid, which));
      signal(how === "killed" ? "SIGKILL" : "SIGSTOP");
      return {
        async wake() {
          if (how === "killed") return;
          signal("SIGCONT");
          await until(async () => (await request(rest, "primary"))?.status === 503, "the old primary to step down");
        },
      };
    },
    async stop() {
      process.off("exit", end);
      end();
      rmSync(folder, { recursive: true, force: true });
    },
  };
}

type Run = (name: string, ...args: string[]) => ChildProcess;

async function startEtcd(folder: string, run: Run) {
  const [clients, peers] = [await freePort(), await freePort()];
  const [at, beside] = [`http://127.0.0.1:${clients}`, `http://127.0.0.1:${peers}`];
  run(
    "etcd",
    "--name=one",
    "--enable-v2=true",
    `--data-dir=${join(folder, "etcd")}`,
    `--listen-client-urls=${at}`,
    `--advertise-client-urls=${at}`,
    `--listen-peer-urls=${beside}`,
    `--initial-advertise-peer-urls=${beside}`,
    `--initial-cluster=one=${beside}`,
  );
  await until(async () => (await fetch(`${at}/health`).catch(() => undefined))?.ok ?? false);
  return `127.0.0.1:${clients}`;
}

type MemberPlace = {
  name: string;
  port: number;
  rest: number;
  data: string;
  folder: string;
  binaries: string;
  store: string;
};

/** Patroni reads YAML, a superset of JSON. */
function memberSettings({ name, port, rest, data, folder, binaries, store }: MemberPlace) {
  const trusted = (database: string) => `host ${database} all 127.0.0.1/32 trust`;
  return {
    scope: "sealdesk",
    name,
    // By its second protocol: by the third, Patroni 3.0 lets a primary that was frozen take its place back.
    etcd: { host: store },
    restapi: { listen: `127.0.0.1:${rest}`, connect_address: `127.0.0.1:${rest}` },
    bootstrap: {
      dcs: {
        // The shortest that Patroni allows: after 20 seconds without a sign of the primary, the standby takes over.
        ttl: 20,
        loop_wait: 1,
        retry_timeout: 3,
        synchronous_mode: true,
        postgresql: { use_pg_rewind: true, parameters: { max_connections: 100, wal_log_hints: "on" } },
      },
      initdb: [{ encoding: "UTF8" }, { locale: "C.UTF-8" }],
      pg_hba: [trusted("all"), trusted("replication")],
    },
    postgresql: {
      listen: `127.0.0.1:${port}`,
      connect_address: `127.0.0.1:${port}`,
      data_dir: data,
      bin_dir: binaries,
      pgpass: `${data}.pgpass`,
      authentication: { superuser: { username: "sealdesk" }, replication: { username: "replicator" } },
      parameters: { unix_socket_directories: folder },
    },
  };
}

async function startProxy(folder: string, members: Member[], run: Run): Promise<number> {
  const port = await freePort();
  const servers = members.map(({ name, port, rest }) => `  server ${name} 127.0.0.1:${port} check port ${rest}`);
  const file = join(folder, "haproxy.cfg");
  const lines = [
    "defaults",
    "  mode tcp",
    "  timeout connect 2s",
    "  timeout client 1h",
    "  timeout server 1h",
    "listen postgres",
    `  bind 127.0.0.1:${port}`,
    "  option httpchk OPTIONS /primary",
    "  http-check expect status 200",
    "  default-server inter 1s fall 2 rise 1 on-marked-down shutdown-sessions",
    ...servers,
  ];
  writeFileSync(file, `${lines.join("\n")}\n`);
  run("haproxy", "-f", file);
  return port;
}

function watching(members: Member[]) {
  const withStatus = async (path: string) => {
    const answers = await Promise.all(
      members.map(async ({ name, rest }) => ({ name, ok: (await request(rest, path))?.ok })),
    );
    return answers.filter(({ ok }) => ok).map(({ name }) => name);
  };
  return {
    primary: async () => (await withStatus("primary"))[0],
    inSync: () => until(async () => (await withStatus("sync")).length === 1, "a standby in sync"),
  };
}

/** What Patroni says of its member; undefined if it says nothing. */
const request = (rest: number, path: string) =>
  fetch(`http://127.0.0.1:${rest}/${path}`, { signal: AbortSignal.timeout(2000) }).catch(() => undefined);

const pidFile = (data: string) => join(data, "postmaster.pid");
const postmasterOf = (data: string) => Number(readFileSync(pidFile(data), "utf8").split("\n")[0]);

/** A signal to a process and all that it began. */
function killTree(pid: number, signal: NodeJS.Signals) {
  for (const child of childrenOf(pid)) killTree(child, signal);
  try {
    process.kill(pid, signal);
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== "ESRCH") throw error;
  }
}

const childrenOf = (pid: number) => {
  try {
    return readFileSync(`/proc/${pid}/task/${pid}/children`, "utf8").split(" ").filter(Boolean).map(Number);
  } catch {
    return [];
  }
};

function pathOf(program: string): string | undefined {
  try {
    return execFileSync("sh", ["-c", `PATH="$PATH:/usr/sbin" command -v ${program}`])
      .toString()
      .trim();
  } catch {
    return undefined;
  }
}
