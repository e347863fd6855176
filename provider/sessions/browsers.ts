import { createHash } from "node:crypto";
import type { Kysely } from "kysely";
import type { Tables } from "../db/tables.ts";

/** Browsers that signed in to an account before. Strangers' attempts at that account do not slow them down. */

type Db = Kysely<Tables>;

/** A browser as the web app knows it. */
export type Browser = {
  /** Random, from a cookie that the web app signed. */
  token: string;
  /** Such as “Firefox on Windows”. */
  label: string;
};

/** How many of a user's browsers are known: those that were used last. */
export const maxKnown = 20;

/** What is stored of a browser: for each user another, so that nothing shows who shares one. */
export const browserHash = (userId: number, { token }: Pick<Browser, "token">) =>
  createHash("sha256").update(`${userId} ${token}`).digest("base64url");

/** Whether a browser signed in to an account before. Looked up in the same way where there is no such account. */
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

/** Notes that a user signed in with a browser, and forgets those beyond the newest. */
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

/** Forgets a user's browsers, but for the one that `kept` is: with a new password, those of the old one count no more. */
export async function forgetBrowsers(db: Db, userId: number, kept?: Browser) {
  const all = db.deleteFrom("known_browsers").where("user_id", "=", userId);
  await (kept ? all.where("hash", "!=", browserHash(userId, kept)) : all).execute();
}
