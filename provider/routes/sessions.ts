import { fold } from "#storage/database.ts";
import { countAttempt, forgetAttempts, quarterHour, returnAttempt } from "../attempts.ts";
import { forgotPassword, login, logout, signup, signupLink } from "../contract/sessions.ts";
import { audit } from "../db/audit.ts";
import { userReply } from "../db/users.ts";
import type { On } from "../endpoint.ts";
import { hashPassword, isRightPassword, passwordRefusal } from "../passwords.ts";
import { Refused, invalid, unauthorized } from "../refused.ts";
import { askForReset } from "../resets.ts";
import type { Services } from "../services.ts";
import { foundFirst, hasCompany } from "../signup.ts";
import { issueToken, linkOf, revokeAll, useUp } from "../tokens.ts";

/** Sign-in, sign-up by link, and the way back in. */

export function serveSessions(on: On, services: Services) {
  const { db, now, limiter } = services;
  const attempts = {
    loginByAccount: limiter("login_account", 10, quarterHour),
    loginByAddress: limiter("login_address", 100, quarterHour),
    forgotByAccount: limiter("forgot_account", 5, quarterHour),
    forgotByAddress: limiter("forgot_address", 50, quarterHour),
    signupByLink: limiter("signup_link", 20, quarterHour),
    signupByAddress: limiter("signup_address", 100, quarterHour),
  };

  on(login, async ({ body, clientAddress }) => {
    await countAttempt(attempts.loginByAddress, clientAddress);
    await countAttempt(attempts.loginByAccount, fold(body.email));
    const user = await db
      .selectFrom("users")
      .innerJoin("companies", "companies.id", "users.company_id")
      .where("email_key", "=", fold(body.email))
      .where("users.active", "=", 1)
      .where("companies.active", "=", 1)
      .select(["users.id", "password_hash"])
      .executeTakeFirst();
    // Asked of unknown addresses as well: the answer and its time are the same.
    const isRight = await isRightPassword(user?.password_hash, body.password);
    if (!user || !isRight) throw new Refused(422, "The email or password is not right. Check both and try again.");
    await forgetAttempts(attempts.loginByAccount, fold(body.email));
    await returnAttempt(attempts.loginByAddress, clientAddress);
    return { user: await userReply(db, user.id), token: await issueToken(db, "session", user.id, now()) };
  });

  on(logout, async ({ token }) => {
    if (!(await useUp(db, token!))) throw unauthorized();
  });

  on(signupLink, async ({ token }) => {
    const link = await goodLink(token);
    if (link.kind === "first" && (await hasCompany(db))) throw deadLink();
    return { kind: link.kind, name: link.name ?? "", email: link.email ?? "", company: link.company ?? "" };
  });

  on(signup, async ({ body, token, clientAddress }) => {
    await countAttempt(attempts.signupByAddress, clientAddress);
    await countAttempt(attempts.signupByLink, token ?? "");
    const link = await goodLink(token);
    const refusal = await passwordRefusal(body.password, link.email ?? body.email);
    if (refusal) throw invalid({ password: refusal });
    const password_hash = await hashPassword(body.password);
    const userId = await db.transaction().execute(async (transaction) => {
      if (!(await useUp(transaction, token!))) throw deadLink();
      if (link.user_id === null) return foundFirst(transaction, body, password_hash, now());
      await transaction.updateTable("users").set({ password_hash }).where("id", "=", link.user_id).execute();
      await revokeAll(transaction, link.user_id);
      const { id, name, company_id } = await userOf(transaction, link.user_id);
      const subject = { entity: "user", id, name } as const;
      const action = link.kind === "reset" ? "password reset" : "joined";
      await audit(transaction, { id, name, company_id }, action, subject, { at: now() });
      return id;
    });
    return { user: await userReply(db, userId), token: await issueToken(db, "session", userId, now()) };
  });

  async function goodLink(token: string | undefined) {
    const link = token && (await linkOf(db, token, now()));
    if (!link) throw deadLink();
    return { ...link, kind: link.kind as Exclude<typeof link.kind, "session"> };
  }

  on(forgotPassword, async ({ body, clientAddress }) => {
    await countAttempt(attempts.forgotByAddress, clientAddress);
    await countAttempt(attempts.forgotByAccount, fold(body.email));
    await askForReset(services, body.email);
  });
}

const userOf = (db: Services["db"], id: number) =>
  db.selectFrom("users").where("id", "=", id).select(["id", "name", "company_id"]).executeTakeFirstOrThrow();

const deadLink = () => new Refused(401, "This link is no longer valid. Ask for a new one.");
