import { spawn } from "node:child_process";
import { once } from "node:events";
import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { createInterface } from "node:readline";
import { expect, test, vi } from "vitest";
import { tiledPdf } from "#tests/fixtures/page-files.ts";

vi.setConfig({ testTimeout: 180_000 });

/** A program that draws a page which never ends, and prints the number of the process that does it. */
const program = (module: string, path: string) => `
  import { startPageProcess } from ${JSON.stringify(module)};
  const page = startPageProcess();
  const path = ${JSON.stringify(path)};
  const job = { path, type: "application/pdf", page: 2, size: "large", to: path + ".webp" };
  let isTold = false;
  await page.run({ name: "draw", job }, ({ cpu }) => {
    // Well into the page, whose drawing leaves its thread no time for anything else.
    if (cpu > 1 && !isTold) console.log(page.pid);
    isTold ||= cpu > 1;
  });
`;

test("a process with an endless page ends when its server is killed", async () => {
  const directory = await mkdtemp(join(tmpdir(), "sealdesk-orphan-"));
  const path = join(directory, "tiled.pdf");
  await writeFile(path, await tiledPdf());
  const code = program(join(import.meta.dirname, "page-process.ts"), path);
  const server = spawn(process.execPath, ["--input-type=module", "-e", code], { stdio: ["ignore", "pipe", "inherit"] });
  const [line] = (await once(createInterface(server.stdout), "line")) as [string];
  server.kill("SIGKILL");
  const isAlive = () => {
    try {
      return process.kill(Number(line), 0);
    } catch {
      return false;
    }
  };
  expect(Number(line)).toBeGreaterThan(0);
  await expect.poll(isAlive, { timeout: 60_000 }).toBe(false);
  await rm(directory, { recursive: true });
});
