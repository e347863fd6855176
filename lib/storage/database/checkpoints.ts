import { fileURLToPath } from "node:url";
import { Worker } from "node:worker_threads";

// The build puts all programs into one folder.
const isSource = import.meta.url.endsWith(".ts");
const program = fileURLToPath(new URL(isSource ? "./checkpoint-thread.ts" : "./checkpoint-thread.js", import.meta.url));

/**
 * Moves what is committed from SQLite's log into its file, in a thread: in the process each time stops all work for 20 to 30 ms, several
 * times a second where a crowd's scans are stored. Returns what ends the thread.
 */
export function moveCommitsBeside(file: string): () => Promise<unknown> {
  const thread = new Worker(program, { workerData: file, execArgv: [], env: {} });
  thread.unref();
  // Without it the process moves them itself, once the log has `pagesInLog`.
  thread.on("error", () => {});
  return () => thread.terminate();
}

/** 32 MB. */
export const pagesInLog = 8000;
