import { insertAccessEntry, type Origin } from "../audit/access-trail.ts";
import { userReply } from "../db/users.ts";
import type { Services } from "../services.ts";
import { type Browser, rememberBrowser } from "./browsers.ts";
import type { createSignInNotices } from "./sign-in-notices.ts";
import { openSession } from "./tokens.ts";

type SignedIn = {
  user: { id: number; name: string; company_id: number };
  browser: Browser | undefined;
  origin: Origin;
  noteSignIn: ReturnType<typeof createSignInNotices>;
};

/** Opens a session for a user who is known without a password, which counts as both factors. Returns what a sign-in replies. */
export async function openKnownSession({ db, now }: Services, { user, browser, origin, noteSignIn }: SignedIn) {
  const { id, name, company_id } = user;
  await noteSignIn(id, browser);
  await rememberBrowser(db, id, browser, now());
  const token = await openSession(db, id, browser, { now: now(), hasSecondFactor: true });
  const entry = { company_id, actor: { id, name }, subject: { entity: "user", id, name }, userId: id } as const;
  await insertAccessEntry(db, { ...entry, action: "signed in", ...origin }, now());
  return { user: await userReply(db, id), token };
}
