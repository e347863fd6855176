import { metrics } from "#metrics";
import { secondsInMs } from "#units";
import { tooMuchMemory } from "./kinds.ts";
import { type JobCall, JobError, type PageProcess, ProcessEnded, type Usage } from "./page-process.ts";
import { type PlaceLimits, Places } from "./places.ts";
import { ProcessPool } from "./process-pool.ts";
import { PageWorkBusy, PageWorkFailed } from "./refusals.ts";
import { rank, type Requester, type Requesters } from "./requesters.ts";

export type QueueSettings = {
  startProcess(): PageProcess;
  places: PlaceLimits;
  /** Processor seconds after which a job in the quick lane makes way for equal or lower, and for better priorities. */
  turn: { equal: number; better: number };
  /** Resident bytes that a process may take, and that one may take beside another. */
  memory: { alone: number; beside: number };
  /** After how long an idle process ends. */
  idleMs: number;
  log?: { warn(event: object, message: string): void } | undefined;
};

export type JobOptions = {
  requesters: Requesters;
  /** The processor seconds that it may take. */
  seconds: number;
  /** Called before each start: throws where the job has become pointless meanwhile. */
  check?: (() => Promise<void>) | undefined;
};

type Task = JobOptions & {
  call: JobCall;
  /** The order of arrival. */
  number: number;
  /** Whether it is for the slow lane. */
  isSlow: boolean;
  /** Processor seconds of starts that were cut off. */
  spent: number;
  /** How many processes ended under it, by what was not ours. */
  crashes: number;
  resolve(value: unknown): void;
  reject(reason: unknown): void;
};

/** What becomes of a task that was stopped. */
type Verdict = "again" | { refuse: unknown };

type Running = { task: Task; began: number; usage: Usage; process?: PageProcess; verdict?: Verdict };

type Lane = "quick" | "slow";
const lanes: Lane[] = ["quick", "slow"];

/** However little it has done by then, a job in the quick lane makes way after so long. */
const longestTurnMs = secondsInMs(10);

/**
 * The order of page work: better priorities first, tenants in turn, first in first out. Jobs run in the quick lane, one at
 * a time. One that others have waited long enough for goes on in the slow lane; if that is taken, it starts again there
 * later. So no job holds up others for longer than its turn, and no more than two processes are at work.
 */
export class WorkQueue {
  private readonly settings: QueueSettings;
  private readonly places: Places;
  private readonly pool: ProcessPool;
  private readonly waiting = new Set<Task>();
  private readonly running: Partial<Record<Lane, Running>> = {};
  /** The number of each tenant's last turn, while there is anything to do. */
  private readonly turns = new Map<string, number>();
  private counter = 0;
  private closing: PageWorkBusy | undefined;

  constructor(settings: QueueSettings) {
    const { startProcess, places, idleMs, memory } = settings;
    this.settings = settings;
    this.places = new Places(places);
    this.pool = new ProcessPool({ start: startProcess, idleMs, largest: memory.beside });
  }

  /** Takes a place in the queue, or throws `PageWorkBusy`. What it returns gives the place back. */
  enter(requester: Requester): () => void {
    return this.places.take(requester);
  }

  /**
   * Runs a job when its turn comes. Throws `PageWorkFailed` where the file is at fault, `PageWorkBusy` where its process
   * was ended from outside, the abort's reason when no requester is left, and the system's errors as they are.
   */
  run(call: JobCall, options: JobOptions): Promise<unknown> {
    return new Promise((resolve, reject) => {
      const { signal } = options.requesters;
      if (this.closing || signal.aborted) return reject(this.closing ?? signal.reason);
      const number = ++this.counter;
      const task: Task = { ...options, call, number, isSlow: false, spent: 0, crashes: 0, resolve, reject };
      this.waiting.add(task);
      signal.addEventListener("abort", () => this.drop(task), { once: true });
      this.advance();
    });
  }

  /** Ends all processes; what waits is refused. */
  async close() {
    this.closing = new PageWorkBusy();
    for (const { reject } of this.waiting) reject(this.closing);
    this.waiting.clear();
    const stopped = lanes.map((lane) => this.running[lane]).filter((running) => running !== undefined);
    await Promise.all(stopped.map((running) => this.stop(running, "closing", { refuse: this.closing })));
    await this.pool.close();
  }

  /** Starts what can be started, and makes room for what has waited long enough. */
  private advance() {
    if (this.closing) return;
    this.share();
    for (const lane of lanes) {
      const task = this.running[lane] ? undefined : this.next(lane);
      if (task) void this.perform(task, lane);
    }
    if (this.waiting.size === 0 && !this.running.quick && !this.running.slow) this.turns.clear();
  }

  /** The task whose turn it is in a lane. */
  private next(lane: Lane): Task | undefined {
    const turnOf = ({ requesters }: Task) => this.turns.get(requesters.best.tenant) ?? 0;
    const order = (a: Task, b: Task) => rankOf(a) - rankOf(b) || turnOf(a) - turnOf(b) || a.number - b.number;
    let next: Task | undefined;
    for (const task of this.waiting) {
      if (task.isSlow === (lane === "slow") && (!next || order(task, next) < 0)) next = task;
    }
    return next;
  }

  private async perform(task: Task, lane: Lane) {
    const running: Running = { task, began: performance.now(), usage: { cpu: 0, memory: 0 } };
    this.running[lane] = running;
    this.waiting.delete(task);
    this.turns.set(task.requesters.best.tenant, ++this.counter);
    const backstop = setTimeout(
      () => void this.stop(running, "stuck", { refuse: new PageWorkBusy() }),
      stuckAfterMs(task),
    );
    backstop.unref();
    try {
      const value = await this.attempt(running);
      observe(running, "done");
      task.resolve(value);
      // It may have been stopped when it was just done.
      delete running.verdict;
    } catch (error) {
      if (error instanceof ProcessEnded && running.process) await this.pool.end(running.process);
      running.verdict ??= this.verdictOn(task, error);
    }
    clearTimeout(backstop);
    await this.finish(running);
    for (const name of lanes) if (this.running[name] === running) delete this.running[name];
    this.advance();
  }

  private async attempt(running: Running): Promise<unknown> {
    const { task } = running;
    await task.check?.();
    // Stopped while it was checked.
    if (running.verdict) throw new ProcessEnded("before it began");
    running.process = this.pool.take();
    return running.process.run(task.call, (usage) => this.judge(running, usage));
  }

  /** Puts the process back and the task, if it was stopped, where it belongs. */
  private async finish(running: Running) {
    const { task, process, usage, verdict } = running;
    if (process) await this.pool.giveBack(process, usage.memory);
    running.usage = { cpu: usage.cpu, memory: 0 };
    this.countMemory();
    if (!verdict) return;
    const refusal = this.closing ?? (task.requesters.signal.aborted ? task.requesters.signal.reason : undefined);
    if (verdict === "again" && !refusal) {
      this.waiting.add(Object.assign(task, { isSlow: true, spent: task.spent + usage.cpu }));
    } else {
      if (verdict !== "again" && verdict.refuse instanceof PageWorkFailed) observe(running, "failed");
      task.reject(verdict === "again" ? refusal : verdict.refuse);
    }
  }

  /** What becomes of a task that threw: the file's fault, the system's, or that of whatever ended the process. */
  private verdictOn(task: Task, error: unknown): Verdict {
    if (error instanceof ProcessEnded && error.isOutOfMemory) return { refuse: new PageWorkFailed("memory") };
    if (error instanceof ProcessEnded) {
      metrics.pageWorkKilled.inc({ reason: "crashed" });
      this.settings.log?.warn({ err: error, work: task.call.name }, "page work process ended unexpectedly");
      return ++task.crashes < 2 ? "again" : { refuse: new PageWorkBusy(60) };
    }
    if (!(error instanceof JobError) || error.code) return { refuse: error };
    const reason = error.message.includes(tooMuchMemory) ? "memory" : "unreadable";
    return { refuse: new PageWorkFailed(reason, { cause: error }) };
  }

  /** Stops a job that takes more than it may, and shares the lanes by what the jobs in them have taken. */
  private judge(running: Running, usage: Usage) {
    running.usage = usage;
    this.countMemory();
    const { seconds, spent } = running.task;
    const fail = (reason: "time" | "memory") => this.stop(running, reason, { refuse: new PageWorkFailed(reason) });
    if (usage.memory > this.settings.memory.alone) void fail("memory");
    else if (usage.cpu > seconds || spent + usage.cpu > 2 * seconds) void fail("time");
    else this.share();
  }

  private countMemory() {
    metrics.pageWorkMemory.set(lanes.reduce((sum, lane) => sum + (this.running[lane]?.usage.memory ?? 0), 0));
  }

  /** Moves the job of the quick lane on where others have waited long enough for it, or two take too much memory. */
  private share() {
    const { quick, slow } = this.running;
    if (!quick?.process || quick.verdict) return;
    const { usage, task, began } = quick;
    if (usage.memory > this.settings.memory.beside && (slow || this.next("slow"))) return this.moveOn(quick, true);
    const next = this.next("quick");
    if (!next) return;
    const [own, others] = [rankOf(task), rankOf(next)];
    const turn = others < own ? this.settings.turn.better : this.settings.turn.equal;
    if (usage.cpu > turn || performance.now() - began > longestTurnMs) this.moveOn(quick, others <= own);
  }

  /** From the quick lane to the slow one; where that is taken, by starting again later, if it must make way. */
  private moveOn(quick: Running, mustMakeWay: boolean) {
    const { slow } = this.running;
    const isFirst = !slow || rankOf(slow.task) > rankOf(quick.task);
    if (!isFirst) {
      if (mustMakeWay) void this.stop(quick, "moved", "again");
      return;
    }
    if (slow) void this.stop(slow, "moved", "again");
    this.running.slow = quick;
    delete this.running.quick;
    quick.task.isSlow = true;
    this.advance();
  }

  /** Stops a job by ending its process; resolves when that has ended. */
  private async stop(running: Running, reason: string, verdict: Verdict) {
    if (running.verdict) return;
    running.verdict = verdict;
    metrics.pageWorkKilled.inc({ reason });
    if (running.process) await this.pool.end(running.process);
  }

  /** When no requester is left. */
  private drop(task: Task) {
    const reason: unknown = task.requesters.signal.reason;
    if (this.waiting.delete(task)) return task.reject(reason);
    const running = lanes.map((lane) => this.running[lane]).find((one) => one?.task === task);
    if (running) void this.stop(running, "abandoned", { refuse: reason });
  }
}

const rankOf = ({ requesters }: Task) => rank(requesters.best);

/** A generous limit on the clock for jobs that use no processor because something is stuck. */
const stuckAfterMs = ({ seconds }: Task) => secondsInMs(Math.max(60, seconds * 10));

const observe = ({ task, began }: Running, outcome: "done" | "failed") =>
  metrics.pageWorkSeconds.observe({ work: task.call.name, outcome }, (performance.now() - began) / 1000);
