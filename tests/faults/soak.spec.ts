import { expect, test } from "@playwright/test";
import { readdirSync } from "node:fs";
import { addPages, type FormClient, codeOf, create, signInClient, startDraft } from "../support/form-client.ts";
import { inspect } from "../support/inspector.ts";
import { asUpload, picture } from "../support/page-files.ts";
import { sampleData } from "../support/sample.ts";
import { startServer, type TestServer } from "../support/server.ts";
import { settings } from "../support/settings.ts";

/** `SOAK_MINUTES=5 npx playwright test --config tests/faults/playwright.config.ts soak` takes less. */
const minutes = settings.soakMinutes;

test("after half an hour of work with a tenth of the requests aborted, memory and handles are as before", async () => {
  test.setTimeout((minutes * 1.5 + 10) * 60_000);
  const server = await startServer({
    from: sampleData,
    env: { LOG_LEVEL: "silent", NODE_OPTIONS: "--inspect=127.0.0.1:0" },
  });
  const debug = await inspect(server.output());
  const client = await signInClient(server.url);
  const code = await codeOf(client, "/documents/1");
  const page = asUpload(await picture("page.png"));
  const samples: { hours: number; heap: number; handles: number }[] = [];
  // The first third of the time belongs to the start: what is loaded and kept at first use, what the engine notes of the
  // code that it runs, and what it throws away when it is first asked to collect, which comes back within minutes.
  const startedAt = performance.now();
  const begins = minutes / 2;
  for (let round = 0, collected = 0, minute = 0; minute < begins + minutes; round++) {
    await Promise.all([0, 1, 2].map((worker) => work(client, code, page, round * 3 + worker)));
    minute = (performance.now() - startedAt) / 60_000;
    if (minute < (collected * minutes) / 15) continue;
    collected++;
    const heap = await debug.heapMegabytes();
    if (minute >= begins) samples.push({ hours: minute / 60, heap, handles: handlesOf(server) });
  }
  debug.close();
  await server.stop();
  const growth = slope(samples.map(({ hours, heap }) => [hours, heap]));
  console.log(samples.map(({ heap, handles }) => `${heap.toFixed(1)} MB, ${handles} handles`).join("\n"));
  console.log(`The heap after collection grows by ${growth.toFixed(2)} MB an hour`);
  expect(growth).toBeLessThanOrEqual(1);
  const [first, last] = [samples[1]!, samples.at(-1)!];
  expect(last.handles).toBeLessThanOrEqual(first.handles + 5);
});

/** One thing that somebody does; every tenth is given up before the answer is there. */
async function work(client: FormClient, code: string, page: File, round: number) {
  const paths = [
    "/dashboard",
    "/documents/list",
    "/documents/1",
    "/map",
    "/alerts",
    "/users/list?name=a",
    `/v/${code}`,
  ];
  if (round % 50 === 0) {
    const draft = await startDraft(client, `Soaked ${round}`);
    await addPages(client, draft, [page]);
    await create(client, draft);
  } else if (round % 10 === 0) {
    const giveUp = new AbortController();
    const response = fetch(client.url + paths[(round / 10) % paths.length]!, {
      headers: { cookie: client.cookie },
      signal: giveUp.signal,
    });
    setImmediate(() => giveUp.abort());
    await response.then((answer) => answer.text()).catch(() => {});
  } else {
    await (await client.get(paths[round % paths.length]!)).text();
  }
}

/** Files and sockets that the process has open, from Linux's own account of it. */
const handlesOf = ({ process }: TestServer) => readdirSync(`/proc/${process.pid}/fd`).length;

/** By how much y grows with x, by least squares. */
function slope(points: [number, number][]) {
  const mean = (values: number[]) => values.reduce((sum, value) => sum + value, 0) / values.length;
  const [x, y] = [mean(points.map(([x]) => x)), mean(points.map(([, y]) => y))];
  const over = points.reduce((sum, [px, py]) => sum + (px - x) * (py - y), 0);
  return over / points.reduce((sum, [px]) => sum + (px - x) ** 2, 0);
}
