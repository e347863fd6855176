import { insertAccessEntry, type Origin } from "../audit/access-trail.ts";
import { userReply } from "../db/users.ts";
import type { Services } from "../services.ts";
import { type Browser, rememberBrowser } from "./browsers.ts";
import { createSignInNotices } from "./sign-in-notices.ts";

export type Account = { id: number; name: string; company_id: number };
type From = { browser: Browser | undefined; origin: Origin };

/** Returns what notes a sign-in whose session was opened, and returns its reply. */
export function createWelcome(services: Services) {
  const { db, now } = services;
  const noteSignIn = createSignInNotices(services);

  return async function welcome(user: Account, token: string, { browser, origin }: From) {
    await noteSignIn(user.id, browser);
    await rememberBrowser(db, user.id, browser, now());
    await insertAccessEntry(db, { ...ownAccess(user), action: "signed in", ...origin }, now());
    return { user: await userReply(db, user.id), token };
  };
}

/** An audit entry of a user's access to their own account. */
export const ownAccess = ({ id, name, company_id }: Account) =>
  ({ company_id, actor: { id, name }, subject: { entity: "user", id, name }, userId: id }) as const;
