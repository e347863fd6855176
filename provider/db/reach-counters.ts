import { type Expression, expressionBuilder, type SqlBool, sql } from "kysely";
import { type Actor, alertsWithin, documentsWithin } from "../access.ts";
import { completed } from "../contract/alerts.ts";
import type { Db, Tables } from "./tables.ts";

/**
 * Documents and alerts counted by all that decides who may read them (`migrations/001_tables/counters.ts`): the counters
 * have a document's columns, so that the rules of `access.ts` choose among them as among documents.
 */

const documents = expressionBuilder<Tables, "documents">();

/** How many documents meet a condition on their company, branch, owner, access group and status. */
async function countDocuments(db: Db, condition: Expression<SqlBool>): Promise<number> {
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

/** How many alerts of open cases an actor may read. */
export async function countOpenAlertsOf(db: Db, actor: Actor): Promise<number> {
  const counted = await db
    .selectFrom("alert_reach as documents")
    .where(alertsWithin(actor, "read")(documents))
    .where(sql<number>`documents.status`, "<", completed)
    .select((eb) => eb.fn.sum<number | null>("alerts").as("count"))
    .executeTakeFirstOrThrow();
  return Number(counted.count ?? 0);
}
