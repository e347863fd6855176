import { samplePostgresAndS3 } from "./postgres-s3.ts";
import { sampleData } from "./sample.ts";
import { startServer, type TestServer } from "./server.ts";

/**
 * Where a server stores the sample company: in SQLite and on its disk; in PostgreSQL and S3, if this machine has
 * PostgreSQL; or at a provider, which is another server.
 */
export type Storage = "sqlite-disk" | "postgres-s3" | "other-provider";

/** Starts a server with the sample company. */
export async function startSample(storage: Storage, env: Record<string, string> = {}): Promise<TestServer> {
  if (storage === "other-provider") {
    const provider = await startServer({ from: sampleData, env: { LOG_LEVEL: "silent" } });
    return stoppingAlso(provider.stop, await startServer({ env: { ...env, PROVIDER_URL: provider.url } }));
  }
  const sample = storage === "postgres-s3" ? await samplePostgresAndS3() : undefined;
  if (!sample) return startServer({ from: sampleData, env });
  return stoppingAlso(sample.drop, await startServer({ env: { ...env, ...sample.env } }));
}

const stoppingAlso = (stopOther: () => Promise<void>, server: TestServer): TestServer => ({
  ...server,
  async stop() {
    await server.stop();
    await stopOther();
  },
});
