import type { Actor, Caller } from "../access.ts";
import { inCallerTransaction } from "../http/caller-transaction.ts";
import { type Origin, insertAccessEntry } from "../audit/access-trail.ts";
import type { Db } from "../db/tables.ts";
import { forbidden, notFound } from "../http/errors.ts";
import type { Services } from "../services.ts";
import { endSessions } from "../sessions/tokens.ts";
import { mayReassign } from "./rights.ts";
import { findUser } from "./find.ts";

/** The actor, or a user that they may change. */
export const findSessionOwner = (db: Db, actor: Actor, userId: number | undefined) =>
  userId === undefined ? Promise.resolve(actor) : findUser(db, actor, userId);

type By = { caller: Caller; origin: Origin };

/** Ends a session, or all but the caller's own. Throws 404 if the user has no such session, 403 without the right. */
export async function endOpenSessions(
  services: Services,
  { caller, origin }: By,
  userId: number | undefined,
  sessionId?: number,
) {
  await inCallerTransaction(services, caller, async (transaction, actor) => {
    const owner = await findSessionOwner(transaction, actor, userId);
    if (owner.id !== actor.id && !(await mayReassign(transaction, actor, owner))) throw forbidden();
    const { id, name } = owner;
    const which = sessionId === undefined ? { except: caller.session } : { only: sessionId };
    const ended = await endSessions(transaction, id, which);
    if (ended === 0 && sessionId !== undefined) throw notFound();
    if (ended === 0) return;
    const about = { company_id: actor.company_id, actor, subject: { entity: "user", id, name }, userId: id } as const;
    const changes = [{ field: "sessions", before: null, after: ended }];
    await insertAccessEntry(transaction, { ...about, action: "session ended", changes, ...origin }, services.now());
  });
}
