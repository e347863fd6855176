import { sql } from "kysely";
import { noteSentences } from "#lib/page-files/notes/notes.ts";
import { type Actor, documentsWithin } from "../access.ts";
import type { Complete } from "../contract/call.ts";
import type { BulkIssue, BulkIssueRow } from "../contract/bulk-issues.ts";
import type { Db } from "../db/tables.ts";
import type { codeOrigins } from "../hosts/host-queries.ts";
import { verifyUrl } from "../documents/document-queries.ts";
import { storedFacts } from "../files/read-table.ts";
import { recipientSettings } from "../recipients/settings.ts";
import type { Services } from "../services.ts";
import { currentBill } from "../tariffs/bill.ts";
import { fieldChoices } from "./columns.ts";
import { awaitingRows, planOf, type reachableBulkIssues, type StoredBulkIssue } from "./bulk-issue-queries.ts";
import type { Problem } from "./rows.ts";
import { templateOf, templatesOf } from "./content/templates.ts";

/** Bulk issues and their rows in the contract's form. */

/** The fields that columns of a bulk issue's table can have. */
export async function choicesOf({ db }: Pick<Services, "db">, issue: StoredBulkIssue) {
  const { delivers } = await recipientSettings(db, issue.company_id);
  return fieldChoices({
    content: issue.content,
    templateFields: (await templateOf(db, issue))?.columns ?? [],
    delivers,
  });
}

type Reader = Pick<Actor, "id">;
type WithUser = StoredBulkIssue & { user: string; awaiting_release: number | null };

/** Bulk issues with the name of their user, and how many of their rows await release. */
export const withUserAndAwaiting = (issues: ReturnType<typeof reachableBulkIssues>) =>
  issues
    .innerJoin("users", "users.id", "bulk_issues.user_id")
    .selectAll("bulk_issues")
    .select("users.name as user")
    .select((eb) => awaitingRows(eb).as("awaiting_release"));

export function asBulkIssue(issue: WithUser, reader: Reader) {
  const { common, columns, mapping } = planOf(issue);
  const { id, state, reason, user, content, table_name, archive_name, archive_files } = issue;
  const { rows, checked, wrong, noted, pages, issued, refused, left_out, created_at, version } = issue;
  return {
    id,
    state,
    reason,
    user,
    is_own: issue.user_id === reader.id,
    ...common,
    content,
    template: issue.template_id,
    table_name,
    table: storedFacts(issue.table_facts),
    columns,
    mapping,
    archive_name,
    archive_files,
    fields: [],
    templates: [],
    notes: [],
    pages_used: null,
    pages_included: null,
    leave_out_wrong: issue.leave_out_wrong === 1,
    rows,
    checked,
    wrong,
    noted,
    pages,
    issued,
    refused,
    left_out,
    awaiting_release: issue.awaiting_release ?? 0,
    created_at,
    started_at: issue.started_at ?? "",
    finished_at: issue.finished_at ?? "",
    version,
  } satisfies Complete<typeof BulkIssue>;
}

/** One bulk issue with what its columns can be, and once it is checked, how many pages the plan includes. */
export async function bulkIssueReply(services: Services, actor: Actor, id: number) {
  const { db, now } = services;
  const issue = await withUserAndAwaiting(
    db.selectFrom("bulk_issues").where("bulk_issues.id", "=", id),
  ).executeTakeFirstOrThrow();
  const template = await templateOf(db, issue);
  const ofTemplate = template ? noteSentences(template.name, JSON.parse(template.notes) as string[], true) : [];
  const notes = [...ofTemplate, ...(JSON.parse(issue.table_notes) as string[])];
  const reply = { ...asBulkIssue(issue, actor), fields: await choicesOf(services, issue), notes };
  if (issue.state === "draft") return { ...reply, templates: await templatesOf(db, issue.company_id) };
  if (issue.state !== "checked") return reply;
  // A sum over the month's documents, too much for a page that asks every second.
  const { pages, pages_included } = await currentBill(db, actor, now());
  return { ...reply, pages_used: pages, pages_included };
}

/** The rows of a bulk issue, with the documents that they became and the actor may read. */
export const bulkRows = (db: Db, actor: Actor, id: number) =>
  db
    .selectFrom("bulk_issue_rows")
    .leftJoin("documents", (join) =>
      join
        .onRef("documents.id", "=", "bulk_issue_rows.document_id")
        .on((eb) => documentsWithin(actor, "read")(eb as never)),
    )
    .where("bulk_issue_rows.bulk_issue_id", "=", id)
    .select(["bulk_issue_rows.line", "bulk_issue_rows.cells", "bulk_issue_rows.state", "bulk_issue_rows.problems"])
    .select([
      "bulk_issue_rows.pages",
      "bulk_issue_rows.notes",
      "bulk_issue_rows.document_id",
      "bulk_issue_rows.release_id",
      "documents.id as document",
      "documents.number",
      "documents.code",
      "documents.host_id",
    ]);

type JoinedRow = Awaited<ReturnType<ReturnType<typeof bulkRows>["execute"]>>[number];

export const asBulkRow = ({ line, cells, state, problems, notes, pages, document, number, ...ids }: JoinedRow) =>
  ({
    line,
    state,
    pages,
    document,
    release: ids.document_id === null ? ids.release_id : null,
    cells: JSON.parse(cells) as string[],
    problems: JSON.parse(problems) as Problem[],
    notes: JSON.parse(notes) as string[],
    number: number ?? "",
  }) satisfies Complete<typeof BulkIssueRow>;

/** The documents that a bulk issue has issued and the actor may read. */
export const bulkDocuments = (db: Db, actor: Actor, id: number) =>
  db
    .selectFrom("bulk_issue_rows")
    .innerJoin("documents", "documents.id", "bulk_issue_rows.document_id")
    .where("bulk_issue_rows.bulk_issue_id", "=", id)
    .where((eb) => documentsWithin(actor, "read")(eb as never))
    .select([
      "bulk_issue_rows.line",
      "documents.id",
      "documents.number",
      "documents.name",
      "documents.code",
      "documents.host_id",
    ]);

type BulkDocument = { line: number; id: number; number: string; name: string; code: string; host_id: number | null };

export const asBulkDocument =
  (codeOrigin: Awaited<ReturnType<typeof codeOrigins>>) =>
  ({ code, host_id, ...document }: BulkDocument) => ({
    ...document,
    verify_url: verifyUrl(codeOrigin({ host_id }), code),
  });

const batchSize = 500;

/** All rows in the table's order, some at a time. */
export async function* allBulkRows(
  db: Db,
  actor: Actor,
  id: number,
  onlyRefused: boolean,
): AsyncGenerator<JoinedRow[]> {
  for (let after = -1; ;) {
    const rows = await bulkRows(db, actor, id)
      .where("bulk_issue_rows.line", ">", after)
      .$if(onlyRefused, (query) =>
        query.where("bulk_issue_rows.problems", "!=", sql.lit("[]")).where("bulk_issue_rows.state", "!=", "issued"),
      )
      .orderBy("bulk_issue_rows.line")
      .limit(batchSize)
      .execute();
    if (rows.length > 0) yield rows;
    if (rows.length < batchSize) return;
    after = rows.at(-1)!.line;
  }
}
