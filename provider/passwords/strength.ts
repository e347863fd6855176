import { type ChildProcess, fork } from "node:child_process";
import { once } from "node:events";
import { fileURLToPath } from "node:url";
import { metrics } from "#lib/metrics.ts";
import { createWorkQueue } from "#lib/storage/limits/work-queue.ts";
import { secondsInMs } from "#lib/units.ts";
import { serviceUnavailable } from "../http/errors.ts";

/** Runs the process that estimates password strength (`strength-process.ts`) on demand. */

export type EstimateCall = { password: string; ownWords: string[] };

/** `score` is zxcvbn's, from 0 to 4: 3 takes more than 10^8 guesses. */
export type Estimate = { score: number; usesOwnWords: boolean };

const idleMs = secondsInMs(10);
/** Only a process that hangs takes this long. */
const timeoutMs = secondsInMs(60);

const isSource = import.meta.url.endsWith(".ts");
const program = fileURLToPath(new URL(isSource ? "./strength-process.ts" : "./password-strength.js", import.meta.url));

function strengthUnavailable() {
  metrics.attemptsRefused.inc({ limit: "password_strength" });
  return serviceUnavailable("Passwords can’t be checked just now. Nothing was changed. Try again in a few seconds.", 5);
}
const { run: inTurn } = createWorkQueue({ concurrency: 1, maxWaiting: 50, refuse: strengthUnavailable });

let spare: { child: ChildProcess; timer: NodeJS.Timeout } | undefined;

/** Estimates one password at a time; rejects with 503 if too many wait. */
export const estimate = (call: EstimateCall) => inTurn(() => estimateNow(call), { isFirst: true });

async function estimateNow(call: EstimateCall): Promise<Estimate> {
  const idling = takeSpare();
  // The system may have killed an idle process to free memory.
  const estimated = idling && (await request(idling, call).catch(() => undefined));
  return estimated ?? request(start(), call);
}

async function request(child: ChildProcess, call: EstimateCall): Promise<Estimate> {
  keepAlive(child, true);
  const settled = new AbortController();
  try {
    const signal = AbortSignal.any([settled.signal, AbortSignal.timeout(timeoutMs)]);
    const ended = once(child, "exit", { signal }).then(() => Promise.reject(strengthUnavailable()));
    const replied = once(child, "message", { signal });
    child.send(call, () => {});
    const [estimated] = (await Promise.race([replied, ended])) as [Estimate];
    release(child);
    return estimated;
  } catch {
    child.kill("SIGKILL");
    throw strengthUnavailable();
  } finally {
    settled.abort();
  }
}

/** Starts a process without the server's environment. */
const start = () =>
  fork(program, [], { execArgv: [], env: {}, stdio: ["ignore", "ignore", "ignore", "ipc"] }).on("error", () => {});

function takeSpare() {
  const { child, timer } = spare ?? {};
  clearTimeout(timer);
  spare = undefined;
  return child?.connected ? child : undefined;
}

function release(child: ChildProcess) {
  keepAlive(child, false);
  spare = { child, timer: setTimeout(() => takeSpare()?.kill("SIGKILL"), idleMs).unref() };
}

/** Whether this process stays alive until the other has answered. */
function keepAlive(child: ChildProcess, isHeld: boolean) {
  const change = isHeld ? "ref" : "unref";
  child[change]();
  child.channel?.[change]();
}
