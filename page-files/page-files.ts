import { metrics } from "#metrics";
import { megabytesInBytes, secondsInMs } from "#units";
import type { SourceFile } from "./compose.ts";
import type { Stamp } from "./stamp.ts";
import { type DrawnSize, type Inspected, type Refused } from "./kinds.ts";
import { type JobName, startPageProcess } from "./page-process.ts";
import { type QueueSettings, WorkQueue } from "./queue.ts";
import { PageWorkFailed } from "./refusals.ts";
import { type Requester, Requesters } from "./requesters.ts";

/** The work on page files, in processes beside the server (`queue.ts` says in which order). */
export type PageFiles = {
  /** Takes a place in the queue, or throws `PageWorkBusy` where too many wait. What it returns gives the place back. */
  enter(requester: Requester): () => void;
  /**
   * Jobs for `use`, which run when their turn comes, and throw as `WorkQueue.run` says. A single requester takes a place
   * first; those of shared work have theirs.
   */
  work<T>(requester: Requester | Requesters, use: (jobs: PageJobs) => Promise<T>): Promise<T>;
  close(): Promise<void>;
};

/** All paths are on this machine. */
export type PageJobs = {
  /** Whether the file at `path` can be a page file; draws its first page, small, to `drawn` if so. */
  inspect(job: { path: string; drawn: string }): Promise<Inspected | Refused>;
  /** Draws one page (from 1) as WebP. `check` throws where it has become pointless while it waited. */
  draw(job: SourceFile & { page: number; size: DrawnSize; to: string }, check?: () => Promise<void>): Promise<void>;
  /** Writes the file without metadata, as it may be shown and downloaded. */
  clean(job: SourceFile & { to: string }): Promise<void>;
  /** Writes all pages as one PDF, with the stamp if there is one. */
  seal(job: { files: SourceFile[]; stamp?: Stamp | undefined; to: string }): Promise<void>;
  /** Writes a picture of any usual kind as a PNG; false where it is none. */
  asPng(job: { path: string; to: string }): Promise<boolean>;
  /** Draws a JPG, PNG or WebP as a picture of 512 px at most, without metadata, or says why not in a sentence. */
  picture(job: { path: string; to: string }): Promise<Refused | undefined>;
};

const tooHeavy: Refused = { refused: "takes too much time or memory to open: save it anew, with less in it" };
const damaged: Refused = { refused: "is damaged and can’t be read" };

/** Processor seconds that each kind of work may take: on an old machine, what is honest is done in a tenth of it. */
const processorSeconds: Record<JobName, number> = {
  inspect: 20,
  draw: 20,
  clean: 60,
  seal: 200,
  asPng: 10,
  picture: 10,
};

type Settings = Partial<QueueSettings> & { seconds?: Partial<typeof processorSeconds> };

const usual: QueueSettings = {
  startProcess: startPageProcess,
  places: {
    staff: { tenant: 100, total: 400 },
    background: { tenant: 10, total: 20 },
    public: { tenant: 10, total: 30 },
  },
  turn: { equal: 2, better: 0.25 },
  // A scan of an A3 sheet at 600 dpi takes up to 345 MB while it is turned.
  memory: { alone: megabytesInBytes(400), beside: megabytesInBytes(200) },
  idleMs: secondsInMs(10),
};

/** Opens the work on page files; no process starts before the first job. */
export function openPageFiles({ seconds, ...settings }: Settings = {}): PageFiles {
  const queue = new WorkQueue({ ...usual, ...settings });
  const limits = { ...processorSeconds, ...seconds };
  return {
    enter: (requester) => queue.enter(requester),
    async work(requester, use) {
      const isShared = requester instanceof Requesters;
      const leave = isShared ? undefined : queue.enter(requester);
      const requesters = isShared ? requester : new Requesters(requester);
      const run = (name: JobName, job: object, check?: () => Promise<void>) =>
        queue.run({ name, job }, { requesters, seconds: limits[name], check });
      try {
        return await use(jobsThrough(run));
      } finally {
        leave?.();
        if (!isShared) requesters.end();
      }
    },
    close: () => queue.close(),
  };
}

type Run = (name: JobName, job: object, check?: () => Promise<void>) => Promise<unknown>;

function jobsThrough(run: Run): PageJobs {
  /** What can't be opened is refused; other errors are not the file's. */
  const refused = (error: unknown): Refused => {
    if (!(error instanceof PageWorkFailed)) throw error;
    return error.reason === "unreadable" ? damaged : tooHeavy;
  };
  const counted = <T extends object | undefined>(result: T) => {
    if (result && "refused" in result) metrics.uploadsRefused.inc({ reason: "unreadable" });
    return result;
  };
  return {
    inspect: async (job) => counted(await (run("inspect", job) as Promise<Inspected | Refused>).catch(refused)),
    async draw(job, check) {
      await run("draw", job, check);
    },
    async clean(job) {
      await run("clean", job);
    },
    async seal(job) {
      await run("seal", job);
    },
    asPng: (job) =>
      run("asPng", job).then(
        () => true,
        (error: unknown) => !refused(error),
      ),
    async picture(job) {
      const drawn = run("picture", job) as Promise<Refused | undefined>;
      return counted(await drawn.catch((error) => ({ refused: `This picture ${refused(error).refused}` })));
    },
  };
}
