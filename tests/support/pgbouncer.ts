import { spawn } from "node:child_process";
import { existsSync, mkdtempSync, chownSync, rmSync, writeFileSync } from "node:fs";
import { connect } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { freePort, serverAccount } from "./postgres.ts";
import { until } from "./server.ts";

const program = ["/usr/sbin/pgbouncer", "/usr/bin/pgbouncer"].find((path) => existsSync(path));

/** Starts Debian's PgBouncer in transaction mode in front of a database; undefined if it is not installed. */
export async function startPgbouncer(databaseUrl: string): Promise<{ url: string; stop(): Promise<void> } | undefined> {
  const account = serverAccount();
  if (!program || !account) return undefined;
  const folder = mkdtempSync(join(tmpdir(), "sealdesk-pgbouncer-"));
  const { hostname, port: serverPort, username } = new URL(databaseUrl);
  const port = await freePort();
  const file = join(folder, "pgbouncer.ini");
  writeFileSync(
    file,
    `[databases]
* = host=${hostname} port=${serverPort} user=${username}
[pgbouncer]
listen_addr = 127.0.0.1
listen_port = ${port}
unix_socket_dir =
auth_type = any
pool_mode = transaction
default_pool_size = 5
`,
  );
  chownSync(folder, account.uid, account.gid);
  chownSync(file, account.uid, account.gid);
  const child = spawn(program, ["-q", file], { ...account, cwd: folder, stdio: "inherit" });
  const ended = new Promise<void>((resolve) => child.once("exit", () => resolve()));
  const kill = () => child.kill("SIGKILL");
  process.once("exit", kill);
  await until(
    () =>
      new Promise<boolean>((resolve) => {
        const socket = connect(port, "127.0.0.1", () => (socket.destroy(), resolve(true)));
        socket.on("error", () => resolve(false));
      }),
    "PgBouncer",
  );
  return {
    url: Object.assign(new URL(databaseUrl), { port: String(port) }).href,
    async stop() {
      process.off("exit", kill);
      kill();
      await ended;
      rmSync(folder, { recursive: true, force: true });
    },
  };
}
