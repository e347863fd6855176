import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { Readable } from "node:stream";
import { expect, onTestFinished, test, vi } from "vitest";
import { openBucket } from "./bucket.ts";
import { openFiles } from "./open-files.ts";

test("a bucket that is away fails the call, and its library writes nothing to the console", async () => {
  const methods = ["log", "info", "warn", "error"] as const;
  const spies = methods.map((method) => vi.spyOn(console, method));
  const directory = await mkdtemp(join(tmpdir(), "sealdesk-bucket-"));
  onTestFinished(() => rm(directory, { recursive: true }));
  const work = await openFiles({ directory });
  const bucket = { name: "away", endpoint: "http://127.0.0.1:9", region: "us-east-1" };
  const files = openBucket({ ...bucket, accessKeyId: "key", secretAccessKey: "secret" }, work);
  await expect(files.put("a", Readable.from(["content"]))).rejects.toThrow();
  for (const spy of spies) expect(spy).not.toHaveBeenCalled();
});
