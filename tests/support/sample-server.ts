import { samplePostgresAndS3 } from "./postgres-s3.ts";
import { sampleData } from "./sample.ts";
import { startServer, type TestServer } from "./server.ts";

/**
 * Where a server with the sample company storage it: in SQLite and on its own disk; in PostgreSQL and S3, where they can
 * be had; or nowhere, as it is in front of a provider, which is another server.
 */
export type Storage = "here" | "elsewhere" | "other-provider";

/** Starts a server with the sample company. */
export async function startSample(storage: Storage, env: Record<string, string> = {}): Promise<TestServer> {
  if (storage === "other-provider") {
    const provider = await startServer({ from: sampleData, env: { LOG_LEVEL: "silent" } });
    return endingWith(await startServer({ env: { ...env, PROVIDER_URL: provider.url } }), provider.stop);
  }
  const elsewhere = storage === "elsewhere" ? await samplePostgresAndS3() : undefined;
  if (!elsewhere) return startServer({ from: sampleData, env });
  return endingWith(await startServer({ env: { ...env, ...elsewhere.env } }), elsewhere.drop);
}

const endingWith = (server: TestServer, end: () => Promise<void>): TestServer => ({
  ...server,
  async stop() {
    await server.stop();
    await end();
  },
});
