import { foldEmail } from "#lib/text.ts";
import type { Actor, Caller } from "../../access.ts";
import { inCallerTransaction } from "../../http/caller-transaction.ts";
import { audit } from "../../audit/audit-queries.ts";
import { inCompanyTransaction } from "../../company/company-queries.ts";
import { TRUE } from "../../db/flags.ts";
import type { Db } from "../../db/tables.ts";
import { confirmEmailMessage, emailChangeRequestedMessage, emailChangedMessage } from "../../mail/messages.ts";
import { enqueueMessage } from "../../mail/outbox.ts";
import { conflict, expiredLink } from "../../http/errors.ts";
import type { Services } from "../../services.ts";
import { nameColumns } from "../../sessions/signup.ts";
import { issueToken, revokeLinks, tokenHash } from "../../sessions/tokens.ts";
import { EmailTaken, rethrowEmailTaken } from "./email-taken.ts";
import { rejectProvedElsewhere, usersWithEmail } from "../ownership.ts";

/**
 * Changes of email addresses. The new one takes effect once the link sent to it is confirmed; the old one gets a notice
 * at once. A pending change ends with its link.
 */

type EmailUser = { id: number; name: string; email: string };

/** Finds a call's user, in the scope of the actor's right. */
type FindUser = (db: Db, actor: Actor) => Promise<EmailUser>;

export const isSameEmail = (one: string, other: string) => foldEmail(one) === foldEmail(other);

/** The email address that a user has not confirmed yet, or an empty text. */
export async function pendingEmailOf(db: Db, userId: number, now: Date): Promise<string> {
  const row = await db
    .selectFrom("email_changes")
    .innerJoin("tokens", "tokens.hash", "email_changes.token_hash")
    .where("email_changes.user_id", "=", userId)
    .where("tokens.expires_at", ">", now.toISOString())
    .select("email_changes.email")
    .executeTakeFirst();
  return row?.email ?? "";
}

/**
 * Requests the change of a user's email address. `db` is a transaction, whose caller writes the audit entry and then
 * calls `nudgeMail`. Throws 422 if the address is taken.
 */
export async function requestEmail(services: Services, db: Db, user: EmailUser, email: string) {
  const others = usersWithEmail(db, email).where("users.id", "!=", user.id);
  // Whether another company has a user with it is nothing to be learnt here: the link's page says so.
  const company = db.selectFrom("users").where("id", "=", user.id).select("company_id");
  if (await others.where("company_id", "=", company).select("users.id").executeTakeFirst()) throw new EmailTaken();
  await sendLink(services, db, user.id, email);
  await enqueueMessage(services, db, emailChangeRequestedMessage(user), { userId: user.id, kind: "email asked" });
}

/** Puts the link into the outbox and revokes earlier ones. */
async function sendLink(services: Services, db: Db, userId: number, email: string) {
  const { token, link } = await makeLink(services, db, userId, email);
  await enqueueMessage(services, db, confirmEmailMessage({ email }, link), { userId, token, kind: "email" });
}

/** A link by which the reader of an address's mail confirms it, for a user who has it or will. Earlier ones end. */
export async function makeLink({ now, publicUrl }: Services, db: Db, userId: number, email: string) {
  // Deletes the pending change by cascade.
  await db.deleteFrom("tokens").where("user_id", "=", userId).where("kind", "=", "email").execute();
  const token = await issueToken(db, "email", userId, now());
  await db
    .insertInto("email_changes")
    .values({ user_id: userId, email, token_hash: tokenHash(token) })
    .execute();
  return { token, link: `${publicUrl}/confirm-email?token=${token}` };
}

/** Requests the change of the actor's own email address. */
export async function changeOwnEmail(services: Services, caller: Caller, email: string) {
  await inCallerTransaction(services, caller, async (transaction, actor) => {
    if (isSameEmail(email, actor.email)) return;
    const before = { pending_email: await pendingEmailOf(transaction, actor.id, services.now()) };
    await requestEmail(services, transaction, actor, email);
    const after = { pending_email: email };
    await audit(transaction, {
      actor,
      action: "changed",
      subject: auditSubject(actor),
      at: services.now(),
      before,
      after,
    });
  });
  services.nudgeMail();
}

/** Sends the link again. Throws 409 if no change is pending. */
export async function resendLink(services: Services, caller: Caller, find: FindUser) {
  await inCallerTransaction(services, caller, async (transaction, actor) => {
    const user = await find(transaction, actor);
    const email = await pendingEmailOf(transaction, user.id, services.now());
    if (!email) throw conflict("No new email address is waiting to be confirmed");
    await sendLink(services, transaction, user.id, email);
  });
  services.nudgeMail();
}

/** Cancels the pending change, if there is one. */
export async function cancelEmailChange(services: Services, caller: Caller, find: FindUser) {
  const { now } = services;
  await inCallerTransaction(services, caller, async (transaction, actor) => {
    const user = await find(transaction, actor);
    const before = { pending_email: await pendingEmailOf(transaction, user.id, now()) };
    await transaction.deleteFrom("tokens").where("user_id", "=", user.id).where("kind", "=", "email").execute();
    await audit(transaction, {
      actor,
      action: "changed",
      subject: auditSubject(user),
      at: now(),
      before,
      after: { pending_email: "" },
    });
  });
}

const auditSubject = ({ id, name }: EmailUser) => ({ entity: "user", id, name }) as const;

/** The change that a link confirms, or undefined if the link is invalid. */
export const findEmailChange = (db: Db, token: string, now: Date) =>
  db
    .selectFrom("email_changes")
    .innerJoin("tokens", "tokens.hash", "email_changes.token_hash")
    .innerJoin("users", "users.id", "email_changes.user_id")
    .where("tokens.hash", "=", tokenHash(token))
    .where("tokens.kind", "=", "email")
    .where("tokens.expires_at", ">", now.toISOString())
    .where("users.active", "=", TRUE)
    .select(["users.id", "users.name", "users.company_id", "users.version"])
    .select(["users.email as before", "email_changes.email"])
    .executeTakeFirst();

/** Confirms a change by its link. Throws 401 if the link is invalid, 422 if another user took the address. */
export async function confirmEmailChange(services: Services, token: string) {
  const { db, now } = services;
  const requested = await findEmailChange(db, token, now());
  if (!requested) throw expiredLink();
  await inCompanyTransaction(db, requested.company_id, async (transaction) => {
    const change = await findEmailChange(transaction, token, now());
    if (!change) throw expiredLink();
    const { id, name, before, email, version, company_id } = change;
    const { email_key } = nameColumns(name, email);
    await rejectProvedElsewhere(transaction, { company_id, email });
    await transaction
      .updateTable("users")
      // The mailbox is theirs, but what signs in was made before: the first single sign-on ends it.
      .set({ email, email_key, email_proved: 1, taken_over: isSameEmail(before, email) ? undefined : 0 })
      .set({ version: version + 1 })
      .where("id", "=", id)
      .execute();
    // Links sent to the old mailbox end, and the confirmed one as well.
    await revokeLinks(transaction, id);
    const changes = { before: { email: before, pending_email: email }, after: { email, pending_email: "" } };
    await audit(transaction, {
      actor: { id, name, company_id },
      action: "changed",
      subject: auditSubject(change),
      at: now(),
      ...changes,
    });
    if (isSameEmail(before, email)) return;
    await enqueueMessage(services, transaction, emailChangedMessage({ email: before }), {
      userId: id,
      kind: "email changed",
    });
  }).catch(rethrowEmailTaken);
  services.nudgeMail();
}
