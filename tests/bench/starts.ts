import { cpSync, mkdtempSync, readdirSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { addPages, signInClient, startDraft } from "../support/form-client.ts";
import { asUpload, picture } from "../support/page-files.ts";
import { sampleData } from "../support/sample.ts";
import { residentMegabytes, startServer, treeMegabytes, until } from "../support/server.ts";
import type { Figure } from "./figures.ts";

/** How long a start takes, also after a kill in the middle of writing, and what the idle server holds. */
export async function measureStarts(): Promise<Figure[]> {
  const data = mkdtempSync(join(tmpdir(), "sealdesk-starts-"));
  cpSync(sampleData, data, { recursive: true });
  const timed = async () => {
    const startedAt = performance.now();
    // As in the image.
    const server = await startServer({ on: data, env: { MALLOC_ARENA_MAX: "2" } });
    return { server, seconds: (performance.now() - startedAt) / 1000 };
  };
  const first = await timed();
  const client = await signInClient(first.server.url);
  const draft = await startDraft(client, "Cut off");
  const page = asUpload(await picture("page.png"));
  const idle = residentMegabytes(first.server.process.pid!);
  await addPages(client, draft, [page]);
  const idleWithPageWork = treeMegabytes(first.server.process.pid!);
  const files = () => readdirSync(data, { recursive: true }).length;
  const before = files();
  void addPages(
    client,
    draft,
    Array.from({ length: 100 }, () => page),
  ).catch(() => {});
  await until(() => files() > before, "the first files of the upload");
  first.server.process.kill("SIGKILL");
  const again = await timed();
  await again.server.stop();
  rmSync(data, { recursive: true });
  return [
    { what: "Start to first answer", value: first.seconds, unit: "s" },
    { what: "The same after kill -9", value: again.seconds, unit: "s" },
    { what: "Memory of the server after its first pages", value: idle, unit: "MB" },
    {
      what: "The same, with its idle worker and process for page work",
      value: idleWithPageWork,
      unit: "MB",
      atMost: 280,
    },
  ];
}
