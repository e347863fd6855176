import { sampleElsewhere } from "./elsewhere.ts";
import { sampleData } from "./sample.ts";
import { startServer, type TestServer } from "./server.ts";

/**
 * Where a server with the sample company keeps it: in SQLite and on its own disk; in PostgreSQL and S3, where they can
 * be had; or nowhere, as it is in front of a provider, which is another server.
 */
export type Keeping = "here" | "elsewhere" | "at a provider";

/** Starts a server with the sample company. */
export async function startSample(keeps: Keeping, env: Record<string, string> = {}): Promise<TestServer> {
  if (keeps === "at a provider") {
    const provider = await startServer({ from: sampleData, env: { LOG_LEVEL: "silent" } });
    return endingWith(await startServer({ env: { ...env, PROVIDER_URL: provider.url } }), provider.stop);
  }
  const elsewhere = keeps === "elsewhere" ? await sampleElsewhere() : undefined;
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
