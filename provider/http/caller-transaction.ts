import type { Transaction } from "kysely";
import { type Actor, type Caller, mayCall } from "../access.ts";
import { activeActor } from "../db/actors.ts";
import { inCompanyTransaction } from "../company/company-queries.ts";
import type { Tables } from "../db/tables.ts";
import { forbidden, unauthorized } from "./errors.ts";
import { keyActorInTransaction } from "../api-keys/keys.ts";
import type { Services } from "../services.ts";
import { requireSteps } from "../sessions/proof.ts";
import { actorInTransaction } from "../sessions/tokens.ts";

/** Whether someone is present who could prove it: neither a job nor a company's directory is. */
export const isAttended = ({ job, keyUse }: Caller): boolean => !job && keyUse !== "scim";

/**
 * Runs a caller's writes in a transaction, serialized within their company (`inCompanyTransaction`). Reads the actor
 * again, who may have been signed out or demoted since the request began: throws 401 or 403 then.
 */
export function inCallerTransaction<T>(
  { db, now }: Pick<Services, "db" | "now">,
  { company_id, session, access, steps = {}, keyUse, job }: Caller,
  work: (transaction: Transaction<Tables>, actor: Actor) => Promise<T>,
): Promise<T> {
  return inCompanyTransaction(db, company_id, async (transaction) => {
    const readActor = keyUse ? keyActorInTransaction : actorInTransaction;
    const actor = job ? await activeActor(transaction, job.user) : await readActor(transaction, session, now());
    if (!actor) throw unauthorized();
    if (!mayCall(access, actor)) throw forbidden();
    if (!job) requireSteps(steps, actor, now());
    return job ? job.around(transaction, actor, () => work(transaction, actor)) : work(transaction, actor);
  });
}
