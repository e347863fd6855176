import type { Transaction } from "kysely";
import { type Actor, type Caller, mayCall } from "../access.ts";
import { inCompanyTransaction } from "../db/company.ts";
import type { Tables } from "../db/tables.ts";
import { forbidden, unauthorized } from "./errors.ts";
import type { Services } from "../services.ts";
import { actorInTransaction, actorOfJob } from "../sessions/tokens.ts";

/**
 * Runs a caller's writes in a transaction, serialized within their company (`inCompanyTransaction`). Reads the actor
 * again, who may have been signed out or demoted since the request began: throws 401 or 403 then.
 */
export function inCallerTransaction<T>(
  { db, now }: Pick<Services, "db" | "now">,
  { company_id, session, ofUser, access, alongside }: Caller,
  work: (transaction: Transaction<Tables>, actor: Actor) => Promise<T>,
): Promise<T> {
  return inCompanyTransaction(db, company_id, async (transaction) => {
    const actor = await (ofUser === undefined
      ? actorInTransaction(transaction, session, now())
      : actorOfJob(transaction, ofUser));
    if (!actor) throw unauthorized();
    if (!mayCall(access, actor)) throw forbidden();
    const result = await work(transaction, actor);
    await alongside?.(transaction);
    return result;
  });
}
