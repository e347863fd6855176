import { type Expression, type ExpressionBuilder, sql, type SqlBool } from "kysely";
import { type Actor, documentsWithin } from "../access.ts";
import type { Tables } from "../db/tables.ts";

/** Who may see and release what waits: users in reach of the document that it is about, by the right to release. */

type Filter = (eb: ExpressionBuilder<Tables, "documents">) => Expression<SqlBool>;

/**
 * Of `releases`, which a query names documents, what the actor may release: in the scope of that right, never what they
 * drafted, and not a second time.
 */
export function releasableBy(actor: Actor): Filter {
  const within = documentsWithin(actor, "release");
  return (eb) =>
    eb.and([
      within(eb),
      sql<SqlBool>`documents.state = 'waiting' and documents.drafter_id <> ${actor.id}`,
      sql<SqlBool>`coalesce(documents.first_id, 0) <> ${actor.id}`,
    ]);
}

/** Likewise what the actor may see of those of the company: their own drafts, and what is in the scope of the right to release. */
export function releasesWithin(actor: Actor): Filter {
  const within = documentsWithin(actor, "release");
  return (eb) => eb.or([within(eb), sql<SqlBool>`documents.drafter_id = ${actor.id}`]);
}
