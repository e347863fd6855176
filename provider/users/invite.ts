import type { Kysely } from "kysely";
import type { Actor, Caller } from "../access.ts";
import { audit } from "../audit/audit-queries.ts";
import type { Tables } from "../db/tables.ts";
import { inCallerTransaction, isAttended } from "../http/caller-transaction.ts";
import { conflict, HttpError } from "../http/errors.ts";
import { invitationMessage, singleSignOnInvitationMessage } from "../mail/messages.ts";
import { enqueueMessage } from "../mail/outbox.ts";
import type { Services } from "../services.ts";
import { operatorsCompany, soleSignInAddress } from "../single-sign-on/configuration.ts";
import { issueToken } from "../sessions/tokens.ts";
import { makeLink } from "./profile/email-change.ts";
import { findUser, hasJoined } from "./find.ts";
import { mayImpersonateAt, requireProofToAdmit } from "./rights.ts";

/** An invitation's link, null if a mail server brings it to its user. */
export type Invited = { link: string | null };

/** Sends a user who has no password a link to set one, and revokes earlier invitations. */
export async function sendInvitation(services: Services, caller: Caller, id: number): Promise<Invited> {
  const invited = await inCallerTransaction(services, caller, async (transaction, actor) => {
    const user = await findUser(transaction, actor, id);
    if (user.active === 0) throw conflict(`${user.name} was removed: reactivate them first`);
    // An invitation's mailbox may be the actor's own.
    if (id !== actor.id && !(await mayImpersonateAt(services, transaction, actor, user))) {
      throw new HttpError(403, "This user may see or do more than you: ask an administrator to invite them");
    }
    // A link to an account that is in use would be a password reset at a colleague's hand.
    if (id === actor.id || (await hasJoined(transaction, id)))
      throw conflict(`${user.name} has accepted an invitation already`);
    if (isAttended(caller)) await requireProofToAdmit(transaction, actor, user, services.now());
    return enqueueInvitation(services, transaction, actor, user);
  });
  services.nudgeMail();
  return invited;
}

/** Puts an invitation into the outbox and revokes earlier ones. `db` is a transaction. */
export async function enqueueInvitation(
  services: Services,
  db: Kysely<Tables>,
  actor: Pick<Actor, "id" | "name" | "company_id">,
  { id, name, email }: { id: number; name: string; email: string },
): Promise<Invited> {
  const { now, publicUrl, mail } = services;
  const company = await db
    .selectFrom("companies")
    .where("id", "=", actor.company_id)
    .select(["name as company", "language"])
    .executeTakeFirstOrThrow();
  await db.deleteFrom("tokens").where("user_id", "=", id).where("kind", "=", "invitation").execute();
  await audit(db, { actor, action: "invited", subject: { entity: "user", id, name }, at: now() });
  await db.updateTable("users").set({ invited_at: now().toISOString() }).where("id", "=", id).execute();
  const sole = await soleSignInLink({ ...services, db }, { id, email, company_id: actor.company_id });
  if (sole) {
    const message = singleSignOnInvitationMessage({ to: { name, email }, ...company, link: sole.link });
    await enqueueMessage(services, db, message, { userId: id, token: sole.token, kind: "invitation" });
    return { link: mail.isFolder ? sole.address : null };
  }
  const token = await issueToken(db, "invitation", id, now());
  const link = `${publicUrl}/signup?token=${token}`;
  const message = invitationMessage({ to: { name, email }, ...company, link });
  await enqueueMessage(services, db, message, { userId: id, token, kind: "invitation" });
  return { link: mail.isFolder ? link : null };
}

/**
 * Where a user signs in whose passwords are off, and the link to it in a mail; undefined if they are on. At the operator's
 * identity provider users of other companies than its own confirm their address first, by a link with `token`.
 */
export async function soleSignInLink(services: Services, user: { id: number; email: string; company_id: number }) {
  const { db, publicUrl } = services;
  const address = await soleSignInAddress(services, user.company_id);
  if (!address) return undefined;
  const isOperators = address === `${publicUrl}/login` && (await operatorsCompany(services)) !== user.company_id;
  return isOperators
    ? { address, ...(await makeLink(services, db, user.id, user.email)) }
    : { address, link: address, token: undefined };
}
