import type { Actor } from "../access.ts";
import type { AuditAction } from "../contract/audit.ts";
import { audit, type Values } from "../audit/audit-queries.ts";
import { companySubject, inCompanyTransaction } from "../company/company-queries.ts";
import type { Db } from "../db/tables.ts";
import type { Services } from "../services.ts";
import { enqueueEvent } from "../webhooks/enqueue.ts";
import { awaitingRows, type StoredBulkIssue } from "./bulk-issue-queries.ts";

/** The ends of bulk issues, and their entries in the audit trail. */

type Noted = { actor: Pick<Actor, "id" | "name" | "company_id">; action: AuditAction; id: number; at: Date };

/** Notes a step in the company's history; each document has its own entry. */
export async function noteStep(db: Db, { actor, action, id, at }: Noted, more: Values = {}) {
  const subject = await companySubject(db, actor.company_id);
  await audit(db, { actor, action, subject, at, after: { bulk_issue: id, ...more } });
}

type Ending = Pick<Services, "db" | "now" | "files" | "nudgeWebhooks">;

/** Ends a bulk issue that has no row to issue. Returns false: there is nothing to go on with. */
export async function finishIfDone(services: Ending, issue: StoredBulkIssue) {
  const isOver = await inCompanyTransaction(services.db, issue.company_id, (transaction) =>
    finish(transaction, services, issue, ""),
  );
  // Paused in this moment, it is resumed with its files.
  if (isOver) await removeArchive(services, issue);
  return false;
}

/** Refuses the rows that are left for one reason, and ends the bulk issue. Returns false. */
export async function refuseRest(services: Ending, issue: StoredBulkIssue, reason: string) {
  const isOver = await inCompanyTransaction(services.db, issue.company_id, async (transaction) => {
    if (!(await isRunning(transaction, issue))) return false;
    const { numUpdatedRows } = await transaction
      .updateTable("bulk_issue_rows")
      .set({ state: "refused", problems: JSON.stringify([{ column: "", message: reason }]) })
      .where("bulk_issue_id", "=", issue.id)
      .where("state", "=", "waiting")
      .executeTakeFirst();
    await transaction
      .updateTable("bulk_issues")
      .set((eb) => ({ refused: eb("refused", "+", Number(numUpdatedRows)) }))
      .where("id", "=", issue.id)
      .execute();
    return finish(transaction, services, issue, reason);
  });
  if (isOver) await removeArchive(services, issue);
  return false;
}

/** Whether it runs still: in a company's transaction, which its users' steps wait for. */
export async function isRunning(db: Db, { id }: Pick<StoredBulkIssue, "id">): Promise<boolean> {
  const running = db.selectFrom("bulk_issues").where("id", "=", id).where("state", "=", "running").select("id");
  return (await running.executeTakeFirst()) !== undefined;
}

/** Returns whether it was running, and is over now. */
async function finish(db: Db, services: Ending, issue: StoredBulkIssue, reason: string): Promise<boolean> {
  const at = services.now();
  const { numUpdatedRows } = await db
    .updateTable("bulk_issues")
    .set((eb) => ({
      state: "done",
      reason,
      archive_key: null,
      finished_at: at.toISOString(),
      changed_at: at.toISOString(),
      version: eb("version", "+", 1),
    }))
    .where("id", "=", issue.id)
    .where("state", "=", "running")
    .executeTakeFirst();
  if (numUpdatedRows === 0n) return false;
  const user = await db
    .selectFrom("users")
    .where("id", "=", issue.user_id)
    .select(["id", "name", "company_id"])
    .executeTakeFirstOrThrow();
  const { issued, refused, awaiting } = await db
    .selectFrom("bulk_issues")
    .where("id", "=", issue.id)
    .select(["issued", "refused"])
    .select((eb) => awaitingRows(eb).as("awaiting"))
    .executeTakeFirstOrThrow();
  const counts = { issued: issued - (awaiting ?? 0), refused, ...(awaiting && { awaiting_release: awaiting }) };
  await noteStep(db, { actor: user, action: "bulk issue finished", id: issue.id, at }, counts);
  const event = { data: { bulk_issue_id: issue.id }, company_id: issue.company_id, at };
  await enqueueEvent(services, db, { type: "bulk.finished", ...event });
  return true;
}

/** Removes the page files of a bulk issue that needs them no more. */
export async function removeArchive({ files }: Pick<Services, "files">, { folder }: Pick<StoredBulkIssue, "folder">) {
  await files.removeAll(folder);
}
