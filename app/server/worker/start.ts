import { type ChildProcess, fork } from "node:child_process";
import { once } from "node:events";
import { setTimeout as wait } from "node:timers/promises";
import { constants, setPriority } from "node:os";
import { fileURLToPath } from "node:url";
import type { MetricObjectWithValues, MetricValue } from "prom-client";
import { environment } from "#lib/config.ts";
import { minutesInMs, secondsInMs } from "#lib/units.ts";
import type { log as eventLog } from "../process/log.ts";

/** The web process's side of its worker (`app/server/worker/run.ts`), which runs the jobs (`docs/decisions/worker.md`). */
export type WorkerProcess = {
  /** Runs the jobs that are due, without waiting for the next poll. */
  runDue(): void;
  /** Reads settings again (`app/server/process/reload.ts`). */
  reload(): void;
  /** Its metrics; none while it does not answer. */
  metrics(): Promise<MetricSamples>;
  /** Ends it once its jobs have come to a point where they can stop. */
  stop(): Promise<void>;
};

export type MetricSamples = MetricObjectWithValues<MetricValue<string>>[];
export type ToWorker = "reload" | "run due" | "send metrics" | "stop";
export type FromWorker = { metrics: MetricSamples };

// The build puts all programs into one folder.
const isSource = import.meta.url.endsWith(".ts");
const program = fileURLToPath(new URL(isSource ? "../../../commands/cli.ts" : "./cli.js", import.meta.url));

const restartMs = { first: secondsInMs(1), longest: secondsInMs(30) };
const metricsTimeoutMs = secondsInMs(1);
/** Longer than the worker waits for its jobs. */
const stopTimeoutMs = secondsInMs(8);

export function startWorker(log: typeof eventLog): WorkerProcess {
  const startedAt = new Date().toISOString();
  let child: ChildProcess;
  let isStopping = false;
  let delayMs = restartMs.first;

  function start() {
    const began = performance.now();
    child = fork(program, ["worker", "--server-started", startedAt], {
      // A small young generation: 48 MB of its own instead of 75.
      execArgv: ["--max-semi-space-size=2"],
      env: { MALLOC_ARENA_MAX: "2", ...environment },
      stdio: ["ignore", "inherit", "inherit", "ipc"],
    });
    // Pages are answered first if the processor is short.
    if (child.pid) setPriority(child.pid, constants.priority.PRIORITY_BELOW_NORMAL);
    child.once("error", (err) => log.error({ err }, "worker unreachable"));
    child.once("close", (code, signal) => {
      if (isStopping) return;
      log.error({ code, signal }, "worker ended, starting another");
      if (performance.now() - began > minutesInMs(1)) delayMs = restartMs.first;
      setTimeout(start, delayMs).unref();
      delayMs = Math.min(2 * delayMs, restartMs.longest);
    });
  }

  const send = (message: ToWorker) => void (child.connected && child.send(message, () => {}));

  start();
  return {
    runDue: () => send("run due"),
    reload: () => send("reload"),
    async metrics() {
      if (!child.connected) return [];
      send("send metrics");
      const reply = once(child, "message", { signal: AbortSignal.timeout(metricsTimeoutMs) });
      return reply.then(
        ([answer]) => (answer as FromWorker).metrics,
        () => [],
      );
    },
    async stop() {
      isStopping = true;
      if (child.exitCode !== null || child.signalCode !== null) return;
      send("stop");
      await Promise.race([once(child, "close"), wait(stopTimeoutMs, undefined, { ref: false })]);
      child.kill("SIGKILL");
    },
  };
}
