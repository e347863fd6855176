import type { PageProcess } from "./page-process.ts";

type PoolSettings = {
  start(): PageProcess;
  idleMs: number;
  /** A process with more resident bytes ends after its job, as it does not return them. */
  maxBytes: number;
};

/** Processes for page work: started on demand, and reused until they have been idle for a while; as many as worked at once. */
export class ProcessPool {
  private readonly settings: PoolSettings;
  private readonly ended = new WeakMap<PageProcess, Promise<void>>();
  private readonly ending = new Set<Promise<void>>();
  /** Idle processes, the most recently used last, with the timers that end them. */
  private readonly spares = new Map<PageProcess, NodeJS.Timeout>();
  private isClosed = false;

  constructor(settings: PoolSettings) {
    this.settings = settings;
  }

  take(): PageProcess {
    const last = [...this.spares.keys()].findLast((process) => !process.hasEnded());
    if (last) this.removeSpare(last);
    return last ?? this.settings.start();
  }

  /** Takes a process back after a job. */
  async giveBack(process: PageProcess, memory: number) {
    if (this.isClosed || memory > this.settings.maxBytes || this.ended.has(process)) return this.end(process);
    this.spares.set(process, setTimeout(() => void this.end(process), this.settings.idleMs).unref());
  }

  /** Kills a process; resolves when it has ended. */
  end(process: PageProcess): Promise<void> {
    this.removeSpare(process);
    const before = this.ended.get(process);
    if (before) return before;
    const ended = process.kill().finally(() => this.ending.delete(ended));
    this.ended.set(process, ended);
    this.ending.add(ended);
    return ended;
  }

  /** Ends the idle processes; others end when they are given back, or by `end`. */
  async close() {
    this.isClosed = true;
    for (const process of this.spares.keys()) void this.end(process);
    await Promise.all(this.ending);
  }

  private removeSpare(process: PageProcess) {
    clearTimeout(this.spares.get(process));
    this.spares.delete(process);
  }
}
