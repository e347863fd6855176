import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import type { IncomingMessage, ServerResponse } from "node:http";
import { tmpdir } from "node:os";
import { join } from "node:path";
import S3rver from "s3rver";
import { freePort } from "./postgres.ts";

/** A server that speaks S3, with a bucket, and the settings by which Sealdesk uses it. */
export type TestS3 = {
  url: string;
  env: Record<`S3_${string}`, string>;
  /** Awaited before each request is answered. */
  beforeRequest: (request: IncomingMessage) => Promise<void> | void;
  /** Ends it at once and keeps its objects. */
  crash(): Promise<void>;
  /** Starts it again. */
  resume(): Promise<void>;
  stop(): Promise<void>;
};

export async function startS3(): Promise<TestS3> {
  const directory = mkdtempSync(join(tmpdir(), "sealdesk-s3-"));
  // With its last object a folder is removed, and another one that is being written into it would end this process.
  const work = join(directory, "sealdesk", "work");
  mkdirSync(work, { recursive: true });
  writeFileSync(join(work, "stays"), "");
  const port = await freePort();
  let server: S3rver;
  const resume = async () => {
    const configureBuckets = [{ name: "sealdesk" }];
    server = new S3rver({ address: "127.0.0.1", port, silent: true, directory, configureBuckets });
    await server.run();
    const { httpServer } = server;
    const [answer] = httpServer.listeners("request") as [(request: IncomingMessage, response: ServerResponse) => void];
    httpServer.removeAllListeners("request").on("request", async (request, response) => {
      await s3.beforeRequest(request);
      answer(request, response);
    });
  };
  const crash = async () => {
    server.httpServer.closeAllConnections();
    await server.close();
  };
  const url = `http://127.0.0.1:${port}`;
  const s3: TestS3 = {
    url,
    env: {
      S3_BUCKET: "sealdesk",
      S3_ENDPOINT: url,
      // The one pair that this server knows.
      S3_ACCESS_KEY_ID: "S3RVER",
      S3_SECRET_ACCESS_KEY: "S3RVER",
    },
    beforeRequest: () => {},
    crash,
    resume,
    async stop() {
      await crash();
      rmSync(directory, { recursive: true, force: true });
    },
  };
  await resume();
  return s3;
}
