import type { Caller } from "../access.ts";
import type { Db } from "../db/tables.ts";
import { inCallerTransaction } from "../http/caller-transaction.ts";
import { conflict } from "../http/errors.ts";
import type { Services } from "../services.ts";
import { findBulkIssue, findChangeable, findOwn, planOf, type StoredBulkIssue } from "./bulk-issue-queries.ts";
import { templateOf } from "./content/templates.ts";
import { readRow } from "./rows.ts";
import { noteStep, removeArchive } from "./state.ts";

/** The steps of a bulk issue: check, start, pause, resume, cancel. */

type Moved = Pick<StoredBulkIssue, "id" | "state"> &
  Partial<Pick<StoredBulkIssue, "started_at" | "finished_at" | "leave_out_wrong" | "archive_key">>;

const move = (db: Db, at: Date, { id, ...moved }: Moved) =>
  db
    .updateTable("bulk_issues")
    .set((eb) => ({ ...moved, reason: "", changed_at: at.toISOString(), version: eb("version", "+", 1) }))
    .where("id", "=", id)
    .execute();

/** Begins to check all rows. */
export async function check(services: Services, caller: Caller, id: number) {
  await inCallerTransaction(services, caller, async (transaction, actor) => {
    const issue = await findChangeable(transaction, actor, id);
    requireComplete(issue);
    await transaction
      .updateTable("bulk_issue_rows")
      .set({ checked: 0, wrong: 0, pages: 0, problems: "[]", notes: "[]" })
      .where("bulk_issue_id", "=", id)
      .execute();
    const template_version = (await templateOf(transaction, issue))?.version ?? null;
    const anew = { checked: 0, wrong: 0, noted: 0, table_notes: "[]", pages: 0, template_version };
    await transaction.updateTable("bulk_issues").set(anew).where("id", "=", id).execute();
    await move(transaction, services.now(), { id, state: "checking" });
  });
  services.nudgeBulkIssues();
}

function requireComplete(issue: StoredBulkIssue) {
  const { rows, content, archive_key, template_id } = issue;
  if (rows === 0) throw conflict("Add the table first");
  if (content === "zip" && !archive_key) throw conflict("Add the ZIP of page files first");
  if (content === "template" && template_id === null) throw conflict("Choose the template first");
  // What no column and no value of all documents fills is wrong in every row.
  const missing = readRow(planOf(issue), []).problems?.filter(({ column }) => column === "");
  if (missing?.[0]) {
    throw conflict(
      `${missing[0].message}: choose the column that has it, or enter it for all documents in the first step`,
    );
  }
}

/** Begins to issue. Throws 409 while rows are unchecked, or wrong ones are not to be left out. */
export async function start(services: Services, caller: Caller, id: number, leaveOutWrong: boolean) {
  await inCallerTransaction(services, caller, async (transaction, actor) => {
    const issue = await findOwn(transaction, actor, id);
    const at = services.now();
    if (["running", "paused", "waiting"].includes(issue.state)) return;
    if (issue.state !== "checked") throw conflict("Check the rows first: every change needs another check");
    if (issue.wrong > 0 && !leaveOutWrong) {
      throw conflict(`${issue.wrong} rows are wrong: correct the table, or choose to leave them out`);
    }
    if (issue.wrong === issue.rows) throw conflict("No row is left to issue: correct the table");
    const leftOut = await transaction
      .updateTable("bulk_issue_rows")
      .set({ state: "left out" })
      .where("bulk_issue_id", "=", id)
      .where("wrong", "=", 1)
      .executeTakeFirst();
    const left_out = Number(leftOut.numUpdatedRows);
    await transaction.updateTable("bulk_issues").set({ left_out }).where("id", "=", id).execute();
    await move(transaction, at, {
      id,
      state: "running",
      leave_out_wrong: leaveOutWrong ? 1 : 0,
      started_at: at.toISOString(),
    });
    const rows = issue.rows - left_out;
    await noteStep(transaction, { actor, action: "bulk issue started", id, at }, { rows });
  });
  services.nudgeBulkIssues();
}

/** Stops after the row that is being issued. Also an administrator may. */
export async function pause(services: Services, caller: Caller, id: number) {
  await inCallerTransaction(services, caller, async (transaction, actor) => {
    const issue = await findBulkIssue(transaction, actor, id);
    if (issue.state === "paused") return;
    if (issue.state !== "running") throw conflict("This bulk issue does not run");
    const at = services.now();
    await move(transaction, at, { id, state: "paused" });
    await noteStep(transaction, { actor, action: "bulk issue paused", id, at });
  });
}

/** Goes on. */
export async function resume(services: Services, caller: Caller, id: number) {
  await inCallerTransaction(services, caller, async (transaction, actor) => {
    const issue = await findOwn(transaction, actor, id);
    if (issue.state === "running") return;
    if (issue.state !== "paused" && issue.state !== "waiting") throw conflict("This bulk issue is not paused");
    const at = services.now();
    await move(transaction, at, { id, state: "running" });
    await noteStep(transaction, { actor, action: "bulk issue resumed", id, at });
  });
  services.nudgeBulkIssues();
}

/** Stops for good; documents that were issued stay, and with them the table. Also an administrator may. */
export async function cancel(services: Services, caller: Caller, id: number) {
  const issue = await inCallerTransaction(services, caller, async (transaction, actor) => {
    const issue = await findBulkIssue(transaction, actor, id);
    if (issue.state === "cancelled") return issue;
    if (issue.state === "done") throw conflict("This bulk issue is done");
    const at = services.now();
    await move(transaction, at, { id, state: "cancelled", finished_at: at.toISOString(), archive_key: null });
    // A table without an issued row is of no more use.
    if (issue.issued === 0) await transaction.deleteFrom("bulk_issue_rows").where("bulk_issue_id", "=", id).execute();
    await noteStep(transaction, { actor, action: "bulk issue cancelled", id, at });
    return issue;
  });
  await removeArchive(services, issue);
}
