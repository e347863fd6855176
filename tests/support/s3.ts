import { mkdtempSync, rmSync } from "node:fs";
import { createServer, type IncomingMessage, type Server } from "node:http";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { freePort } from "./postgres.ts";
import { answerFrom } from "./s3-objects.ts";

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

const accessKey = "TESTS";

export async function startS3(): Promise<TestS3> {
  const directory = mkdtempSync(join(tmpdir(), "sealdesk-s3-"));
  const answer = answerFrom(directory, accessKey);
  const port = await freePort();
  let server: Server;
  const resume = async () => {
    server = createServer(async (request, response) => {
      await s3.beforeRequest(request);
      await answer(request, response);
    });
    await new Promise<void>((resolve) => server.listen(port, "127.0.0.1", resolve));
  };
  const crash = async () => {
    const closed = new Promise((resolve) => server.close(resolve));
    server.closeAllConnections();
    await closed;
  };
  const url = `http://127.0.0.1:${port}`;
  const s3: TestS3 = {
    url,
    env: {
      S3_BUCKET: "sealdesk",
      S3_ENDPOINT: url,
      S3_ACCESS_KEY_ID: accessKey,
      S3_SECRET_ACCESS_KEY: "not compared",
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
