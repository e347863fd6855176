import { metrics } from "../metrics.ts";
import { mebibytesInBytes, secondsInMs } from "../units.ts";
import type { Comparison, ComparisonJob } from "./compare/compare.ts";
import type { Seal, SourceFile } from "./seal/compose.ts";
import type { LabelsToPrint } from "./labels/label-pdf.ts";
import type { SealSpaces } from "./pdf/pdf-file.ts";
import type { SignatureForm, Space } from "./pdf/pdf-signature.ts";
import { type PageImageSize, type Inspected, type Rejection } from "./file-types.ts";
import { type JobName, startPageProcess } from "./process/page-process.ts";
import { type QueueSettings, WorkQueue } from "./process/queue.ts";
import type { Wanted } from "./reading/labels.ts";
import type { Reading } from "./reading/read-fields.ts";
import { PageWorkBusy, PageWorkFailed } from "./refusals.ts";
import type { Report } from "./reports/report-pdf.ts";
import { type Requester, Requesters } from "./process/requesters.ts";
import type { ReadTable, TableJob } from "./reports/table.ts";
import type { FillProblem, FillRow, ReadTemplate } from "./templates/template.ts";

/** Work on page files, and PDFs of our own, in separate processes, in the order of `queue.ts`. */
export type PageFiles = {
  /** Takes a slot of the queue and returns its release. Throws `PageWorkBusy` if none is free. */
  enter(requester: Requester): () => void;
  /** Calls `use` with queued jobs, which throw as `WorkQueue.run` does. `Requesters` of shared work have slots already. */
  work<T>(requester: Requester | Requesters, use: (jobs: PageJobs) => Promise<T>): Promise<T>;
  /** Starts a process unless one waits, and keeps one from now on. */
  keepOne(): void;
  /** Aborts `stopping`, which ends the reading of tables with `PageWorkBusy`; other jobs go on. */
  stopTables(): void;
  stopping: AbortSignal;
  close(): Promise<void>;
};

/** All paths are local. */
export type PageJobs = {
  /** Checks whether a file can be a page file, and draws a thumbnail of its first page to `image`. */
  inspect(job: { path: string; image: string }): Promise<Inspected | Rejection>;
  /** Draws one page (from 1) as WebP. `check` runs before each start, and throws if the job is no longer needed. */
  draw(job: SourceFile & { page: number; size: PageImageSize; to: string }, check?: () => Promise<void>): Promise<void>;
  /** Reads what its first pages say of a document's fields; nothing if that takes too much, or it is damaged. */
  readPages(job: SourceFile & { wanted: Wanted }): Promise<Reading[]>;
  /** The texts of a picture's QR codes; none if it is no picture that can be read. */
  readQrCodes(job: { path: string }): Promise<string[]>;
  /** Writes the file without metadata. */
  clean(job: SourceFile & { to: string }): Promise<void>;
  /** Writes all pages as one PDF. Returns the spaces for the seal. */
  seal(job: Seal & { files: SourceFile[]; to: string }): Promise<SealSpaces>;
  /** Compares a file with a sealed PDF by how the pages look, or says why it can't be compared. */
  compare(job: ComparisonJob): Promise<Comparison | Rejection>;
  /** Writes a picture of any common format as PNG; false if it can't be read. */
  asPng(job: { path: string; to: string }): Promise<boolean>;
  /** Reads the columns of a template and draws its first page to `image`, or says why the file can't be one. */
  readTemplate(job: { path: string; image: string }): Promise<ReadTemplate | Rejection>;
  /** Writes a filled PDF for each row, and returns each row's problems: a row with any gets no file. */
  fillMany(job: { path: string; rows: FillRow[] }): Promise<FillProblem[][]>;
  /** Reads a table and writes its rows to a file (`lib/intake/tables/table-rows.ts`), or says in a sentence why it can't be read. */
  readTable(job: TableJob): Promise<ReadTable | Rejection>;
  /** Writes label sheets as PDF. */
  labels(job: LabelsToPrint & { to: string }): Promise<void>;
  /** Writes a report as PDF. Returns the space for its signature. */
  report(job: { report: Report; signature: SignatureForm; to: string }): Promise<Space>;
  /** Scales a JPG, PNG or WebP to at most 512 px, without metadata; returns a sentence if it is refused. */
  picture(job: { path: string; to: string }): Promise<Rejection | undefined>;
};

export const tooHeavy: Rejection = {
  refused: "takes too much time or memory to open: save it again with less content",
};
export const damaged: Rejection = { refused: "is damaged and can’t be read" };

/** Processor seconds allowed for each job: benign files take a tenth of it on an old machine. */
const processorSeconds: Record<JobName, number> = {
  inspect: 20,
  covered: 5,
  draw: 20,
  readPages: 10,
  readQrCodes: 10,
  clean: 60,
  seal: 200,
  compare: 90,
  asPng: 10,
  readTemplate: 20,
  fillMany: 60,
  readTable: 20,
  labels: 60,
  report: 60,
  picture: 10,
};

type Settings = Partial<QueueSettings> & { seconds?: Partial<typeof processorSeconds> };

const defaults: QueueSettings = {
  startProcess: startPageProcess,
  slots: {
    staff: { tenant: 100, total: 400 },
    background: { tenant: 10, total: 20 },
    public: { tenant: 10, total: 30 },
  },
  turnSeconds: { equal: 2, better: 0.25 },
  // A 600 dpi scan of an A3 sheet takes up to 345 MB while it is rotated.
  // A new process has 65 MB, one that worked on usual files 110 to 130 MB; 45 MB of them are shared with the server.
  memoryBytes: { alone: mebibytesInBytes(400), concurrent: mebibytesInBytes(200), idle: mebibytesInBytes(140) },
  idleMs: secondsInMs(10),
};

/** The first process starts with the first job, or with `keepOne`. */
export function openPageFiles({ seconds, ...settings }: Settings = {}): PageFiles {
  const queue = new WorkQueue({ ...defaults, ...settings });
  const limits = { ...processorSeconds, ...seconds };
  const stop = new AbortController();
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
    keepOne: () => queue.keepOne(),
    stopTables: () => stop.abort(new PageWorkBusy()),
    stopping: stop.signal,
    close: () => queue.close(),
  };
}

type Run = (name: JobName, job: object, check?: () => Promise<void>) => Promise<unknown>;

function jobsThrough(run: Run): PageJobs {
  const rejectionOf = (error: unknown): Rejection => {
    if (!(error instanceof PageWorkFailed)) throw error;
    return error.reason === "unreadable" ? damaged : tooHeavy;
  };
  /** A failure while writing a PDF of our own is not a user's fault. */
  const asOurs = (error: unknown): never => {
    throw error instanceof PageWorkFailed ? new Error("A PDF could not be written", { cause: error }) : error;
  };
  const counted = <T extends object | undefined>(result: T) => {
    if (result && "refused" in result) metrics.uploadsRefused.inc({ reason: "unreadable" });
    return result;
  };
  return {
    async inspect(job) {
      const result = counted(await (run("inspect", job) as Promise<Inspected | Rejection>).catch(rejectionOf));
      if ("refused" in result || !result.covered.includes("?")) return result;
      // A file is no worse for pages that can't be drawn.
      const whole = run("covered", { path: job.path, covered: result.covered }) as Promise<string>;
      return { ...result, covered: await whole.catch((error) => rejectionOf(error) && result.covered) };
    },
    async draw(job, check) {
      await run("draw", job, check);
    },
    readPages: (job) => (run("readPages", job) as Promise<Reading[]>).catch((error) => rejectionOf(error) && []),
    readQrCodes: (job) => (run("readQrCodes", job) as Promise<string[]>).catch((error) => rejectionOf(error) && []),
    async clean(job) {
      await run("clean", job);
    },
    seal: (job) => run("seal", job) as Promise<SealSpaces>,
    compare: (job) => (run("compare", job) as Promise<Comparison | Rejection>).catch(rejectionOf),
    readTemplate: async (job) =>
      counted(await (run("readTemplate", job) as Promise<ReadTemplate | Rejection>).catch(rejectionOf)),
    fillMany: (job) => run("fillMany", job) as Promise<FillProblem[][]>,
    async readTable(job) {
      const result = run("readTable", job) as Promise<ReadTable | Rejection>;
      return counted(await result.catch((error) => ({ refused: `The file ${rejectionOf(error).refused}` })));
    },
    async labels(job) {
      await run("labels", job).catch(asOurs);
    },
    report: (job) => (run("report", job) as Promise<Space>).catch(asOurs),
    asPng: (job) =>
      run("asPng", job).then(
        () => true,
        (error: unknown) => !rejectionOf(error),
      ),
    async picture(job) {
      const result = run("picture", job) as Promise<Rejection | undefined>;
      return counted(await result.catch((error) => ({ refused: `This image ${rejectionOf(error).refused}` })));
    },
  };
}
