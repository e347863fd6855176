import type { Actor, Caller } from "../access.ts";
import { audit } from "../audit/audit-queries.ts";
import type { Db } from "../db/tables.ts";
import { inCallerTransaction, isAttended } from "../http/caller-transaction.ts";
import { conflict, HttpError } from "../http/errors.ts";
import type { Services } from "../services.ts";
import { revokeTokens } from "../sessions/tokens.ts";
import { EmailTaken, rethrowEmailTaken } from "./profile/email-taken.ts";
import { rejectErased } from "./erase.ts";
import { findUser, hasJoined } from "./find.ts";
import { enqueueInvitation, type Invited } from "./invite.ts";
import { userLimits } from "./limits.ts";
import { mayImpersonateAt, requireProofToAdmit } from "./rights.ts";

/**
 * Reactivates a removed user. One without a password is invited, and their invitation returned. Throws
 * `EmailTaken` if another user has the address now.
 */
async function reactivateUser(services: Services, caller: Caller, id: number): Promise<Invited | null> {
  const { now } = services;
  const invited = await inCallerTransaction(services, caller, async (transaction, actor) => {
    const user = await findUser(transaction, actor, id);
    if (user.active === 1) return null;
    await rejectErased(transaction, id);
    if (!(await mayImpersonateAt(services, transaction, actor, user))) {
      throw new HttpError(403, "This user may see or do more than you: ask an administrator to reactivate them");
    }
    if (isAttended(caller)) await requireProofToAdmit(transaction, actor, user, now());
    await requirePlace(transaction, user);
    const change = { active: 1, version: user.version + 1 };
    await transaction.updateTable("users").set(change).where("id", "=", id).execute();
    await revokeTokens(transaction, id);
    const subject = { entity: "user", id, name: user.name } as const;
    const [before, after] = [{ active: false }, { active: true }];
    await audit(transaction, { actor, action: "reactivated", subject, at: now(), before, after });
    return (await hasJoined(transaction, id)) ? null : enqueueInvitation(services, transaction, actor, user);
  }).catch(rethrowEmailTaken);
  services.nudgeMail();
  return invited;
}

/** `reactivateUser` within the limits on invitations and on addresses that are tried. Throws 409 for a taken address. */
export function createReactivation(services: Services) {
  const limits = userLimits(services);
  return async (actor: Actor, caller: Caller, id: number): Promise<Invited | null> => {
    const { email, active } = await findUser(services.db, actor, id);
    // The address may be one that the actor gave the removed user to try it.
    const reactivate = () =>
      limits.assigningEmail(actor, () => reactivateUser(services, caller, id)).catch(rethrowAsConflict);
    const isInvited = active === 0 && !(await hasJoined(services.db, id));
    return isInvited ? limits.inviting(actor, email, reactivate) : reactivate();
  };
}

function rethrowAsConflict(error: unknown): never {
  if (!(error instanceof EmailTaken)) throw error;
  throw conflict("Another user has this email address now: edit the user and enter another one first");
}

type Placed = { branch_id: number | null; branch: string | null; access_group_id: number; staff: string };

/** While a user was removed, their branch and access group may have been removed as well. */
async function requirePlace(db: Db, { branch_id, branch, access_group_id, staff }: Placed) {
  const isGone = async (table: "branches" | "access_groups", id: number) => {
    const removed = db.selectFrom(table).where("id", "=", id).where("active", "=", 0).select("id");
    return (await removed.executeTakeFirst()) !== undefined;
  };
  const gone = [
    ...(branch_id !== null && (await isGone("branches", branch_id)) ? [`branch ${branch}`] : []),
    ...((await isGone("access_groups", access_group_id)) ? [`access group ${staff}`] : []),
  ];
  if (gone.length > 0) {
    throw conflict(
      `Edit the user first: their ${gone.join(" and their ")} ${gone.length > 1 ? "were" : "was"} removed`,
    );
  }
}
