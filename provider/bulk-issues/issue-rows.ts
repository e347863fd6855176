import { randomUUID } from "node:crypto";
import { PageWorkBusy, PageWorkFailed } from "#lib/page-files/refusals.ts";
import { storageFailureOf } from "#lib/storage/database/failures.ts";
import { type Actor, mayCall } from "../access.ts";
import { QuotaExceeded } from "../company/storage.ts";
import { startBulkIssue } from "../contract/bulk-issues.ts";
import { activeActor } from "../db/actors.ts";
import { inCompanyTransaction } from "../company/company-queries.ts";
import type { Db } from "../db/tables.ts";
import type { Issued } from "../documents/idempotency.ts";
import { issueDocument, type Issuer } from "../documents/issue.ts";
import { removeUnusedFolder } from "../files/orphans.ts";
import { companyRequester } from "../files/requesters.ts";
import { HttpError } from "../http/errors.ts";
import { sendIssued } from "../recipients/recipients.ts";
import type { Services } from "../services.ts";
import type { Content } from "./content/content.ts";
import { planOf, type StoredBulkIssue } from "./bulk-issue-queries.ts";
import { asProblems, type Problem, readRow, storedProblems } from "./rows.ts";
import { finishIfDone, isRunning, refuseRest } from "./state.ts";

/** Issuing one row: its document and the row that names it come into being in one transaction, so that no row is issued twice. */

/** Why a run ends before its last row. */
class Stopped extends Error {}
class RightLost extends Error {}

/** The user of a bulk issue with the rights of now; undefined if they have lost that of issuing. */
export async function issuerOf(db: Db, { user_id, company_id }: StoredBulkIssue): Promise<Actor | undefined> {
  const actor = await activeActor(db, user_id);
  return actor?.company_id === company_id && mayCall(startBulkIssue.access, actor) ? actor : undefined;
}

/** Gets the pages of the next rows ready together. */
export async function prepareNext(services: Services, issue: StoredBulkIssue, content: Content, signal: AbortSignal) {
  if (!content.prepare) return;
  const rows = await nextRows(services.db, issue.id, rowsPerTurn);
  const cells = rows.map((row) => row.cells);
  if (rows.length > 0) await content.prepare(companyRequester(issue.company_id, "background", signal), cells);
}

/** Rows of one company until another one has its turn. */
export const rowsPerTurn = 10;

/** Issues the next row. Returns whether the bulk issue goes on. Throws `PageWorkBusy`, and failures of the store. */
export async function issueNext(services: Services, issue: StoredBulkIssue, content: Content, signal: AbortSignal) {
  const { db } = services;
  const [row] = await nextRows(db, issue.id, 1);
  if (!row) return finishIfDone(services, issue);
  const actor = await issuerOf(db, issue);
  try {
    if (!actor) throw new RightLost();
    const refused = await issueRow(services, { issue, actor, content, signal, row });
    if (refused) await refuse(services, issue, row.line, refused);
    return true;
  } catch (error) {
    return handle(services, { issue, line: row.line, error, signal });
  }
}

type Row = { line: number; cells: string[] };
type Turn = { issue: StoredBulkIssue; actor: Actor; content: Content; signal: AbortSignal; row: Row };

async function nextRows(db: Db, id: number, limit: number): Promise<Row[]> {
  const rows = await db
    .selectFrom("bulk_issue_rows")
    .where("bulk_issue_id", "=", id)
    .where("state", "=", "waiting")
    .orderBy("line")
    .select(["line", "cells"])
    .limit(limit)
    .execute();
  return rows.map(({ line, cells }) => ({ line, cells: JSON.parse(cells) as string[] }));
}

/** Issues a row's document, or returns why not. */
async function issueRow(services: Services, turn: Turn): Promise<Problem[] | undefined> {
  const { issue, actor, content, signal, row } = turn;
  const plan = planOf(issue);
  const { draft, recipient, problems } = readRow(plan, row.cells);
  if (!draft) return problems;
  const requester = companyRequester(issue.company_id, "background", signal);
  const folder = `documents/${randomUUID()}`;
  try {
    const stored = await content.store(requester, row.cells, folder);
    if ("problems" in stored) return stored.problems;
    const note = async (transaction: Db, issued: Issued) => {
      await noteIssued(services, transaction, { issue, line: row.line, issued });
      if (!recipient || !("document" in issued)) return;
      await sendIssued(services, transaction, actor, { id: issued.document, recipient });
    };
    const input = { draft, received: [stored], folder, key: `${issue.folder} ${row.line}`, requester, note };
    await issueDocument(services, issuerFor(services, issue, actor), input);
    return undefined;
  } catch (error) {
    await removeUnusedFolder(services, folder);
    if (!(error instanceof HttpError) || error instanceof QuotaExceeded) throw error;
    const columnOf = new Map(plan.mapping.map((field, n) => [field === "file" ? "files" : field, plan.columns[n]!]));
    return error.errors ? asProblems(error.errors, columnOf) : [{ column: "", message: error.message }];
  }
}

/** Reads the user's rights, and whether the bulk issue still runs, in the transaction that issues. */
const issuerFor = ({ db }: Services, issue: StoredBulkIssue, actor: Actor): Issuer => ({
  actor,
  write: (work) =>
    inCompanyTransaction(db, issue.company_id, async (transaction) => {
      if (!(await isRunning(transaction, issue))) throw new Stopped();
      const now = await issuerOf(transaction, issue);
      if (!now) throw new RightLost();
      return work(transaction, now);
    }),
});

type IssuedRow = { issue: StoredBulkIssue; line: number; issued: Issued };

async function noteIssued({ now }: Services, transaction: Db, { issue, line, issued }: IssuedRow) {
  const became = "document" in issued ? { document_id: issued.document } : { release_id: issued.release };
  const { numUpdatedRows } = await transaction
    .updateTable("bulk_issue_rows")
    .set({ state: "issued", ...became, problems: "[]" })
    .where("bulk_issue_id", "=", issue.id)
    .where("line", "=", line)
    .where("state", "=", "waiting")
    .executeTakeFirst();
  // Another process has issued it: this document is not stored.
  if (numUpdatedRows === 0n) throw new Stopped();
  await transaction
    .updateTable("bulk_issues")
    .set((eb) => ({ issued: eb("issued", "+", 1), changed_at: now().toISOString() }))
    .where("id", "=", issue.id)
    .execute();
}

async function refuse({ db, now }: Services, issue: StoredBulkIssue, line: number, problems: Problem[]) {
  await inCompanyTransaction(db, issue.company_id, async (transaction) => {
    // A row without its files is none that is wrong if these went with a cancelled bulk issue.
    if (!(await isRunning(transaction, issue))) return;
    const { numUpdatedRows } = await transaction
      .updateTable("bulk_issue_rows")
      .set({ state: "refused", problems: storedProblems(problems) })
      .where("bulk_issue_id", "=", issue.id)
      .where("line", "=", line)
      .where("state", "=", "waiting")
      .executeTakeFirst();
    if (numUpdatedRows === 0n) return;
    await transaction
      .updateTable("bulk_issues")
      .set((eb) => ({ refused: eb("refused", "+", 1), changed_at: now().toISOString() }))
      .where("id", "=", issue.id)
      .execute();
  });
}

export const rightLost = "The user who began this may no longer issue documents";
const ourSide = "Something went wrong on our side: issue this row again in another table";

type Failed = { issue: StoredBulkIssue; line: number; error: unknown; signal: AbortSignal };

/** Whether the run goes on after an error. */
async function handle(services: Services, { issue, line, error, signal }: Failed): Promise<boolean> {
  if (error instanceof Stopped || signal.aborted) return false;
  if (error instanceof RightLost) return refuseRest(services, issue, rightLost);
  if (error instanceof QuotaExceeded) {
    await stopFor(services, issue, error.message);
    return false;
  }
  if (error instanceof PageWorkBusy || storageFailureOf(error)) throw error;
  const message = error instanceof PageWorkFailed ? error.message : ourSide;
  if (!(error instanceof PageWorkFailed))
    services.log.error({ err: error, bulkIssue: issue.id, line }, "row not issued");
  await refuse(services, issue, line, [{ column: "", message }]);
  return true;
}

const stopFor = ({ db, now }: Services, { id }: StoredBulkIssue, reason: string) =>
  db
    .updateTable("bulk_issues")
    .set((eb) => ({ state: "waiting", reason, changed_at: now().toISOString(), version: eb("version", "+", 1) }))
    .where("id", "=", id)
    .where("state", "=", "running")
    .execute();
