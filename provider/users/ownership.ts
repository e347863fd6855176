import { foldEmail } from "#lib/text.ts";
import { audit } from "../audit/audit-queries.ts";
import { TRUE } from "../db/flags.ts";
import type { Db } from "../db/tables.ts";
import { accessEndedMessage } from "../mail/messages.ts";
import { enqueueMessage } from "../mail/outbox.ts";
import { noPassword } from "../passwords/passwords.ts";
import { hasSecondFactor } from "../second-factors/check.ts";
import type { Services } from "../services.ts";
import { forgetBrowsers } from "../sessions/browsers.ts";
import { revokeTokens } from "../sessions/tokens.ts";
import { EmailTaken, rethrowEmailTaken } from "./profile/email-taken.ts";

/**
 * Whose an email address is. A company may enter any, with a password, so that several companies may have the same one. It
 * is proved for one of these users: by a link that was sent to it, the operator's identity provider, or the operator.
 */

/** Active users with an email address, of all companies: first the one who proved it, then the oldest. */
export const usersWithEmail = (db: Db, email: string) =>
  db
    .selectFrom("users")
    .where("users.email_key", "=", foldEmail(email))
    .where("users.active", "=", TRUE)
    .orderBy("users.email_proved", "desc")
    .orderBy("users.id");

/** Throws `EmailTaken` if a user of another company has proved the address. */
export async function rejectProvedElsewhere(db: Db, { company_id, email }: { company_id: number; email: string }) {
  const other = usersWithEmail(db, email).where("email_proved", "=", 1).where("company_id", "!=", company_id);
  if (await other.select("users.id").executeTakeFirst()) throw new EmailTaken();
}

type Person = { id: number; name: string; email: string; company_id: number };

/**
 * Notes that the reader of an address's mail opened the link of an invitation or a reset, and ends what others had made to
 * sign in. Nothing changes if an authenticator app will be required, which may be another's. Throws `EmailTaken`.
 */
export async function proveByLink(services: Services, db: Db, person: Person) {
  if (await hasSecondFactor(db, person.id)) return;
  await rejectProvedElsewhere(db, person);
  await takeOver(services, db, person);
  const proved = db.updateTable("users").set({ email_proved: 1 }).where("id", "=", person.id);
  // Another company's user may prove it in the same moment.
  await proved.execute().catch(rethrowEmailTaken);
}

/**
 * Ends what others may have made to sign in as a person, at the first time that they surely are there themselves, and tells
 * them. `db` is a transaction, whose caller sets or removes the password, and then calls `nudgeMail`.
 */
export async function takeOver(services: Services, db: Db, { id, name, email, company_id }: Person) {
  const user = await db
    .selectFrom("users")
    .where("id", "=", id)
    .select(["taken_over", "password_hash"])
    .executeTakeFirstOrThrow();
  if (user.taken_over === 1) return;
  const hadPassword = user.password_hash !== null && user.password_hash !== noPassword;
  const ended = await endAccess(db, id);
  await db.updateTable("users").set({ taken_over: 1 }).where("id", "=", id).execute();
  if (!ended && !hadPassword) return;
  const subject = { entity: "user", id, name } as const;
  await audit(db, { actor: { id, name, company_id }, action: "earlier access ended", subject, at: services.now() });
  await enqueueMessage(services, db, accessEndedMessage({ email }), { userId: id, kind: "access ended" });
}

/** Deletes all that signs in as a user, or reads for them, but the password; returns whether there was anything. */
export async function endAccess(db: Db, userId: number): Promise<boolean> {
  const tables = ["passkeys", "second_factors", "recovery_codes", "calendar_feeds", "api_keys"] as const;
  let count = 0n;
  for (const table of tables) {
    count += (await db.deleteFrom(table).where("user_id", "=", userId).executeTakeFirst()).numDeletedRows;
  }
  const sessions = db.selectFrom("tokens").where("user_id", "=", userId).where("kind", "=", "session").select("hash");
  const hadSession = (await sessions.executeTakeFirst()) !== undefined;
  await revokeTokens(db, userId);
  await forgetBrowsers(db, userId);
  return count > 0n || hadSession;
}
