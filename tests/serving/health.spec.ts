import { rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "@playwright/test";
import { metricsOf, metricsToken } from "../support/metrics.ts";
import { sampleData } from "../support/sample.ts";
import { startServer, until } from "../support/server.ts";
import packageFile from "../../package.json" with { type: "json" };

const { version } = packageFile;

test("/healthz reports a live process and its build, /readyz what it serves without", async () => {
  const server = await startServer({ from: sampleData, env: { LOG_LEVEL: "silent", METRICS_TOKEN: metricsToken } });
  const ask = (path: string) => fetch(`${server.url}${path}`);
  try {
    const alive = await ask("/healthz");
    expect(alive.status).toBe(200);
    expect(await alive.text()).toMatch(new RegExp(`^ok ${version} [0-9a-f]{12}\n$`));
    const ready = await ask("/readyz");
    expect([ready.status, await ready.json()]).toEqual([200, { ready: true, missing: [], degraded: [] }]);
    // Nothing can be stored where a file is in the way of a folder.
    const work = join(server.data, "files", "work");
    rmSync(work, { recursive: true, force: true });
    writeFileSync(work, "");
    const degraded = async () => ((await (await ask("/readyz")).json()) as { degraded: string[] }).degraded;
    await until(async () => (await degraded()).includes("storage"), "storage to be found degraded");
    expect(await (await ask("/readyz")).json()).toEqual({ ready: true, missing: [], degraded: ["storage"] });
    expect((await ask("/readyz")).status).toBe(200);
    expect((await metricsOf(server)).get('sealdesk_degraded{check="storage"}')).toBe(1);
    expect((await metricsOf(server)).get('sealdesk_degraded{check="mail"}')).toBe(0);
    rmSync(work);
    await until(async () => (await degraded()).length === 0, "storage to be found again");
  } finally {
    await server.stop();
  }
});
