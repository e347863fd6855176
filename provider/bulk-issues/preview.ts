import { readFile } from "node:fs/promises";
import { withWorkFile } from "#lib/storage/files/work-file.ts";
import type { Actor } from "../access.ts";
import { actorRequester } from "../files/requesters.ts";
import { conflict, invalid, notFound } from "../http/errors.ts";
import type { Services } from "../services.ts";
import { openContent } from "./content/open-content.ts";
import { planOf, type StoredBulkIssue } from "./bulk-issue-queries.ts";

type Page = { line: number; page: number; signal: AbortSignal };

/** An image of a page of the document that a row would become, as WebP. It is drawn each time, as few are viewed. */
export async function previewRow(
  services: Services,
  actor: Actor,
  issue: StoredBulkIssue,
  { line, page, signal }: Page,
) {
  const { db, files } = services;
  const row = await db
    .selectFrom("bulk_issue_rows")
    .where("bulk_issue_id", "=", issue.id)
    .where("line", "=", line)
    .select("cells")
    .executeTakeFirst();
  if (!row) throw notFound();
  const cells = JSON.parse(row.cells) as string[];
  const content = await openContent(services, { ...planOf(issue), issue });
  if (!content) throw conflict("The page files are not there: add them, or look at the documents that were issued");
  const drawn = await withWorkFile(files, (to) =>
    content.withPageFile(actorRequester(actor, signal), cells, async ({ path, jobs, inspected }) => {
      if (page > inspected.pages) throw notFound();
      await jobs.draw({ path, type: inspected.type, page, size: "large", to });
      return readFile(to);
    }),
  ).finally(() => content.close());
  if ("problems" in drawn) {
    throw invalid(Object.fromEntries(drawn.problems.map(({ column, message }) => [column || "file", message])));
  }
  return drawn;
}
