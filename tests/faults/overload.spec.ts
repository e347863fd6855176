import autocannon from "autocannon";
import { expect, test } from "@playwright/test";
import { addPages, create, signInClient, startDraft } from "../support/form-client.ts";
import { asUpload, picture } from "../support/page-files.ts";
import { sampleData } from "../support/sample.ts";
import { startServer } from "../support/server.ts";

test("under three times its capacity for a minute, a server keeps nine tenths of its throughput and loses nothing", async () => {
  const server = await startServer({ from: sampleData, env: { LOG_LEVEL: "silent" } });
  const client = await signInClient(server.url);
  const ask = (load: { connections: number; duration: number; overallRate?: number }) =>
    autocannon({
      url: `${server.url}/documents/list`,
      headers: { cookie: client.cookie },
      // Who asks does so from another core than the one that answers.
      workers: 1,
      timeout: 10,
      ...load,
    });
  const goodput = ({ "2xx": answered, duration }: autocannon.Result) => answered / duration;
  await ask({ connections: 8, duration: 5 });
  const peak = goodput(await ask({ connections: 8, duration: 20 }));

  const over = new AbortController();
  const issued: string[] = [];
  const page = asUpload(await picture("page.png"));
  const writing = (async () => {
    for (let n = 1; !over.signal.aborted; n++) {
      const draft = await patiently(() => startDraft(client, `In the rush ${n}`));
      await patiently(() => addPages(client, draft, [page]));
      issued.push(await patiently(() => create(client, draft)));
    }
  })();
  const rush = await ask({ connections: 500, duration: 60, overallRate: Math.round(3 * peak) });
  over.abort();
  await writing;
  console.log(`Peak ${peak.toFixed(0)}/s, in the rush ${goodput(rush).toFixed(0)}/s, p99 ${rush.latency.p99} ms`);
  console.log(`${rush.non2xx} were turned away, ${rush.timeouts} gave up, ${issued.length} documents issued meanwhile`);
  expect(goodput(rush) / peak).toBeGreaterThanOrEqual(0.9);
  expect(issued.length).toBeGreaterThan(0);
  for (const path of issued) expect((await client.get(path)).status, path).toBe(200);
  await server.stop();
});

/** As a person who is asked to try again. */
async function patiently<T>(work: () => Promise<T>): Promise<T> {
  for (let attempt = 1; ; attempt++) {
    try {
      return await work();
    } catch (error) {
      if (attempt === 20) throw error;
    }
  }
}
