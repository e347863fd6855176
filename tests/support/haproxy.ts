import { execFileSync, spawn } from "node:child_process";
import { once } from "node:events";
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { getCACertificates, setDefaultCACertificates } from "node:tls";
import { environment } from "#lib/config.ts";
import { generate } from "selfsigned";
import { until } from "./server.ts";

const path = [environment.PATH, "/usr/sbin"].join(":");

/** Whether this machine has HAProxy. */
export function hasHaproxy(): boolean {
  try {
    return execFileSync("haproxy", ["-v"], { env: { PATH: path }, stdio: "pipe" }).length > 0;
  } catch {
    return false;
  }
}

/**
 * HAProxy, which ends TLS at a port of `localhost` and gives each request to the next server that is ready; its replies name
 * the server in `x-served-by`. This process trusts its certificate from now on. Returns what ends it.
 */
export async function startHaproxy(port: number, servers: number[]): Promise<() => Promise<void>> {
  const folder = mkdtempSync(join(tmpdir(), "sealdesk-haproxy-"));
  const [certificate, config] = [join(folder, "localhost.pem"), join(folder, "haproxy.cfg")];
  const { private: key, cert } = await generate([{ name: "commonName", value: "localhost" }], {
    extensions: [{ name: "subjectAltName", altNames: [{ type: 2, value: "localhost" }] }],
  });
  setDefaultCACertificates([...getCACertificates("default"), cert]);
  writeFileSync(certificate, key + cert, { mode: 0o600 });
  const lines = [
    "defaults",
    "  mode http",
    "  option forwardfor",
    "  timeout connect 10s",
    // Else a busy machine's server is down as soon as it answers later than in one interval.
    "  timeout check 1m",
    "  timeout client 5m",
    "  timeout server 5m",
    // Before the server's 125 seconds.
    "  timeout http-keep-alive 60s",
    "frontend public",
    `  bind 127.0.0.1:${port} ssl crt ${certificate} alpn h2,http/1.1`,
    "  default_backend web",
    "backend web",
    "  balance roundrobin",
    "  option httpchk GET /readyz",
    "  http-response set-header x-served-by %s",
    ...servers.map((server, n) => `  server web${n + 1} 127.0.0.1:${server} check inter 500ms`),
  ];
  writeFileSync(config, `${lines.join("\n")}\n`);
  const child = spawn("haproxy", ["-f", config], { env: { PATH: path }, stdio: "ignore" });
  const kill = () => child.kill("SIGKILL");
  process.once("exit", kill);
  const ended = once(child, "exit");
  await until(async () => (await fetch(`https://localhost:${port}/healthz`).catch(() => undefined))?.ok ?? false);
  return async () => {
    process.off("exit", kill);
    kill();
    await ended;
    rmSync(folder, { recursive: true });
  };
}
