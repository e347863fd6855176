import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import S3rver from "s3rver";
import { portOf } from "./other-provider.ts";

/** A server that speaks S3, with an empty bucket, and the settings by which Sealdesk uses it. */
export type TestS3 = {
  url: string;
  env: Record<`S3_${string}`, string>;
  stop(): Promise<void>;
};

export async function startS3(): Promise<TestS3> {
  const directory = mkdtempSync(join(tmpdir(), "sealdesk-s3-"));
  const server = new S3rver({
    address: "127.0.0.1",
    port: 0,
    silent: true,
    directory,
    configureBuckets: [{ name: "sealdesk" }],
  });
  await server.run();
  const url = `http://127.0.0.1:${portOf(server.httpServer)}`;
  return {
    url,
    env: {
      S3_BUCKET: "sealdesk",
      S3_ENDPOINT: url,
      // The one pair that this server knows.
      S3_ACCESS_KEY_ID: "S3RVER",
      S3_SECRET_ACCESS_KEY: "S3RVER",
    },
    async stop() {
      await server.close();
      rmSync(directory, { recursive: true, force: true });
    },
  };
}
