import { spawn } from "node:child_process";
import { once } from "node:events";
import { readFileSync } from "node:fs";
import { environment } from "#lib/config.ts";
import { treeMegabytes, type TestServer } from "../support/server.ts";

/** Settings that have a server tell at its end, in a file, how long its event loop was held up from a client's first request on. */
export const watchingLoop = (file: string) => ({ NODE_OPTIONS: `--import ${watch}`, LOOP_DELAYS: file });

const watch = `data:text/javascript,${encodeURIComponent(`
  import { subscribe } from "node:diagnostics_channel";
  import { writeFileSync } from "node:fs";
  import { monitorEventLoopDelay } from "node:perf_hooks";
  import { isMainThread } from "node:worker_threads";
  if (isMainThread) {
    const watch = monitorEventLoopDelay({ resolution: 1 });
    let longestWork = 0;
    const watchWork = () => {
      let before = process.threadCpuUsage();
      setInterval(() => {
        const { user, system } = process.threadCpuUsage(before);
        before = process.threadCpuUsage();
        longestWork = Math.max(longestWork, user + system);
      }, 5).unref();
    };
    let isWatching = false;
    const begin = () => {
      if (!isWatching) { watch.enable(); watchWork(); }
      isWatching = true;
    };
    if (process.env.HAS_NO_CLIENTS) setTimeout(begin, 3000).unref();
    subscribe("http.server.request.start", ({ request }) => { if (request.url !== "/api/health") begin(); });
    process.on("exit", () => writeFileSync(process.env.LOOP_DELAYS, JSON.stringify({
      p99: watch.percentile(99) / 1e9, longest: watch.max / 1e9, longestWork: longestWork / 1e6 })));
  }
`)}`;

type LoopDelays = {
  p99: number;
  longest: number;
  /** The most processor time between two ticks of 5 ms: of one long turn or some short ones. The rest of a delay is waiting for processor or disk. */
  longestWork: number;
};

/** What the server wrote at its end, in seconds. */
export const loopDelays = (file: string) => JSON.parse(readFileSync(file, "utf8")) as LoopDelays;

/** Starts a process that does nothing; returns what ends it and tells how long its event loop was held up, which is the machine's doing. */
export function startIdle(file: string): () => Promise<LoopDelays> {
  const program = "process.on('SIGTERM', () => process.exit()); setInterval(() => {}, 1000)";
  const env = { ...environment, ...watchingLoop(file), HAS_NO_CLIENTS: "1" };
  const child = spawn(process.execPath, ["--eval", program], { env, stdio: "ignore" });
  process.once("exit", () => child.kill("SIGKILL"));
  return async () => {
    const ended = once(child, "exit");
    child.kill("SIGTERM");
    await ended;
    return loopDelays(file);
  };
}

/**
 * By how many megabytes the memory of a server and its processes for page work rises above the idle one, while something
 * is done. A process that waits for its next job counts as idle.
 */
export async function memoryOverIdle({ process: { pid } }: TestServer, work: () => Promise<unknown>): Promise<number> {
  const idle = await settled(pid!);
  let peak = 0;
  const watching = setInterval(() => (peak = Math.max(peak, treeMegabytes(pid!))), 100);
  await work().finally(() => clearInterval(watching));
  return peak - idle;
}

/** The memory once it has stayed within 1 MB for two seconds, a minute at most. */
async function settled(pid: number) {
  let [last, calm] = [0, 0];
  for (let round = 0; round < 240 && calm < 8; round++) {
    await new Promise((resolve) => setTimeout(resolve, 250));
    const now = treeMegabytes(pid);
    calm = Math.abs(now - last) < 1 ? calm + 1 : 0;
    if (calm === 0) last = now;
  }
  return last;
}
