import type { Kysely } from "kysely";
import { fold } from "#storage/text.ts";
import type { Actor, Caller } from "../access.ts";
import { inCallerTransaction } from "../http/caller-transaction.ts";
import { audit } from "../db/audit.ts";
import { inCompanyTransaction } from "../db/company.ts";
import type { Tables } from "../db/tables.ts";
import { confirmEmailMessage, emailChangeRequestedMessage, emailChangedMessage } from "../mail/messages.ts";
import { enqueueMessage } from "../mail/outbox.ts";
import { conflict, HttpError } from "../http/errors.ts";
import type { Services } from "../services.ts";
import { nameColumns } from "../sessions/signup.ts";
import { issueToken, revokeLinks, tokenHash } from "../sessions/tokens.ts";
import { EmailTaken, rethrowEmailTaken } from "./email-taken.ts";

/**
 * A user's other email address. It is only theirs once the link sent to it is confirmed; the address before gets a
 * notice at once. The change waits as long as its link does, and ends with it.
 */

type Db = Kysely<Tables>;
type EmailUser = { id: number; name: string; email: string };

/** Finds the user whom a call is about, as far as the actor may change them. */
type FindUser = (db: Db, actor: Actor) => Promise<EmailUser>;

/** Whether it is the address that a user has. */
export const isSameEmail = (one: string, other: string) => fold(one) === fold(other);

/** The address that waits to be confirmed by a user, or an empty text. */
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
 * Has a user's address changed once the new one is confirmed. `db` is a transaction, which notes it in the audit trail;
 * afterwards `nudgeMail` sends the messages. Throws 422 where the address is used already.
 */
export async function requestEmail(services: Services, db: Db, user: EmailUser, email: string) {
  const others = db.selectFrom("users").where("id", "!=", user.id).where("active", "=", 1);
  const taken = others.where("email_key", "=", fold(email));
  if (await taken.select("id").executeTakeFirst()) throw new EmailTaken();
  await sendLink(services, db, user.id, email);
  await enqueueMessage(services, db, emailChangeRequestedMessage(user), { userId: user.id, kind: "email asked" });
}

/** The link in the outbox, with the only token that is good from now on. */
async function sendLink(services: Services, db: Db, userId: number, email: string) {
  const { now, publicUrl } = services;
  // With its token goes the change that waited before.
  await db.deleteFrom("tokens").where("user_id", "=", userId).where("kind", "=", "email").execute();
  const token = await issueToken(db, "email", userId, now());
  await db
    .insertInto("email_changes")
    .values({ user_id: userId, email, token_hash: tokenHash(token) })
    .execute();
  const message = confirmEmailMessage({ email }, `${publicUrl}/confirm-email?token=${token}`);
  await enqueueMessage(services, db, message, { userId, token, kind: "email" });
}

/** Has the actor's own address changed once the new one is confirmed. They have proved that it is them. */
export async function changeOwnEmail(services: Services, caller: Caller, email: string) {
  await inCallerTransaction(services, caller, async (transaction, actor) => {
    if (isSameEmail(email, actor.email)) return;
    const before = { pending_email: await pendingEmailOf(transaction, actor.id, services.now()) };
    await requestEmail(services, transaction, actor, email);
    const after = { pending_email: email };
    await audit(transaction, actor, "changed", auditSubject(actor), { at: services.now(), before, after });
  });
  services.nudgeMail();
}

/** Sends the link again, to the address that waits. Throws 409 where none does. */
export async function resendLink(services: Services, caller: Caller, find: FindUser) {
  await inCallerTransaction(services, caller, async (transaction, actor) => {
    const user = await find(transaction, actor);
    const email = await pendingEmailOf(transaction, user.id, services.now());
    if (!email) throw conflict("No new email address waits to be confirmed");
    await sendLink(services, transaction, user.id, email);
  });
  services.nudgeMail();
}

/** Ends a change that waits, if there is one. */
export async function cancelEmailChange(services: Services, caller: Caller, find: FindUser) {
  const { now } = services;
  await inCallerTransaction(services, caller, async (transaction, actor) => {
    const user = await find(transaction, actor);
    const before = { pending_email: await pendingEmailOf(transaction, user.id, now()) };
    await transaction.deleteFrom("tokens").where("user_id", "=", user.id).where("kind", "=", "email").execute();
    await audit(transaction, actor, "changed", auditSubject(user), { at: now(), before, after: { pending_email: "" } });
  });
}

const auditSubject = ({ id, name }: EmailUser) => ({ entity: "user", id, name }) as const;

/** The change that a link confirms, or undefined where the link is no longer good. */
export const findEmailChange = (db: Db, token: string, now: Date) =>
  db
    .selectFrom("email_changes")
    .innerJoin("tokens", "tokens.hash", "email_changes.token_hash")
    .innerJoin("users", "users.id", "email_changes.user_id")
    .where("tokens.hash", "=", tokenHash(token))
    .where("tokens.kind", "=", "email")
    .where("tokens.expires_at", ">", now.toISOString())
    .where("users.active", "=", 1)
    .select(["users.id", "users.name", "users.company_id", "users.version"])
    .select(["users.email as before", "email_changes.email"])
    .executeTakeFirst();

/**
 * Gives a user the address that a link confirms, once; links that were sent to the address before end. Throws 401 where
 * the link is not good, 422 where somebody else has the address by now.
 */
export async function confirmEmailChange(services: Services, token: string) {
  const { db, now } = services;
  const found = await findEmailChange(db, token, now());
  if (!found) throw deadLink();
  await inCompanyTransaction(db, found.company_id, async (transaction) => {
    const change = await findEmailChange(transaction, token, now());
    if (!change) throw deadLink();
    const { id, name, before, email, version, company_id } = change;
    const { email_key } = nameColumns(name, email);
    await transaction
      .updateTable("users")
      .set({ email, email_key, version: version + 1 })
      .where("id", "=", id)
      .execute();
    // Who reads the address before has no business with links that were sent there. The confirmed one ends as well.
    await revokeLinks(transaction, id);
    const changes = { before: { email: before, pending_email: email }, after: { email, pending_email: "" } };
    await audit(transaction, { id, name, company_id }, "changed", auditSubject(change), { at: now(), ...changes });
    await enqueueMessage(services, transaction, emailChangedMessage({ email: before }), {
      userId: id,
      kind: "email changed",
    });
  }).catch(rethrowEmailTaken);
  services.nudgeMail();
}

export const deadLink = () => new HttpError(401, "This link is no longer valid. Ask for a new one.");
