import { writeFileSync } from "node:fs";
import { fileURLToPath } from "node:url";
import { isMainThread, parentPort, Worker } from "node:worker_threads";
import { systemCodeOf } from "../refusals.ts";
import type { JobCall, ProcessMessage, ProcessReply } from "./page-process.ts";
import type * as Jobs from "./worker.ts";

/**
 * The process that opens page files and writes PDFs. The main thread talks to the server and reports usage; jobs run in a thread, as
 * PDFium and the PDF library block theirs.
 */

const reportEveryMs = 50;

if (isMainThread) control();
else runJobs();

function control() {
  process.title = "sealdesk page work";
  endWithServer();
  const worker = new Worker(fileURLToPath(import.meta.url), {
    resourceLimits: { maxOldGenerationSizeMb: 256, maxYoungGenerationSizeMb: 16 },
  });
  let before = process.cpuUsage();
  let reporting: NodeJS.Timeout | undefined;
  const send = (message: ProcessMessage) => process.send?.(message);
  const usage = () => {
    const { user, system } = process.cpuUsage(before);
    return { cpu: (user + system) / 1e6, memory: process.memoryUsage.rss() };
  };
  process.on("message", (call: JobCall) => {
    before = process.cpuUsage();
    reporting = setInterval(() => send({ usage: usage() }), reportEveryMs);
    worker.postMessage(call, []);
  });
  worker.on("message", (reply: ProcessReply) => {
    clearInterval(reporting);
    send({ usage: usage(), reply });
  });
  // The server starts another process.
  worker.on("error", (error: Error & { code?: string }) => {
    const isOutOfMemory = error.code === "ERR_WORKER_OUT_OF_MEMORY";
    send({ usage: usage(), broken: { message: String(error), isOutOfMemory } });
  });
}

/** Ignores signals to the process group, so that requests are answered before the server ends. */
function endWithServer() {
  for (const signal of ["SIGINT", "SIGTERM", "SIGHUP"]) process.on(signal, () => {});
  process.on("disconnect", () => process.kill(process.pid, "SIGKILL"));
  try {
    // Out of memory, Linux kills this process rather than the server.
    writeFileSync("/proc/self/oom_score_adj", "1000");
  } catch {
    // Not Linux, or not allowed.
  }
}

function runJobs() {
  parentPort!.on("message", async ({ name, job }: JobCall) => {
    let reply: ProcessReply;
    try {
      const jobs = (await import("./worker.ts")) as Record<string, (job: unknown) => Promise<unknown>>;
      reply = { value: await jobs[name satisfies keyof typeof Jobs]!(job) };
    } catch (error) {
      reply = { error: { message: (error as Error).message, code: systemCodeOf(error as Error) } };
    }
    parentPort!.postMessage(reply, []);
  });
}
