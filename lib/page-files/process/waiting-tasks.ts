import type { JobCall } from "./page-process.ts";
import { rank, type Requesters } from "./requesters.ts";

export type JobOptions = {
  requesters: Requesters;
  /** Processor seconds allowed. */
  seconds: number;
  /** Runs before each start; throws if the job is no longer needed. */
  check?: (() => Promise<void>) | undefined;
};

export type Task = JobOptions & {
  call: JobCall;
  number: number;
  isSlow: boolean;
  /** Processor seconds of interrupted runs. */
  spent: number;
  /** Processes that ended unexpectedly during it. */
  crashes: number;
  resolve(value: unknown): void;
  reject(reason: unknown): void;
};

export type Lane = "quick" | "slow";
export const lanes: Lane[] = ["quick", "slow"];

/** Tasks that wait for a lane: by priority, round robin between tenants, first in first out. */
export class WaitingTasks {
  private readonly tasks = new Set<Task>();
  /** The number of each tenant's last turn. */
  private readonly turns = new Map<string, number>();
  private counter = 0;

  add(task: Omit<Task, "number">): Task {
    return this.addAgain({ ...task, number: ++this.counter });
  }

  /** Adds a task that was interrupted, in its former place. */
  addAgain(task: Task): Task {
    this.tasks.add(task);
    return task;
  }

  next(lane: Lane): Task | undefined {
    const turnOf = ({ requesters }: Task) => this.turns.get(requesters.best.tenant) ?? 0;
    const order = (a: Task, b: Task) => rankOf(a) - rankOf(b) || turnOf(a) - turnOf(b) || a.number - b.number;
    let next: Task | undefined;
    for (const task of this.tasks) {
      if (isForSlowLane(task) === (lane === "slow") && (!next || order(task, next) < 0)) next = task;
    }
    return next;
  }

  /** Takes a task out, as its tenant's turn. */
  startTurn(task: Task) {
    this.tasks.delete(task);
    this.turns.set(task.requesters.best.tenant, ++this.counter);
  }

  /** Whether the task was waiting. */
  delete(task: Task): boolean {
    return this.tasks.delete(task);
  }

  rejectAll(reason: unknown) {
    for (const { reject } of this.tasks) reject(reason);
    this.tasks.clear();
  }

  /** Starts the round robin anew once nothing waits. */
  forgetTurns() {
    if (this.tasks.size === 0) this.turns.clear();
  }
}

/** Background work leaves the quick lane to work for waiting users. */
const isForSlowLane = ({ isSlow, requesters }: Task) => isSlow || requesters.best.priority === "background";

export const rankOf = ({ requesters }: Task) => rank(requesters.best);
