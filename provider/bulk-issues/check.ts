import { FirstReadAlike, takenMessage, usedNumbers } from "../documents/numbers.ts";
import { PageWorkFailed } from "#lib/page-files/refusals.ts";
import type { Actor } from "../access.ts";
import { inCompanyTransaction } from "../company/company-queries.ts";
import { dateIn } from "../calendar/calendar.ts";
import type { NewDocument } from "../contract/document-form.ts";
import { doubtfulDates, type DoubtfulDate } from "../contract/doubtful-dates.ts";
import type { Db } from "../db/tables.ts";
import { resolveOwnerAndGroup } from "../documents/columns.ts";
import { companyRequester } from "../files/requesters.ts";
import { HttpError } from "../http/errors.ts";
import { requireSendable } from "../recipients/recipients.ts";
import { rangeMessage, rangesOf } from "../number-ranges/range-numbers.ts";
import type { Services } from "../services.ts";
import type { Content } from "./content/content.ts";
import { planOf, type StoredBulkIssue } from "./bulk-issue-queries.ts";
import { asProblems, cellOf, columnOfField, type Problem, readRow, type RowPlan, storedProblems } from "./rows.ts";

/** Checking rows as issuing would, some at a time, so that it can be interrupted anywhere. */

/** Rows whose results are stored together. */
const batchSize = 25;

export type Checker = {
  /** Checks some rows; returns whether there were any. Throws as `PageFiles.work` does. */
  checkSome(actor: Actor, content: Content, signal: AbortSignal): Promise<boolean>;
};

type Row = { line: number; cells: string[] };
type Result = { line: number; problems: Problem[]; notes: string[]; pages: number };

export async function createChecker(services: Services, issue: StoredBulkIssue): Promise<Checker> {
  const { db } = services;
  const plan = planOf(issue);
  const lines = await linesByNumber(db, issue.id, plan);
  const refusedOwners = new Map<string, Record<string, string[]>>();

  async function refusalsOf(actor: Actor, names: { email: string; users_access_group: string }) {
    const key = JSON.stringify([names.email, names.users_access_group]);
    if (!refusedOwners.has(key)) refusedOwners.set(key, await ownerRefusals(db, actor, names));
    return refusedOwners.get(key)!;
  }

  async function checkRow(actor: Actor, content: Content, row: Row, signal: AbortSignal): Promise<Result> {
    const { line, cells } = row;
    const parsed = readRow(plan, cells);
    const problems = parsed.problems ?? [];
    if (parsed.draft) {
      const columnOf = new Map(plan.mapping.map((field, n) => [field, plan.columns[n]!]));
      problems.push(...asProblems(await refusalsOf(actor, parsed.draft), columnOf));
      const { number } = parsed.draft;
      const first = lines.before(line, number);
      if (first) {
        const message = `Line ${first.line} has the number ${first.number} too: change one of them`;
        problems.push({ column: columnOfField(plan, "number"), message });
      }
      const refusal = parsed.recipient && (await sendingRefusal(services, actor, parsed.draft));
      if (refusal) problems.push({ column: columnOfField(plan, "recipient_email"), message: refusal });
    }
    const requester = companyRequester(issue.company_id, "background", signal);
    const result = await content.check(requester, cells).catch((error: unknown) => {
      if (!(error instanceof PageWorkFailed)) throw error;
      return { problems: [{ column: columnOfField(plan, "file"), message: error.message }] };
    });
    if ("problems" in result) problems.push(...result.problems);
    const { pages, notes } = "pages" in result ? result : { pages: 0, notes: [] };
    const doubts = doubtfulDates(parsed.draft ?? {}, dateIn(actor.timezone, services.now()));
    return { line, problems, notes: [...doubts.map(dateNote), ...notes], pages };
  }

  return {
    async checkSome(actor, content, signal) {
      const rows = await uncheckedRows(db, issue.id);
      const results: Result[] = [];
      const cells = rows.map((row) => row.cells);
      const requester = companyRequester(issue.company_id, "background", signal);
      if (rows.length > 0) await content.prepare?.(requester, cells);
      for (const row of rows) {
        if (signal.aborted) return false;
        results.push(await checkRow(actor, content, row, signal));
      }
      const date = dateIn(actor.timezone, services.now());
      await markTaken(db, issue, { plan, rows, results, date });
      const notes = rows.length === 0 ? await content.overall(requester, cellsOf(allRows(db, issue.id))) : undefined;
      await storeResults(services, issue, results, notes);
      return rows.length > 0;
    },
  };
}

const dateNote = ({ field, date }: DoubtfulDate) =>
  field === "date" ? `Its creation date, ${date}, is far ahead` : `Its expire date, ${date}, is over already`;

async function uncheckedRows(db: Db, id: number): Promise<Row[]> {
  const rows = await db
    .selectFrom("bulk_issue_rows")
    .where("bulk_issue_id", "=", id)
    .where("checked", "=", 0)
    .orderBy("line")
    .limit(batchSize)
    .select(["line", "cells"])
    .execute();
  return rows.map(({ line, cells }) => ({ line, cells: JSON.parse(cells) as string[] }));
}

const pageOfRows = 200;

async function* allRows(db: Db, id: number): AsyncGenerator<Row[]> {
  for (let after = -1; ;) {
    const rows = await db
      .selectFrom("bulk_issue_rows")
      .where("bulk_issue_id", "=", id)
      .where("line", ">", after)
      .orderBy("line")
      .limit(pageOfRows)
      .select(["line", "cells"])
      .execute();
    yield rows.map(({ line, cells }) => ({ line, cells: JSON.parse(cells) as string[] }));
    if (rows.length < pageOfRows) return;
    after = rows.at(-1)!.line;
  }
}

async function* cellsOf(pages: AsyncIterable<Row[]>) {
  for await (const rows of pages) for (const { cells } of rows) yield cells;
}

/** The first lines of the table's numbers, as they are read. */
async function linesByNumber(db: Db, id: number, plan: RowPlan): Promise<FirstReadAlike> {
  const lines = new FirstReadAlike();
  if (!plan.mapping.includes("number")) return lines;
  for await (const rows of allRows(db, id)) {
    for (const { line, cells } of rows) lines.add(line, cellOf(plan, cells, "number"));
  }
  return lines;
}

async function ownerRefusals(db: Db, actor: Actor, names: { email: string; users_access_group: string }) {
  try {
    await resolveOwnerAndGroup(db, actor, names, { right: "create" });
    return {};
  } catch (error) {
    if (error instanceof HttpError && error.errors) return error.errors;
    throw error;
  }
}

/** Why a row’s document could not be sent to its recipient. */
async function sendingRefusal(services: Services, actor: Actor, { expire_type, expire_date }: NewDocument) {
  const document = {
    status: "active",
    status_before_archive: null,
    expire_date: expire_type === "never" ? null : expire_date,
  } as const;
  try {
    await requireSendable(services, services.db, actor, document);
    return undefined;
  } catch (error) {
    if (error instanceof HttpError) return error.message;
    throw error;
  }
}

type Checked = { plan: RowPlan; rows: Row[]; results: Result[]; date: string };

/** Adds problems for numbers that documents use already or ranges will give, with one query for all rows. */
async function markTaken(db: Db, { company_id }: StoredBulkIssue, { plan, rows, results, date }: Checked) {
  const numbers = rows.map(({ cells }) => cellOf(plan, cells, "number"));
  const filled = numbers.filter((number) => number !== "");
  if (filled.length === 0) return;
  const used = await usedNumbers(db, company_id, filled);
  const ranges = await rangesOf(db, company_id);
  numbers.forEach((number, n) => {
    if (number === "") return;
    const other = used.get(number);
    const message = other === undefined ? rangeMessage(ranges, number, date) : takenMessage(number, other);
    if (message) results[n]!.problems.push({ column: columnOfField(plan, "number"), message });
  });
}

/** Stores results, unless the bulk issue was changed during the check: then all is checked again. */
async function storeResults(
  { db, now }: Pick<Services, "db" | "now">,
  issue: StoredBulkIssue,
  results: Result[],
  notes: string[] | undefined,
) {
  await inCompanyTransaction(db, issue.company_id, async (transaction) => {
    const wrong = results.filter(({ problems }) => problems.length > 0);
    const pages = results.filter(({ problems }) => problems.length === 0).reduce((sum, row) => sum + row.pages, 0);
    const { numUpdatedRows } = await transaction
      .updateTable("bulk_issues")
      .set((eb) => ({
        checked: eb("checked", "+", results.length),
        wrong: eb("wrong", "+", wrong.length),
        noted: eb("noted", "+", results.filter(({ notes }) => notes.length > 0).length),
        pages: eb("pages", "+", pages),
        ...(notes && { state: "checked" as const, table_notes: JSON.stringify(notes) }),
        changed_at: now().toISOString(),
      }))
      .where("id", "=", issue.id)
      .where("state", "=", "checking")
      .where("version", "=", issue.version)
      .executeTakeFirst();
    if (numUpdatedRows === 0n) return;
    for (const { line, problems, notes, pages } of results) {
      const wrong = problems.length > 0 ? 1 : 0;
      await transaction
        .updateTable("bulk_issue_rows")
        .set({ checked: 1, problems: storedProblems(problems), notes: JSON.stringify(notes), wrong, pages })
        .where("bulk_issue_id", "=", issue.id)
        .where("line", "=", line)
        .execute();
    }
  });
}
