import { bulkClient, startBulkIssue } from "../support/bulk-issues.ts";
import { signInClient } from "../support/form-client.ts";
import { sampleData } from "../support/sample.ts";
import { startServer } from "../support/server.ts";
import { type Figure, p95 } from "./figures.ts";

const openedBefore = 60;

/** How long a bulk issue takes with its seals, and how much slower staff's pages are meanwhile. */
export async function measureBulk(isQuick: boolean): Promise<Figure[]> {
  const rows = isQuick ? 50 : 1000;
  const server = await startServer({ from: sampleData });
  const staff = await signInClient(server.url);
  const client = await bulkClient(server.url);
  const open = async () => {
    const begun = performance.now();
    const answer = await staff.get("/documents/list");
    await answer.arrayBuffer();
    return performance.now() - begun;
  };
  const idle: number[] = [];
  for (let n = 0; n < openedBefore; n++) idle.push(await open());
  const path = await startBulkIssue(client, rows);
  const begun = performance.now();
  const meanwhile: number[] = [];
  while ((await client.ask(path)).state === "running") {
    for (let n = 0; n < 5; n++) meanwhile.push(await open());
    await new Promise((resolve) => setTimeout(resolve, 200));
  }
  const issued = (performance.now() - begun) / 1000;
  const sealed = await untilSealed(server.url, client, path, begun);
  await server.stop();
  const scale = 1000 / rows;
  return [
    { what: "1,000 documents of a bulk issue are issued", value: issued * scale, unit: "s", atMost: 300 },
    { what: "and sealed", value: sealed * scale, unit: "s", atMost: 300 },
    {
      what: "The documents list meanwhile, p95 over that of an idle server",
      value: p95(meanwhile) / p95(idle),
      unit: "times",
      atMost: 1.5,
    },
  ];
}

/** Seconds until the ZIP of all sealed PDFs can be read. */
async function untilSealed(url: string, client: Awaited<ReturnType<typeof bulkClient>>, path: string, begun: number) {
  for (;;) {
    const answer = await fetch(`${url}/api${path}/sealed.zip`, { headers: client.headers });
    await answer.body?.cancel();
    if (answer.ok) return (performance.now() - begun) / 1000;
    await new Promise((resolve) => setTimeout(resolve, 1000));
  }
}
