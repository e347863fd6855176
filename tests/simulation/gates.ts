import { AsyncLocalStorage, createHook } from "node:async_hooks";
import { setImmediate as turn, setTimeout as realWait } from "node:timers/promises";
import { type Choices, choicesOf } from "./random.ts";

/**
 * Where the world decides what happens next. Each statement, commit, file, mail and wait of a task stops at a gate; the scheduler
 * opens one gate at a time, so that concurrent tasks interleave as the seed decides.
 */

/** A call or a job run, with the process that runs it. */
export type Task = { name: string; number: number; gates: number; process: TaskProcess; choices: Choices };

/** `backends` are the processes of PostgreSQL's server that work for it. */
type TaskProcess = { isDead: boolean; backends: Set<number> };

const current = new AsyncLocalStorage<Task>();
export const currentTask = () => current.getStore();
export const runTask = <T>(task: Task, work: () => Promise<T>): Promise<T> => current.run(task, work);

type Gate = {
  task: Task;
  number: number;
  what: string;
  open(): void;
  close(reason: unknown): void;
  isReady(): boolean;
};

let waiting: Gate[] = [];
/** Work outside of this thread, whose end the scheduler waits for. */
let outside = 0;

/** What happens at a gate instead of the next step; undefined lets it go on. */
export type Injection = (task: Task, what: string) => Error | undefined;
let inject: Injection = () => undefined;
export const setInjection = (injection: Injection) => void (inject = injection);

type GateOptions = { signal?: AbortSignal | undefined; isReady?: () => boolean };

/** Waits for the scheduler if a task runs; never resolves in a process that was killed. */
export async function gate(what: string, { signal, isReady = () => true }: GateOptions = {}): Promise<void> {
  const task = currentTask();
  if (!task) return;
  await new Promise<void>((open, close) => {
    if (task.process.isDead) return isOfNetwork({ what }) ? close(new Error("the process has ended")) : undefined;
    const entry: Gate = { task, number: ++task.gates, what, open, close, isReady };
    signal?.addEventListener("abort", () => {
      if (waiting.includes(entry)) waiting = waiting.filter((other) => other !== entry);
      close(signal.reason);
    });
    waiting.push(entry);
  });
  const error = inject(task, what);
  if (error) throw error;
}

/** Work of other threads and processes: no gate opens until it is done. */
export async function elsewhere<T>(work: () => Promise<T>): Promise<T> {
  if (!currentTask()) return work();
  outside++;
  try {
    return await work();
  } finally {
    outside--;
  }
}

/** The clock of this machine (`patches.ts`). */
const realNow = performance.now.bind(performance);

/** Requests to threads of Node: files, and what reads them. */
const requests = new Set<number>();
const ofThreads = /^(FSREQ|FILEHANDLECLOSEREQ|BLOBREADER)/;
const hooks = {
  init: (id: number, type: string) => void (ofThreads.test(type) && currentTask() && requests.add(id)),
  before: (id: number) => void requests.delete(id),
  destroy: (id: number) => void requests.delete(id),
  // Hooks of promises would take most of the time.
  trackPromises: false,
};
createHook(hooks).enable();

/** Statements on a server, which may wait for locks of tasks that are at gates. */
let statements = 0;
let areBlocked = async (_statements: number) => false;
export const setLockWatch = (watch: typeof areBlocked) => void (areBlocked = watch);

/** A statement on a database server. */
export async function onServer<T>(work: () => Promise<T>): Promise<T> {
  if (!currentTask()) return work();
  statements++;
  try {
    return await elsewhere(work);
  } finally {
    statements--;
  }
}

/** Longer than any of them takes. */
const requestMs = 5000;

/** Statements without locks to wait for take less. */
const lockMs = 20;

/** Lets everything go on that waits for no gate. */
async function settle() {
  let since: number | undefined;
  for (let quiet = 0; quiet < 5;) {
    await (outside + requests.size > 0 ? realWait(0) : turn());
    const isBusy = outside + requests.size > 0;
    quiet = isBusy ? 0 : quiet + 1;
    since = isBusy ? (since ?? realNow()) : undefined;
    const areOthersDone = outside + requests.size === statements;
    if (since && areOthersDone && realNow() - since > lockMs && (await areBlocked(statements))) return;
    if (since && outside === 0 && realNow() - since > requestMs) requests.clear();
  }
}

const hangsAfterMs = 20_000;

/** More than the longest burst has. */
const maxGates = 30_000;

/** Opens gates in an order of the seed until `isDone`; throws if no gate is left and it never is. `onStep` may end a process. */
export async function openGates(choices: Choices, isDone: () => boolean, onStep: (step: number) => Promise<void>) {
  let stuckSince: number | undefined;
  for (let step = 0; ;) {
    await settle();
    const ready = waiting.filter(({ task, isReady }) => !task.process.isDead && isReady());
    if (ready.length === 0) {
      if (isDone()) return step;
      stuckSince ??= realNow();
      if (realNow() - stuckSince > hangsAfterMs) throw new Error(`nothing goes on: ${describeWaiting()}`);
      await realWait(1);
      continue;
    }
    stuckSince = undefined;
    // They may have come here in another order.
    ready.sort((a, b) => a.task.number - b.task.number || a.number - b.number);
    const next = choices.pick(ready)!;
    waiting = waiting.filter((gate) => gate !== next);
    next.open();
    await onStep(++step);
    if (step > maxGates) throw new Error(`${next.task.name} never ends: ${next.what} again and again`);
  }
}

const describeWaiting = () => waiting.map(({ task, what }) => `${task.name} at ${what}`).join(", ") || "no gate waits";

/** Requests are shared by tasks, and another process must not wait for those of one that has ended. */
const isOfNetwork = ({ what }: Pick<Gate, "what">) => what === "request" || what === "response";

/** Ends a process: its tasks never go on. */
export function endProcess(process: TaskProcess) {
  process.isDead = true;
  for (const one of waiting)
    if (one.task.process === process && isOfNetwork(one)) one.close(new Error("the process has ended"));
  waiting = waiting.filter(({ task }) => task.process !== process);
}

let tasks = 0;

export const taskOf = (process: TaskProcess, seed: number, name: string): Task => ({
  name,
  number: ++tasks,
  gates: 0,
  process,
  choices: choicesOf(seed, "task", name),
});
