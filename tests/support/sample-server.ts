import { startHaproxy } from "./haproxy.ts";
import { samplePostgresAndS3 } from "./postgres-s3.ts";
import { freePort } from "./postgres.ts";
import { sampleData } from "./sample.ts";
import { startServer, type TestServer } from "./server.ts";

/**
 * Where a server stores the sample company: in SQLite and on its disk; in PostgreSQL and S3, if this machine has
 * PostgreSQL, for one server or for two behind HAProxy with TLS; or at a provider, which is another server.
 */
export type Storage = "sqlite-disk" | "postgres-s3" | "haproxy" | "other-provider";

/** Starts a server with the sample company. */
export async function startSample(storage: Storage, env: Record<string, string> = {}): Promise<TestServer> {
  if (storage === "other-provider") {
    const provider = await startServer({ from: sampleData, env: { LOG_LEVEL: "silent" } });
    return stoppingAlso(provider.stop, await startServer({ env: { ...env, PROVIDER_URL: provider.url } }));
  }
  const sample = storage === "sqlite-disk" ? undefined : await samplePostgresAndS3();
  if (!sample) return startServer({ from: sampleData, env });
  if (storage === "haproxy") return stoppingAlso(sample.drop, await startBehindHaproxy({ ...env, ...sample.env }));
  return stoppingAlso(sample.drop, await startServer({ env: { ...env, ...sample.env } }));
}

/** Returns the first of two servers, which sends the mails of both, at the public address. */
async function startBehindHaproxy(env: Record<string, string>): Promise<TestServer> {
  const port = await freePort();
  const url = `https://localhost:${port}`;
  const behind = { ...env, PUBLIC_URL: url, TRUSTED_PROXIES: "1" };
  const first = await startServer({ env: behind });
  const second = await startServer({ env: { ...behind, WORKER: "off" } });
  const stopProxy = await startHaproxy(port, [first.port, second.port]);
  const stopOthers = () => stopProxy().then(second.stop);
  return { ...stoppingAlso(stopOthers, first), url, port };
}

const stoppingAlso = (stopOther: () => Promise<void>, server: TestServer): TestServer => ({
  ...server,
  async stop() {
    await server.stop();
    await stopOther();
  },
});
