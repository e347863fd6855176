import { isAllowed, limitByKey } from "../http/rate-limits.ts";
import { type Browser, isKnownBrowser } from "./browsers.ts";
import { newBrowserMessage } from "../mail/messages.ts";
import { enqueueMessage } from "../mail/outbox.ts";
import type { Services } from "../services.ts";

/** Mails about sign-ins from browsers that are new to an account, and from API clients. */

/**
 * Returns a function to call after each sign-in, before the browser is stored. The first browser of an account causes
 * no mail.
 */
export function createSignInNotices(services: Services) {
  const { db, now } = services;
  const browsers = limitByKey(services, "new_browser_notice");
  // API clients sign in again and again.
  const apiClients = limitByKey(services, "program_notice");

  return async function notifyOfSignIn(userId: number, browser: Browser | undefined) {
    if (await isKnownBrowser(db, userId, browser)) return;
    const others = db.selectFrom("known_browsers").where("user_id", "=", userId).select("id").limit(1);
    if (!(await others.executeTakeFirst())) return;
    if (!(await isAllowed(() => (browser ? browsers : apiClients).count(String(userId))))) return;
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
