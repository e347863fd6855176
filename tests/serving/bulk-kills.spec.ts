import { cpSync, mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect, test } from "@playwright/test";
import { bulkClient, startBulkIssue } from "../support/bulk-issues.ts";
import { sampleData } from "../support/sample.ts";
import { startServer, until } from "../support/server.ts";
import { settings } from "../support/settings.ts";

const kills = settings.crashRounds;
const rows = 12 * kills;

test("a bulk issue whose server is killed again and again issues each row once", async () => {
  test.setTimeout((kills + 4) * 60_000);
  const data = mkdtempSync(join(tmpdir(), "sealdesk-bulk-"));
  cpSync(sampleData, data, { recursive: true });
  let server = await startServer({ on: data });
  let client = await bulkClient(server.url);
  const path = await startBulkIssue(client, rows);
  for (let kill = 1; kill <= kills; kill++) {
    const before: number = (await client.ask(path)).issued;
    // Not the time but the work decides, so that each kill meets it in the middle.
    await until(async () => (await client.ask(path)).issued > before + (kill % 4), "rows to be issued");
    server.process.kill("SIGKILL");
    await server.stop().catch(() => {});
    server = await startServer({ on: data });
    client = await bulkClient(server.url);
  }
  await until(async () => (await client.ask(path)).state === "done", "the last row");
  expect(await client.ask(path)).toMatchObject({ issued: rows, refused: 0 });
  const issued = (await client.ask(`${path}/documents`)) as { name: string; number: string }[];
  expect(issued.map(({ name }) => name)).toEqual(Array.from({ length: rows }, (_, n) => `Row ${n + 1}`));
  const all = (await client.ask("/documents?name=Row")) as { name: string }[];
  expect(all.filter(({ name }) => /^Row \d+$/.test(name)).length).toBe(rows);
  await server.stop();
  rmSync(data, { recursive: true, force: true });
});
