import type { PageProcess } from "./page-process.ts";

type PoolSettings = {
  start(): PageProcess;
  idleMs: number;
  /** A process with more resident bytes ends after its job, as it does not return them. */
  maxBytes: number;
};

/** Processes for page work: started on demand, and one is reused until it has been idle for a while. */
export class ProcessPool {
  private readonly settings: PoolSettings;
  private readonly ended = new WeakMap<PageProcess, Promise<void>>();
  private readonly ending = new Set<Promise<void>>();
  private spare: { process: PageProcess; timer: NodeJS.Timeout } | undefined;
  private isClosed = false;

  constructor(settings: PoolSettings) {
    this.settings = settings;
  }

  take(): PageProcess {
    return this.takeSpare() ?? this.settings.start();
  }

  /** Takes a process back after a job. */
  async giveBack(process: PageProcess, memory: number) {
    if (this.isClosed || this.spare || memory > this.settings.maxBytes || this.ended.has(process)) {
      return this.end(process);
    }
    const timer = setTimeout(() => this.endSpare(), this.settings.idleMs).unref();
    this.spare = { process, timer };
  }

  /** Kills a process; resolves when it has ended. */
  end(process: PageProcess): Promise<void> {
    const before = this.ended.get(process);
    if (before) return before;
    const ended = process.kill().finally(() => this.ending.delete(ended));
    this.ended.set(process, ended);
    this.ending.add(ended);
    return ended;
  }

  /** Ends the idle process; others end when they are given back, or by `end`. */
  async close() {
    this.isClosed = true;
    this.endSpare();
    await Promise.all(this.ending);
  }

  private takeSpare(): PageProcess | undefined {
    const { process, timer } = this.spare ?? {};
    clearTimeout(timer);
    this.spare = undefined;
    return process;
  }

  private endSpare() {
    const process = this.takeSpare();
    if (process) void this.end(process);
  }
}
