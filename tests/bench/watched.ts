import { readFileSync } from "node:fs";

/** Settings that have a server tell at its end, in a file, how long its event loop was held up from a client's first request on. */
export const watchingLoop = (file: string) => ({ NODE_OPTIONS: `--import ${watch}`, LOOP_DELAYS: file });

const watch = `data:text/javascript,${encodeURIComponent(`
  import { subscribe } from "node:diagnostics_channel";
  import { writeFileSync } from "node:fs";
  import { monitorEventLoopDelay } from "node:perf_hooks";
  import { isMainThread } from "node:worker_threads";
  if (isMainThread) {
    const watch = monitorEventLoopDelay({ resolution: 1 });
    subscribe("http.server.request.start", ({ request }) => {
      if (request.url === "/api/health" || !watch.enable()) return;
      process.once("exit", () => writeFileSync(process.env.LOOP_DELAYS, JSON.stringify({ longest: watch.max / 1e9 })));
    });
  }
`)}`;

/** What the server wrote at its end, in seconds. */
export const loopDelays = (file: string) => JSON.parse(readFileSync(file, "utf8")) as { longest: number };
