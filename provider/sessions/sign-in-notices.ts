import { daysInSeconds } from "#units";
import { isAllowed, limitByKey } from "../http/rate-limits.ts";
import { type Browser, isKnownBrowser } from "./browsers.ts";
import { newBrowserMessage } from "../mail/messages.ts";
import { enqueueMessage } from "../mail/outbox.ts";
import type { Services } from "../services.ts";

/** Notices of sign-ins from browsers that an account does not know, and from programs that sign in without one. */

/**
 * Returns what writes to a user who has just signed in, before their browser is remembered. The first browser after
 * joining, or after all were forgotten with a password, causes none.
 */
export function createSignInNotices(services: Services) {
  const { db, now } = services;
  const browsers = limitByKey(services, ["new_browser_notice", 5, daysInSeconds(1)]);
  // Programs sign in again and again.
  const programs = limitByKey(services, ["program_notice", 1, daysInSeconds(7)]);

  return async function notifyOfSignIn(userId: number, browser: Browser | undefined) {
    if (await isKnownBrowser(db, userId, browser)) return;
    const others = db.selectFrom("known_browsers").where("user_id", "=", userId).select("id").limit(1);
    if (!(await others.executeTakeFirst())) return;
    if (!(await isAllowed(() => (browser ? browsers : programs).count(String(userId))))) return;
    const users = db.selectFrom("users").innerJoin("companies", "companies.id", "users.company_id");
    const { email, timezone } = await users
      .where("users.id", "=", userId)
      .select(["users.email", "companies.timezone"])
      .executeTakeFirstOrThrow();
    const signedIn = { browser: browser?.label, at: now().toISOString(), timezone };
    await enqueueMessage(services, db, newBrowserMessage({ email }, signedIn), { userId, kind: "new browser" });
    services.nudgeMail();
  };
}
