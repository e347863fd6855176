import { once } from "node:events";
import { isMainThread, parentPort, Worker, workerData } from "node:worker_threads";

/** Reads a page again and again in a thread of its own, so that what else the process does adds nothing to the times. */

type Page = { url: string; cookie: string };

export function startReader(page: Page) {
  const worker = new Worker(new URL(import.meta.url), { workerData: page });
  return {
    /** The seconds of each of so many readings. */
    async times(count: number): Promise<number[]> {
      worker.postMessage(count);
      return ((await once(worker, "message")) as [number[]])[0];
    },
    stop: () => worker.terminate(),
  };
}

if (!isMainThread && parentPort) {
  const { url, cookie } = workerData as Page;
  parentPort.on("message", async (count: number) => {
    const seconds = [];
    for (let n = 0; n < count; n++) {
      const begun = performance.now();
      await (await fetch(url, { headers: { cookie } })).text();
      seconds.push((performance.now() - begun) / 1000);
    }
    parentPort!.postMessage(seconds);
  });
}
