import type { ExpressionBuilder, Selectable } from "kysely";
import { type Actor, isAdministrator } from "../access.ts";
import type { Db, Tables } from "../db/tables.ts";
import { conflict, forbidden, notFound } from "../http/errors.ts";
import type { Common, RowPlan } from "./rows.ts";

/** Bulk issues in a user's reach: their own, and for administrators all of the company's, to view and to stop. */

export type StoredBulkIssue = Selectable<Tables["bulk_issues"]>;

/** Bulk issues that an actor may see. */
export const reachableBulkIssues = (db: Db, actor: Actor) =>
  db
    .selectFrom("bulk_issues")
    .where("bulk_issues.company_id", "=", actor.company_id)
    .$if(!isAdministrator(actor), (query) => query.where("bulk_issues.user_id", "=", actor.id));

/** How many rows of a bulk issue wait for another user's release, or for their drafter who got them back. */
export const awaitingRows = (eb: ExpressionBuilder<Tables, "bulk_issues">) =>
  eb
    .selectFrom("bulk_issue_rows")
    .whereRef("bulk_issue_rows.bulk_issue_id", "=", "bulk_issues.id")
    .where("bulk_issue_rows.release_id", ">", 0)
    .where("bulk_issue_rows.document_id", "is", null)
    .select(({ fn }) => fn.countAll<number>().as("count"));

/** Throws 404 for one out of reach. */
export async function findBulkIssue(db: Db, actor: Actor, id: number): Promise<StoredBulkIssue> {
  const issue = await reachableBulkIssues(db, actor).where("bulk_issues.id", "=", id).selectAll().executeTakeFirst();
  if (!issue) throw notFound();
  return issue;
}

/** The actor's own; throws 403 for another user's. */
export async function findOwn(db: Db, actor: Actor, id: number): Promise<StoredBulkIssue> {
  const issue = await findBulkIssue(db, actor, id);
  if (issue.user_id !== actor.id) throw forbidden();
  return issue;
}

/** One that can be changed. Throws 409 once it runs or is over. */
export async function findChangeable(db: Db, actor: Actor, id: number): Promise<StoredBulkIssue> {
  const issue = await findOwn(db, actor, id);
  if (["draft", "checking", "checked"].includes(issue.state)) return issue;
  throw conflict(
    "This bulk issue has begun, so that its table stays as it is: begin another one for what is different",
  );
}

export const planOf = ({ common, columns, mapping }: StoredBulkIssue): RowPlan => ({
  common: JSON.parse(common) as Common,
  columns: JSON.parse(columns) as string[],
  mapping: JSON.parse(mapping) as string[],
});
