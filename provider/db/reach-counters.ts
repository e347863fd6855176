import { type Expression, expressionBuilder, type SqlBool, sql } from "kysely";
import { type Actor, alertsWithin, documentsWithin, type Partition } from "../access.ts";
import { completed } from "../contract/alerts.ts";
import type { Db, Tables } from "./tables.ts";

/**
 * Documents and alerts counted by all that decides who may read them (`migrations/001_tables/counters.ts`): the counters
 * have a document's columns, so that the rules of `access.ts` choose among them as among documents.
 */

const documents = expressionBuilder<Tables, "documents">();

/** How many documents meet a condition on their company, branch, owner, access group and status. */
export async function countDocuments(db: Db, condition: Expression<SqlBool>): Promise<number> {
  const counted = await db
    .selectFrom("document_reach as documents")
    .where(condition)
    .select((eb) => eb.fn.sum<number | null>("documents").as("count"))
    .executeTakeFirstOrThrow();
  return Number(counted.count ?? 0);
}

/** How many documents an actor may read, archived ones as well. */
export const countReadableDocuments = (db: Db, actor: Actor): Promise<number> =>
  countDocuments(db, documentsWithin(actor, "read")(documents));

/**
 * The partitions that have documents: hardly any user owns some of another branch, and without their partition rows of
 * one range need not be merged with those of the other.
 */
export async function filledPartitions(db: Db, companyId: number, partitions: Partition[]): Promise<Partition[]> {
  const { and, or } = documents;
  const filled = await Promise.all(
    partitions.map(async ({ column, value, notOfBranch }) => {
      if (notOfBranch === undefined) return true;
      const isElsewhere = or([documents("branch_id", "is", null), documents("branch_id", "<>", notOfBranch)]);
      const isHeld = and([documents("company_id", "=", companyId), documents(column, "=", value), isElsewhere]);
      return (await countDocuments(db, isHeld)) > 0;
    }),
  );
  return partitions.filter((_, n) => filled[n]);
}

const status = sql<number>`documents.status`;

/** How many alerts an actor may read: all, or those of open or completed cases. */
export async function countReadableAlerts(db: Db, actor: Actor, state?: "open" | "completed"): Promise<number> {
  const counted = await db
    .selectFrom("alert_reach as documents")
    .where(alertsWithin(actor, "read")(documents))
    .$if(state === "open", (alerts) => alerts.where(status, "<", completed))
    .$if(state === "completed", (alerts) => alerts.where(status, "=", completed))
    .select((eb) => eb.fn.sum<number | null>("alerts").as("count"))
    .executeTakeFirstOrThrow();
  return Number(counted.count ?? 0);
}
