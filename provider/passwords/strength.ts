import { type ChildProcess, fork } from "node:child_process";
import { once } from "node:events";
import { fileURLToPath } from "node:url";
import { metrics } from "#metrics";
import { createTurns } from "#storage/turns.ts";
import { busy } from "../http/refused.ts";
import { seconds } from "../time.ts";

/** The server's end of the process that estimates passwords (`strength-process.ts`). It runs while there is work. */

export type EstimateCall = { password: string; ownWords: string[] };

/** `score` counts from 0 to 4 as zxcvbn does: 3 takes more than 10^8 guesses. */
export type Estimate = { score: number; usesOwnWords: boolean };

/** An idle process ends after this time. */
const idle = seconds(10);
/** No estimate takes nearly as long, on whatever machine: the process hangs. */
const longest = seconds(60);

const isSource = import.meta.url.endsWith(".ts");
const program = fileURLToPath(new URL(isSource ? "./strength-process.ts" : "./password-strength.js", import.meta.url));

function refuse() {
  metrics.attemptsRefused.inc({ limit: "password_strength" });
  return busy("Passwords can’t be checked just now. Nothing was changed. Try again in a few seconds.", 5);
}
const { inTurn } = createTurns({ atOnce: 1, mostWaiting: 50, refuse });

let spare: { child: ChildProcess; timer: NodeJS.Timeout } | undefined;

/** Estimates a password in a process of its own, one at a time; rejects with 503 where too many wait. */
export const estimate = (call: EstimateCall) => inTurn(() => estimateNow(call), { isFirst: true });

async function estimateNow(call: EstimateCall): Promise<Estimate> {
  const idling = takeSpare();
  // An idle process may have been ended, where memory is short.
  const estimated = idling && (await ask(idling, call).catch(() => undefined));
  return estimated ?? ask(start(), call);
}

async function ask(child: ChildProcess, call: EstimateCall): Promise<Estimate> {
  hold(child, true);
  const settled = new AbortController();
  try {
    const signal = AbortSignal.any([settled.signal, AbortSignal.timeout(longest)]);
    const ended = once(child, "exit", { signal }).then(() => Promise.reject(refuse()));
    const replied = once(child, "message", { signal });
    child.send(call, () => {});
    const [estimated] = (await Promise.race([replied, ended])) as [Estimate];
    giveBack(child);
    return estimated;
  } catch {
    child.kill("SIGKILL");
    throw refuse();
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

function giveBack(child: ChildProcess) {
  hold(child, false);
  spare = { child, timer: setTimeout(() => takeSpare()?.kill("SIGKILL"), idle).unref() };
}

/** Whether this process may not end before the other has answered. */
function hold(child: ChildProcess, isHeld: boolean) {
  const change = isHeld ? "ref" : "unref";
  child[change]();
  child.channel?.[change]();
}
