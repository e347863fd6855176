import { type ChildProcess, spawn } from "node:child_process";
import { cpSync, mkdtempSync, readdirSync, readFileSync, rmSync } from "node:fs";
import { createRequire } from "node:module";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect } from "@playwright/test";
import { environment } from "#lib/config.ts";
import { freePort } from "./postgres.ts";
import { seed } from "./sample.ts";

const root = join(import.meta.dirname, "..", "..");
const develop = join(createRequire(import.meta.url).resolve("@react-router/dev/package.json"), "..", "bin.js");
const serve = join(createRequire(import.meta.url).resolve("@react-router/serve/package.json"), "..", "bin.js");

/** A built server in a process of its own, as `npm start` runs it. */
export type TestServer = {
  url: string;
  port: number;
  /** Its data folder, removed when it is stopped. */
  data: string;
  process: ChildProcess;
  /** What it printed so far, both streams. */
  output(): string;
  /** The same of stderr alone. */
  errors(): string;
  stop(): Promise<void>;
};

type Setting = {
  /** A folder whose copy is the server's data. */
  from?: string;
  /** The folder itself: it stays when the server is stopped. */
  on?: string;
  env?: Record<string, string>;
  /** Whether the sample company is made before it starts; for a database of its own. */
  seeded?: boolean;
  /** What is served, if it is not Sealdesk. */
  build?: string;
  /** Serves the source by the development server instead of a build. */
  isDevelopment?: boolean;
};

/** The output of the servers started since the test began. */
export const outputs: (() => string)[] = [];

/** Starts a server on a free port. Its data is empty and its maps have no tiles unless said otherwise. */
export async function startServer({
  from,
  on,
  env = {},
  seeded,
  build = "build/server/index.js",
  isDevelopment = false,
}: Setting = {}): Promise<TestServer> {
  const data = on ?? mkdtempSync(join(tmpdir(), "sealdesk-data-"));
  if (from) cpSync(from, data, { recursive: true });
  const remove = () => on ?? rmSync(data, { recursive: true, force: true });
  const port = await freePort();
  const url = `http://localhost:${port}`;
  const settings = { PORT: String(port), DATA_DIR: data, LOG_LEVEL: "warn", TILE_URL: "off", ...env };
  const options = { cwd: root, env: { ...environment, ...settings } };
  if (seeded) await seed(settings);
  const child = spawn(process.execPath, isDevelopment ? [develop, "dev"] : [serve, build], {
    ...options,
    stdio: ["ignore", "pipe", "pipe"],
  });
  // A test that fails may not come to stopping it.
  const kill = () => child.kill("SIGKILL");
  process.once("exit", kill);
  child.once("exit", () => process.off("exit", kill));
  let [output, errors] = ["", ""];
  for (const stream of [child.stdout, child.stderr]) stream.on("data", (chunk: Buffer) => (output += chunk.toString()));
  child.stderr.on("data", (chunk: Buffer) => (errors += chunk.toString()));
  outputs.push(() => output);
  try {
    await until(async () => {
      if (child.exitCode !== null) throw new Error(`The server ended: ${output}`);
      return (await fetch(`${url}/api/health`).catch(() => undefined)) !== undefined;
    });
  } catch (error) {
    child.kill("SIGKILL");
    remove();
    throw error;
  }
  return {
    url,
    port,
    data,
    process: child,
    output: () => output,
    errors: () => errors,
    async stop() {
      if (child.exitCode === null && child.signalCode === null) {
        const ended = new Promise((resolve) => child.once("exit", resolve));
        child.kill("SIGTERM");
        await ended;
      }
      remove();
    },
  };
}

/** A process's resident memory, from Linux's own account of it. */
export const residentMegabytes = (pid: number) =>
  Number(/VmRSS:\s+(\d+)/.exec(readFileSync(`/proc/${pid}/status`, "utf8"))![1]) / 1024;

/** The processes that a process has started and that have not ended. */
export const childrenOf = (pid: number): number[] =>
  readdirSync(`/proc/${pid}/task`).flatMap((thread) =>
    readFileSync(`/proc/${pid}/task/${thread}/children`, "utf8").split(" ").filter(Boolean).map(Number),
  );

/**
 * The memory of a server and of the processes that it started: its resident pages, and of theirs those that are not of a
 * file which it has mapped as well, as Node's own program.
 */
export function treeMegabytes(pid: number): number {
  const shared = new Set(mappings(pid).map(({ file }) => file));
  const own = childrenOf(pid).flatMap((child) => {
    try {
      return mappings(child).filter(({ file }) => !file.startsWith("/") || !shared.has(file));
    } catch {
      // Ended meanwhile.
      return [];
    }
  });
  return residentMegabytes(pid) + own.reduce((sum, { megabytes }) => sum + megabytes, 0);
}

/** What is mapped into a process's memory, with how much of it is resident. */
function mappings(pid: number) {
  const parts = readFileSync(`/proc/${pid}/smaps`, "utf8").split(/^(?=[0-9a-f]+-[0-9a-f]+ )/m);
  return parts.map((part) => ({
    file: /^(?:\S+\s+){5}(.*)/.exec(part)?.[1] ?? "",
    megabytes: Number(/^Rss:\s+(\d+)/m.exec(part)?.[1] ?? 0) / 1024,
  }));
}

/** Waits until a condition holds. The limit only ends what hangs: a busy machine takes many times as long as a quiet one. */
export const until = (isTrue: () => Promise<boolean> | boolean, what = "the server to answer") =>
  expect.poll(async () => isTrue(), { message: `waiting for ${what}`, timeout: 240_000, intervals: [50] }).toBe(true);

/** What a server said of faults: that a busy machine answers slowly is none. */
export const faultsOf = ({ errors }: Pick<TestServer, "errors">): string[] =>
  errors()
    .split("\n")
    .filter((line) => line && !line.includes('"a request was answered slowly"'));
