import { Piscina } from "piscina";
import type { SourceFile, Stamp } from "./compose.ts";
import type { DrawnSize, Inspected, Refused } from "./kinds.ts";

/** The work on page files, done one job at a time beside the server. All paths are on this machine. */
export type PageFiles = {
  /** Whether the file at `path` can be a page file; draws its first page, small, to `drawn` if so. */
  inspect(job: { path: string; drawn: string }): Promise<Inspected | Refused>;
  /** Draws one page (from 1) as WebP. */
  draw(job: SourceFile & { page: number; size: DrawnSize; to: string }): Promise<void>;
  /** Writes the file without metadata, as it may be shown and downloaded. */
  clean(job: SourceFile & { to: string }): Promise<void>;
  /** Writes all pages as one PDF, with the stamp if there is one. */
  seal(job: { files: SourceFile[]; stamp?: Stamp; to: string }): Promise<void>;
  close(): Promise<void>;
};

const tooHeavy: Refused = { refused: "takes too much time or memory to open: save it anew, with less in it" };

export function openPageFiles(): PageFiles {
  // The build puts the worker beside the server's own files; from source it is the file next to this one.
  const isSource = import.meta.url.endsWith(".ts");
  const pool = new Piscina({
    filename: new URL(isSource ? "./worker.ts" : "./page-worker.js", import.meta.url).href,
    minThreads: 0,
    maxThreads: 1,
    // An idle worker gives back what a large PDF made it take.
    idleTimeout: 10_000,
    resourceLimits: { maxOldGenerationSizeMb: 256 },
  });
  let last: Promise<unknown> = Promise.resolve();
  /** Runs a job when those before it are done. One that takes longer than `seconds` is ended, and its worker with it. */
  function run<T>(name: string, seconds: number, job: object): Promise<T> {
    const turn = last.then(() => pool.run(job, { name, signal: AbortSignal.timeout(seconds * 1000) }) as Promise<T>);
    last = turn.catch(() => {});
    return turn;
  }
  return {
    // What can't be opened in time, or takes the worker down with it, can't be a page file.
    inspect: (job) => run<Inspected | Refused>("inspect", 30, job).catch(() => tooHeavy),
    draw: (job) => run("draw", 30, job),
    clean: (job) => run("clean", 120, job),
    seal: (job) => run("seal", 300, job),
    close: () => pool.close({ force: true }),
  };
}
