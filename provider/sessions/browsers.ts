import { hash } from "node:crypto";
import type { Db } from "../db/tables.ts";

/** Browsers that signed in to an account before: attempts of unauthenticated clients do not slow them down. */

/** A browser as the web app knows it. */
export type Browser = {
  /** Random, from a signed cookie of the web app. */
  token: string;
  /** Such as “Firefox on Windows”. */
  label: string;
};

/** Known browsers per user; the last used stay. */
export const maxKnown = 20;

/** The stored hash of a browser, different for each user, so that it does not show who shares one. */
export const browserHash = (userId: number, { token }: Pick<Browser, "token">) =>
  hash("sha256", `${userId} ${token}`, "base64url");

/** Whether a browser signed in to an account before. Takes as long if there is no such account. */
export async function isKnownBrowser(db: Db, userId: number | undefined, browser: Browser | undefined) {
  if (!browser) return false;
  const row = await db
    .selectFrom("known_browsers")
    .where("user_id", "=", userId ?? 0)
    .where("hash", "=", browserHash(userId ?? 0, browser))
    .select("id")
    .executeTakeFirst();
  return row !== undefined;
}

/** Stores that a user signed in with a browser, and deletes all but the newest ones. */
export async function rememberBrowser(db: Db, userId: number, browser: Browser | undefined, now: Date) {
  if (!browser) return;
  const [hash, at, { label }] = [browserHash(userId, browser), now.toISOString(), browser];
  await db
    .insertInto("known_browsers")
    .values({ user_id: userId, hash, label, first_used_at: at, last_used_at: at })
    .onConflict((conflict) => conflict.columns(["user_id", "hash"]).doUpdateSet({ label, last_used_at: at }))
    .execute();
  await db
    .deleteFrom("known_browsers")
    .where("user_id", "=", userId)
    .where("id", "not in", (eb) =>
      eb
        .selectFrom("known_browsers")
        .where("user_id", "=", userId)
        .orderBy("last_used_at", "desc")
        .orderBy("id", "desc")
        .limit(maxKnown)
        .select("id"),
    )
    .execute();
}

/** Deletes a user's known browsers, except one: with a new password the old ones lose their privilege. */
export async function forgetBrowsers(db: Db, userId: number, except?: Browser) {
  const all = db.deleteFrom("known_browsers").where("user_id", "=", userId);
  await (except ? all.where("hash", "!=", browserHash(userId, except)) : all).execute();
}
