import type { Received } from "#lib/intake/form-body.ts";
import type { Inspected } from "#lib/page-files/file-types.ts";
import type { PageJobs } from "#lib/page-files/page-files.ts";
import type { Requester } from "#lib/page-files/process/requesters.ts";
import type { StoredBulkIssue } from "../bulk-issue-queries.ts";
import type { Problem, RowPlan } from "../rows.ts";

/** Problems of a row's pages. */
export type Wrong = { problems: Problem[] };

/** The source of the pages of a bulk issue's documents. */
export type Content = {
  /** Optional batch prefetch of the pages of some rows. */
  prepare?(requester: Requester, rows: string[][]): Promise<void>;
  /** The pages of a row's document with notes, or their problems. Throws as `PageFiles.work` does. */
  check(requester: Requester, cells: string[]): Promise<{ pages: number; notes: string[] } | Wrong>;
  /** Sentences on the table as a whole, once its rows were checked. */
  overall(requester: Requester, rows: AsyncIterable<string[]>): Promise<string[]>;
  /** Stores the page file of a row below a folder. */
  store(requester: Requester, cells: string[], folder: string): Promise<Received | Wrong>;
  /** Calls `use` with the local path of a row's page file. */
  withPageFile<T>(
    requester: Requester,
    cells: string[],
    use: (file: { path: string; jobs: PageJobs; inspected: Inspected }) => Promise<T>,
  ): Promise<T | Wrong>;
  close(): void;
};

export type ContentOf = RowPlan & { issue: StoredBulkIssue };

const maxListed = 10;

/** The first of some names, as a part of a sentence. */
export const listed = (names: string[]) =>
  names
    .slice(0, maxListed)
    .map((name) => name.slice(0, 100))
    .join(", ") + (names.length > maxListed ? " …" : "");
