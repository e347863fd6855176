import type { Received } from "#lib/intake/form-body.ts";
import type { Inspected } from "#lib/page-files/file-types.ts";
import type { PageJobs } from "#lib/page-files/page-files.ts";
import type { Requester } from "#lib/page-files/process/requesters.ts";
import type { StoredBulkIssue } from "../bulk-issue-queries.ts";
import type { Problem, RowPlan } from "../rows.ts";

/** What is wrong with a row's pages. */
export type Wrong = { problems: Problem[] };

/** Where the pages of a bulk issue's documents come from. */
export type Content = {
  /** Gets the pages of some rows ready together, where that is quicker; the other calls are right without. */
  prepare?(requester: Requester, rows: string[][]): Promise<void>;
  /** The pages of a row's document with sentences on them, or what is wrong with them. Throws as `PageFiles.work` does. */
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

/** Some names in a sentence, of which the first are said. */
export const listed = (names: string[]) =>
  names
    .slice(0, maxListed)
    .map((name) => name.slice(0, 100))
    .join(", ") + (names.length > maxListed ? " …" : "");
