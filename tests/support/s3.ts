import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import S3rver from "s3rver";
import { freePort } from "./postgres.ts";

/** A server that speaks S3, with a bucket, and the settings by which Sealdesk uses it. */
export type TestS3 = {
  url: string;
  env: Record<`S3_${string}`, string>;
  /** Ends it at once; what it has is kept. */
  crash(): Promise<void>;
  /** Starts it again. */
  resume(): Promise<void>;
  stop(): Promise<void>;
};

export async function startS3(): Promise<TestS3> {
  const directory = mkdtempSync(join(tmpdir(), "sealdesk-s3-"));
  const port = await freePort();
  let server: S3rver;
  const resume = async () => {
    const configureBuckets = [{ name: "sealdesk" }];
    server = new S3rver({ address: "127.0.0.1", port, silent: true, directory, configureBuckets });
    await server.run();
  };
  const crash = async () => {
    server.httpServer.closeAllConnections();
    await server.close();
  };
  await resume();
  const url = `http://127.0.0.1:${port}`;
  return {
    url,
    env: {
      S3_BUCKET: "sealdesk",
      S3_ENDPOINT: url,
      // The one pair that this server knows.
      S3_ACCESS_KEY_ID: "S3RVER",
      S3_SECRET_ACCESS_KEY: "S3RVER",
    },
    crash,
    resume,
    async stop() {
      await crash();
      rmSync(directory, { recursive: true, force: true });
    },
  };
}
