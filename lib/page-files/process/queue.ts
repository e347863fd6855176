import { metrics } from "../../metrics.ts";
import { secondsInMs } from "../../units.ts";
import { tooMuchMemory } from "../file-types.ts";
import { type JobCall, JobError, type PageProcess, ProcessEnded, type Usage } from "./page-process.ts";
import { type SlotLimits, QueueSlots } from "./queue-slots.ts";
import { ProcessPool } from "./process-pool.ts";
import { PageWorkBusy, PageWorkFailed } from "../refusals.ts";
import type { Requester } from "./requesters.ts";
import { type JobOptions, type Lane, lanes, rankOf, type Task, WaitingTasks } from "./waiting-tasks.ts";

export type QueueSettings = {
  startProcess(): PageProcess;
  slots: SlotLimits;
  /** Processor seconds after which a job leaves the quick lane to equal or lower, or to better priorities. */
  turnSeconds: { equal: number; better: number };
  /** Resident bytes of a process alone, of one beside another, and of one that stays while idle. */
  memoryBytes: { alone: number; concurrent: number; idle: number };
  idleMs: number;
  log?: { warn(event: object, message: string): void } | undefined;
};

type Verdict = "again" | { refuse: unknown };

type Running = { task: Task; began: number; usage: Usage; process?: PageProcess; verdict?: Verdict };

/** Ends a turn in the quick lane also of a job that has used little processor time. */
const maxTurnMs = secondsInMs(10);

/**
 * Runs page work by priority, round robin between tenants, first in first out. Jobs start in the quick lane, one at a
 * time; after its turn a job continues in the slow lane, or restarts there later. Background work starts in the slow lane. So
 * two processes work at most.
 */
export class WorkQueue {
  private readonly settings: QueueSettings;
  private readonly slots: QueueSlots;
  private readonly pool: ProcessPool;
  private readonly waiting = new WaitingTasks();
  private readonly running: Partial<Record<Lane, Running>> = {};
  private closing: PageWorkBusy | undefined;

  constructor(settings: QueueSettings) {
    const { startProcess, slots, idleMs, memoryBytes } = settings;
    this.settings = settings;
    this.slots = new QueueSlots(slots);
    this.pool = new ProcessPool({
      start: startProcess,
      idleMs,
      maxBytes: memoryBytes.concurrent,
      maxIdleBytes: memoryBytes.idle,
    });
  }

  /** Starts a process unless one waits, and keeps one from now on. */
  keepOne() {
    this.pool.keepOne();
  }

  /** Takes a slot and returns its release. Throws `PageWorkBusy`. */
  enter(requester: Requester): () => void {
    return this.slots.take(requester);
  }

  /**
   * Runs a job in its turn. Throws `PageWorkFailed` for a faulty file, `PageWorkBusy` if its process was killed from
   * outside, the abort's reason when no requester is left, and system errors.
   */
  run(call: JobCall, options: JobOptions): Promise<unknown> {
    return new Promise((resolve, reject) => {
      const { signal } = options.requesters;
      if (this.closing || signal.aborted) return reject(this.closing ?? signal.reason);
      const state = { isSlow: false, spent: 0, crashes: 0 };
      const task = this.waiting.add({ ...options, ...state, call, resolve, reject });
      signal.addEventListener("abort", () => this.drop(task), { once: true });
      this.advance();
    });
  }

  /** Kills all processes and refuses waiting jobs. */
  async close() {
    this.closing = new PageWorkBusy();
    this.waiting.rejectAll(this.closing);
    const stopped = lanes.map((lane) => this.running[lane]).filter((running) => running !== undefined);
    await Promise.all(stopped.map((running) => this.stop(running, "closing", { refuse: this.closing })));
    await this.pool.close();
  }

  private advance() {
    if (this.closing) return;
    this.rebalance();
    for (const lane of lanes) {
      const task = this.running[lane] ? undefined : this.waiting.next(lane);
      if (task) void this.perform(task, lane);
    }
    if (!this.running.quick && !this.running.slow) this.waiting.forgetTurns();
  }

  private async perform(task: Task, lane: Lane) {
    const running: Running = { task, began: performance.now(), usage: { cpu: 0, memory: 0 } };
    this.running[lane] = running;
    this.waiting.startTurn(task);
    const backstop = setTimeout(
      () => void this.stop(running, "stuck", { refuse: new PageWorkBusy() }),
      stuckAfterMs(task),
    );
    backstop.unref();
    try {
      const value = await this.attempt(running);
      observe(running, "done");
      task.resolve(value);
      // It may have been stopped just as it was done.
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
    if (running.verdict) throw new ProcessEnded("before it began");
    running.process = this.pool.take();
    return running.process.run(task.call, (usage) => this.onUsage(running, usage));
  }

  /** Returns the process, and queues a stopped task again or rejects it. */
  private async finish(running: Running) {
    const { task, process, usage, verdict } = running;
    if (process) await this.pool.giveBack(process, usage.memory);
    running.usage = { cpu: usage.cpu, memory: 0 };
    this.countMemory();
    if (!verdict) return;
    const refusal = this.closing ?? (task.requesters.signal.aborted ? task.requesters.signal.reason : undefined);
    if (verdict === "again" && !refusal) {
      this.waiting.addAgain(Object.assign(task, { isSlow: true, spent: task.spent + usage.cpu }));
    } else {
      if (verdict !== "again" && verdict.refuse instanceof PageWorkFailed) observe(running, "failed");
      task.reject(verdict === "again" ? refusal : verdict.refuse);
    }
  }

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

  /** Stops a job over its limits, and rebalances the lanes. */
  private onUsage(running: Running, usage: Usage) {
    running.usage = usage;
    this.countMemory();
    const { seconds, spent } = running.task;
    const fail = (reason: "time" | "memory") => this.stop(running, reason, { refuse: new PageWorkFailed(reason) });
    if (usage.memory > this.settings.memoryBytes.alone) void fail("memory");
    else if (usage.cpu > seconds || spent + usage.cpu > 2 * seconds) void fail("time");
    else this.rebalance();
  }

  private countMemory() {
    metrics.pageWorkMemory.set(lanes.reduce((sum, lane) => sum + (this.running[lane]?.usage.memory ?? 0), 0));
  }

  /** Ends the turn of the quick lane's job where others wait, or two jobs take too much memory. */
  private rebalance() {
    const { quick, slow } = this.running;
    if (!quick?.process || quick.verdict) return;
    const { usage, task, began } = quick;
    if (usage.memory > this.settings.memoryBytes.concurrent && (slow || this.waiting.next("slow")))
      return this.endTurn(quick, true);
    const next = this.waiting.next("quick");
    if (!next) return;
    const [current, waiting] = [rankOf(task), rankOf(next)];
    const turn = waiting < current ? this.settings.turnSeconds.better : this.settings.turnSeconds.equal;
    if (usage.cpu > turn || performance.now() - began > maxTurnMs) this.endTurn(quick, waiting <= current);
  }

  /** Moves a job to the slow lane; where that is taken, stops it to restart later if `mustYield`. */
  private endTurn(quick: Running, mustYield: boolean) {
    const { slow } = this.running;
    const isFirst = !slow || rankOf(slow.task) > rankOf(quick.task);
    if (!isFirst) {
      if (mustYield) void this.stop(quick, "moved", "again");
      return;
    }
    if (slow) void this.stop(slow, "moved", "again");
    this.running.slow = quick;
    delete this.running.quick;
    quick.task.isSlow = true;
    this.advance();
  }

  private async stop(running: Running, reason: string, verdict: Verdict) {
    if (running.verdict) return;
    running.verdict = verdict;
    metrics.pageWorkKilled.inc({ reason });
    if (running.process) await this.pool.end(running.process);
  }

  private drop(task: Task) {
    const reason: unknown = task.requesters.signal.reason;
    if (this.waiting.delete(task)) return task.reject(reason);
    const running = lanes.map((lane) => this.running[lane]).find((one) => one?.task === task);
    if (running) void this.stop(running, "abandoned", { refuse: reason });
  }
}

/** A generous wall-clock limit in milliseconds for jobs that hang without using the processor. */
const stuckAfterMs = ({ seconds }: Task) => secondsInMs(Math.max(60, seconds * 10));

const observe = ({ task, began }: Running, outcome: "done" | "failed") =>
  metrics.pageWorkSeconds.observe({ work: task.call.name, outcome }, (performance.now() - began) / secondsInMs(1));
