import { setTimeout as wait } from "node:timers/promises";
import { config } from "#lib/config.ts";
import { collectNodeMetrics, registry, startAtZero } from "#lib/metric-kinds.ts";
import { watch } from "#lib/metric-sources.ts";
import { metrics } from "#lib/metrics.ts";
import { inSpan } from "#lib/tracing.ts";
import { createRunner, type Job, type Runner } from "#lib/storage/jobs.ts";
import { type Database, DatabaseInUse } from "#lib/storage/database/database.ts";
import type { NewerSchema } from "#lib/storage/database/schema-guard.ts";
import { secondsInMs } from "#lib/units.ts";
import { draftJobs } from "../drafts/sweep.ts";
import { log, logConsole, logStart, logUncaughtErrors } from "../process/log.ts";
import { reload } from "../process/reload.ts";
import { startTracing, stopTracing } from "../process/start-tracing.ts";
import { maxUploadMs, openStores, providerStores, type Stores } from "../process/stores.ts";
import { currentCause, withRequest } from "../request/request-context.ts";
import type { FromWorker, ToWorker } from "./start.ts";
import { openEmbeddedJobs } from "../provider/embedded-jobs.ts";

/**
 * Runs all jobs, in a process beside the web process, which starts it and ends it, or alone on PostgreSQL. It has a database
 * connection and a process for page work of its own (`docs/decisions/worker.md`).
 */
export async function runWorker(
  serverStarted: Date | undefined,
  commandJobs: (database: Database) => Job[],
): Promise<void> {
  process.title = "sealdesk worker";
  const stopped = serverStarted ? stoppedByServer() : stoppedBySignal();
  const opened = Promise.withResolvers<() => Promise<void>>();
  // Unheard it would end the process, also while that starts.
  if (!serverStarted) process.on("SIGHUP", () => void opened.promise.then((changeSettings) => changeSettings()));
  logConsole();
  logUncaughtErrors();
  await startTracing("worker");
  registry.setDefaultLabels({ process: "worker" });
  collectNodeMetrics();
  if (!serverStarted) logStart("worker");
  const stores = await openWhenFree();
  const { database, pageFiles } = stores;
  const runner = createRunner(database, {
    log,
    cause: currentCause,
    within({ name: job, cause }, work) {
      const { requestId, traceparent } = cause ?? {};
      return withRequest({ requestId, job }, () => inSpan(`job ${job}`, { kind: "consumer", traceparent }, work));
    },
    onDone({ name, seconds, outcome, cause }) {
      metrics.jobs.inc({ name, outcome });
      metrics.jobSeconds.observe({ name }, seconds);
      if (cause) log.info({ requestId: cause.requestId, job: name, outcome, seconds }, "job ended");
    },
  });
  // Of an SQLite folder, whatever is older than its server has been abandoned.
  const abandonedMs = () =>
    serverStarted && !database.isShared ? Math.min(maxUploadMs, Date.now() - serverStarted.getTime()) : maxUploadMs;
  const settings = config();
  const provider = settings.PROVIDER_URL
    ? undefined
    : await openEmbeddedJobs(settings, providerStores(stores, runner.nudge));
  const changeSettings = () => reload("worker", provider?.changeKey);
  opened.resolve(changeSettings);
  const newer = new Promise<NewerSchema>((resolve) => database.watchSchema(resolve));
  const jobs = [...draftJobs(stores, abandonedMs), ...(provider?.jobs(abandonedMs) ?? []), ...commandJobs(database)];
  startAtZero(metrics.jobs, { name: jobs.map(({ name }) => name), outcome: ["done", "failed"] });
  watch("jobs", runner.states);
  await runner.start(jobs);
  const stopServing = serverStarted ? answerServer(runner, changeSettings) : (await import("./serve.ts")).serveWorker();
  // The server that started it ends as well, and ends it.
  const reason = await Promise.race(serverStarted ? [stopped] : [stopped, newer]);
  if (reason) log.fatal(reason.message);
  stopServing();
  pageFiles.stopTables();
  await runner.stop(jobTimeoutMs);
  await pageFiles.close();
  await provider?.access.flush();
  await database.close();
  await stopTracing();
  process.exit(reason ? 1 : 0);
}

/** Shutdown waits this long for a running job, such as the delivery of a message. */
const jobTimeoutMs = secondsInMs(5);
const lockTimeoutMs = secondsInMs(30);

/** After a server was killed, its worker ends a moment later. */
async function openWhenFree(): Promise<Stores> {
  const until = performance.now() + lockTimeoutMs;
  for (;;) {
    try {
      return await openStores("worker");
    } catch (error) {
      if (!(error instanceof DatabaseInUse) || performance.now() > until) throw error;
    }
    await wait(100);
  }
}

/** Ignores signals to the process group, so that what the server still answers has its jobs; ends with a server that was killed. */
function stoppedByServer(): Promise<void> {
  for (const signal of ["SIGINT", "SIGTERM", "SIGHUP"]) process.on(signal, () => {});
  const end = () => process.kill(process.pid, "SIGKILL");
  if (!process.connected) end();
  process.on("disconnect", end);
  return new Promise((resolve) => {
    process.on("message", (message: ToWorker) => message === "stop" && resolve());
  });
}

function stoppedBySignal(): Promise<void> {
  return new Promise((resolve) => {
    for (const signal of ["SIGINT", "SIGTERM"]) process.once(signal, () => resolve());
  });
}

function answerServer(runner: Runner, changeSettings: () => Promise<void>) {
  const answer = async (message: ToWorker) => {
    if (message === "reload") await changeSettings();
    if (message === "run due") await runner.runDue();
    if (message === "send metrics") {
      process.send!({ metrics: await registry.getMetricsAsJSON() } satisfies FromWorker);
    }
  };
  process.on("message", answer);
  return () => process.off("message", answer);
}
