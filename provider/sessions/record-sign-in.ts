import { insertAccessEntry, type Origin } from "../audit/access-trail.ts";
import { userReply } from "../users/user-queries.ts";
import type { Services } from "../services.ts";
import { type Browser, rememberBrowser } from "./browsers.ts";
import { createSignInNotices } from "./sign-in-notices.ts";

export type SignedInUser = { id: number; name: string; company_id: number };
export type SignedInBy = { browser: Browser | undefined; origin: Origin };

/**
 * Returns the function that ends each sign-in, once its session is open: it mails a notice of a new browser, remembers the
 * browser, writes the audit entry, and resolves with the reply.
 */
export function createSignInRecord(services: Services) {
  const { db, now } = services;
  const noteSignIn = createSignInNotices(services);

  return async function recordSignIn(user: SignedInUser, token: string, { browser, origin }: SignedInBy) {
    await noteSignIn(user.id, browser);
    await rememberBrowser(db, user.id, browser, now());
    await insertAccessEntry(db, { ...ownAccess(user), action: "signed in", ...origin }, now());
    return { user: await userReply(db, user.id), token };
  };
}

/** An audit entry of a user's access to their own account. */
export const ownAccess = ({ id, name, company_id }: SignedInUser) =>
  ({ company_id, actor: { id, name }, subject: { entity: "user", id, name }, userId: id }) as const;
