import { type ChildProcess, fork } from "node:child_process";
import { once } from "node:events";
import { fileURLToPath } from "node:url";
import { metrics } from "#metrics";
import { createWorkQueue } from "#storage/work-queue.ts";
import { secondsInMs } from "#units";
import { serviceUnavailable } from "../http/errors.ts";

/** The server's end of the process that estimates passwords (`strength-process.ts`). It runs while there is work. */

export type EstimateCall = { password: string; ownWords: string[] };

/** `score` counts from 0 to 4 as zxcvbn does: 3 takes more than 10^8 guesses. */
export type Estimate = { score: number; usesOwnWords: boolean };

/** An idle process ends after this time. */
const idleMs = secondsInMs(10);
/** No estimate takes nearly as long, on whatever machine: the process hangs. */
const timeoutMs = secondsInMs(60);

const isSource = import.meta.url.endsWith(".ts");
const program = fileURLToPath(new URL(isSource ? "./strength-process.ts" : "./password-strength.js", import.meta.url));

function strengthUnavailable() {
  metrics.attemptsRefused.inc({ limit: "password_strength" });
  return serviceUnavailable("Passwords can’t be checked just now. Nothing was changed. Try again in a few seconds.", 5);
}
const { run: inTurn } = createWorkQueue({ concurrency: 1, maxWaiting: 50, refuse: strengthUnavailable });

let spare: { child: ChildProcess; timer: NodeJS.Timeout } | undefined;

/** Estimates a password in a process of its own, one at a time; rejects with 503 where too many wait. */
export const estimate = (call: EstimateCall) => inTurn(() => estimateNow(call), { isFirst: true });

async function estimateNow(call: EstimateCall): Promise<Estimate> {
  const idling = takeSpare();
  // An idle process may have been ended, where memory is short.
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

/** Starts a process that knows nothing of the server's environment. */
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

/** Whether this process may not end before the other has answered. */
function keepAlive(child: ChildProcess, isHeld: boolean) {
  const change = isHeld ? "ref" : "unref";
  child[change]();
  child.channel?.[change]();
}
