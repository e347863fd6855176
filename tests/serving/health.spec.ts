import { rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "@playwright/test";
import { sampleData } from "../support/sample.ts";
import { startServer, until } from "../support/server.ts";

test("/healthz reports a live process, /readyz one that can store data", async () => {
  const server = await startServer({ from: sampleData, env: { LOG_LEVEL: "silent" } });
  const ask = (path: string) => fetch(`${server.url}${path}`);
  try {
    expect((await ask("/healthz")).status).toBe(200);
    const ready = await ask("/readyz");
    expect([ready.status, await ready.json()]).toEqual([200, { ready: true, missing: [] }]);
    // Nothing can be stored where a file is in the way of a folder.
    const work = join(server.data, "files", "work");
    rmSync(work, { recursive: true, force: true });
    writeFileSync(work, "");
    await until(async () => (await ask("/readyz")).status === 503);
    const missing = await ask("/readyz");
    expect(await missing.json()).toEqual({ ready: false, missing: ["storage"] });
    expect(missing.headers.get("retry-after")).toBe("5");
    expect((await ask("/healthz")).status).toBe(200);
    rmSync(work);
    await until(async () => (await ask("/readyz")).status === 200);
  } finally {
    await server.stop();
  }
});
