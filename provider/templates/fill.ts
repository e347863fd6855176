import { randomUUID } from "node:crypto";
import { rm } from "node:fs/promises";
import type { Requester, Requesters } from "#lib/page-files/process/requesters.ts";
import type { FillProblem } from "#lib/page-files/templates/template.ts";
import type { Services } from "../services.ts";

/** Filling templates, each row to a PDF in the work folder. */

type Values = Record<string, string>;

/** A filled PDF at a local path, or why there is none, by column. */
export type FilledRow = { path: string } | { problems: FillProblem[] };

type ToFill = {
  /** The key of the template's file in the store. */
  key: string;
  /** Values by column; a column without a value stays empty. */
  rows: Values[];
};

/**
 * Fills a template from some rows in one job, which reads the template once, and calls `use` with a result for each row in
 * order. The files are removed when it ends: files to keep are adopted or copied before. At most 200 rows a call.
 */
export async function withFilledRows<T>(
  { files, pageFiles }: Pick<Services, "files" | "pageFiles">,
  requester: Requester | Requesters,
  { key, rows }: ToFill,
  use: (filled: FilledRow[]) => Promise<T>,
): Promise<T> {
  if (rows.length > maxRowsPerJob) throw new RangeError(`A job fills at most ${maxRowsPerJob} rows`);
  const paths: string[] = [];
  try {
    for (const _ of rows) paths.push(await files.workPath(randomUUID()));
    const job = rows.map((values, n) => ({ values, to: paths[n]! }));
    const problems = await pageFiles.work(requester, (jobs) =>
      files.withLocalPaths([key], ([path]) => jobs.fillMany({ path: path!, rows: job })),
    );
    return await use(
      problems.map((rowProblems, n) => (rowProblems.length > 0 ? { problems: rowProblems } : { path: paths[n]! })),
    );
  } finally {
    await Promise.all(paths.map((path) => rm(path, { force: true })));
  }
}

/** Within the processor seconds of a job, with the largest templates. */
const maxRowsPerJob = 200;
