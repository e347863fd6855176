import { TRUE } from "../db/flags.ts";
import type { Db } from "../db/tables.ts";
import { expiredLink } from "../http/errors.ts";
import { usersWithEmail } from "../users/ownership.ts";
import { consumeToken, issueToken, tokenHash } from "./tokens.ts";

/** Links that the operator makes for a user who can't sign in, as when the identity provider is out of order. */

const activeUsers = (db: Db) =>
  db
    .selectFrom("users")
    .innerJoin("companies", "companies.id", "users.company_id")
    .where("users.active", "=", TRUE)
    .where("companies.active", "=", TRUE);

/** Makes a link's token, and ends earlier ones; undefined if no user who can sign in has the email address. */
export async function makeSignInToken(
  db: Db,
  email: string,
  now: Date,
): Promise<{ token: string; name: string; company: string } | undefined> {
  const user = await usersWithEmail(db, email)
    .innerJoin("companies", "companies.id", "users.company_id")
    .where("companies.active", "=", TRUE)
    .select(["users.id", "users.name", "companies.name as company"])
    .executeTakeFirst();
  if (!user) return undefined;
  await db.deleteFrom("tokens").where("user_id", "=", user.id).where("kind", "=", "sign-in").execute();
  return { token: await issueToken(db, "sign-in", user.id, now), name: user.name, company: user.company };
}

/** The user of a link, which stays valid. Throws 401. */
export async function userOfLink(db: Db, token: string | undefined, now: Date) {
  const user = await activeUsers(db)
    .innerJoin("tokens", "tokens.user_id", "users.id")
    .where("tokens.hash", "=", tokenHash(token ?? ""))
    .where("tokens.kind", "=", "sign-in")
    .where("tokens.expires_at", ">", now.toISOString())
    .select(["users.id", "users.name", "users.email", "users.company_id"])
    .executeTakeFirst();
  if (!user) throw expiredLink();
  return user;
}

/** The same, once. */
export async function takeSignInLink(db: Db, token: string | undefined, now: Date) {
  const user = await userOfLink(db, token, now);
  if (!(await consumeToken(db, token!))) throw expiredLink();
  return user;
}
