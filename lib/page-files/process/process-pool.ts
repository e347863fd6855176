import type { PageProcess } from "./page-process.ts";

type PoolSettings = {
  start(): PageProcess;
  idleMs: number;
  /** A process with more resident bytes ends after its job, as it does not return them. */
  maxBytes: number;
  /** With more, the one that is kept is replaced once it is idle. */
  maxIdleBytes: number;
};

/** Processes for page work: they start on demand and end when they have been idle for a while, but for one that may be kept. */
export class ProcessPool {
  private readonly settings: PoolSettings;
  private readonly ended = new WeakMap<PageProcess, Promise<void>>();
  private readonly ending = new Set<Promise<void>>();
  /** Idle processes, the most recently used last, with the timers that end them. */
  private readonly spares = new Map<PageProcess, NodeJS.Timeout | undefined>();
  private isClosed = false;
  private keepsOne = false;

  constructor(settings: PoolSettings) {
    this.settings = settings;
  }

  /**
   * Starts one unless one waits, and keeps one from now on. To start a process, the system copies the table of this one's memory pages, which holds
   * a server of 400 MB up for 40 ms.
   */
  keepOne() {
    this.keepsOne = true;
    this.replaceKept();
  }

  take(): PageProcess {
    const last = this.living().at(-1);
    if (last) this.removeSpare(last);
    return last ?? this.settings.start();
  }

  /** Takes a process back after a job. */
  async giveBack(process: PageProcess, memory: number) {
    if (this.isClosed || memory > this.settings.maxBytes || this.ended.has(process)) return this.end(process);
    this.spares.set(process, setTimeout(() => this.onIdle(process, memory), this.settings.idleMs).unref());
  }

  private onIdle(process: PageProcess, memory: number) {
    const isOnly = this.living().every((spare) => spare === process);
    if (!this.keepsOne || !isOnly || memory > this.settings.maxIdleBytes) void this.end(process);
  }

  private replaceKept() {
    if (!this.keepsOne || this.isClosed || this.living().length > 0) return;
    try {
      this.spares.set(this.settings.start(), undefined);
    } catch {
      // The next job starts one, and is refused if that fails again.
    }
  }

  /** The spares; forgets those that the system has ended. */
  private living() {
    for (const process of this.spares.keys()) if (process.hasEnded()) this.removeSpare(process);
    return [...this.spares.keys()];
  }

  /** Kills a process; resolves when it has ended. */
  end(process: PageProcess): Promise<void> {
    this.removeSpare(process);
    const before = this.ended.get(process);
    if (before) return before;
    const ended = process.kill().finally(() => this.ending.delete(ended));
    this.ended.set(process, ended);
    this.ending.add(ended);
    this.replaceKept();
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
