import { Piscina } from "piscina";
import { figures } from "#metrics";
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
  /** A picture of any usual kind as a PNG; undefined where it is none. */
  asPng(job: { picture: Uint8Array }): Promise<Uint8Array<ArrayBuffer> | undefined>;
  /** Draws a JPG, PNG or WebP as a picture of 512 px at most, without metadata; false where it is none. */
  picture(job: { path: string; to: string }): Promise<boolean>;
  close(): Promise<void>;
};

const tooHeavy: Refused = { refused: "takes too much time or memory to open: save it anew, with less in it" };

/** How many seconds each kind of work may take: on an old machine, what is honest is done in a tenth of it. */
const patience = { inspect: 30, draw: 30, clean: 120, seal: 300, asPng: 10, picture: 10 };

export function openPageFiles(seconds = patience): PageFiles {
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
  /** Runs a job when those before it are done. One that takes too long is ended, and its worker with it. */
  function run<T>(name: keyof typeof patience, job: object): Promise<T> {
    const attempt = () => pool.run(job, { name, signal: AbortSignal.timeout(seconds[name] * 1000) }) as Promise<T>;
    const turn = last.then(() => measured(name, attempt));
    figures.pageWorkWaiting.inc();
    last = turn.catch(() => {}).finally(() => figures.pageWorkWaiting.dec());
    return turn;
  }
  return {
    // What can't be opened in time, or takes the worker down with it, can't be a page file.
    inspect: async (job) => {
      const inspected = await run<Inspected | Refused>("inspect", job).catch(() => tooHeavy);
      if ("refused" in inspected) figures.uploadsRefused.inc({ reason: "unreadable" });
      return inspected;
    },
    draw: (job) => run("draw", job),
    clean: (job) => run("clean", job),
    seal: (job) => run("seal", job),
    asPng: (job) => run<Uint8Array<ArrayBuffer>>("asPng", job).catch(() => undefined),
    picture: async (job) => {
      const isPicture = await run<boolean>("picture", job).catch(() => false);
      if (!isPicture) figures.uploadsRefused.inc({ reason: "unreadable" });
      return isPicture;
    },
    close: () => pool.close({ force: true }),
  };
}

async function measured<T>(work: string, attempt: () => Promise<T>): Promise<T> {
  const end = figures.pageWorkSeconds.startTimer({ work });
  try {
    const result = await attempt();
    end({ outcome: "done" });
    return result;
  } catch (error) {
    end({ outcome: "failed" });
    throw error;
  }
}
