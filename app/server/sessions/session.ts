import { createHash } from "node:crypto";
import { LRUCache } from "lru-cache";
import {
  createCookieSessionStorage,
  createSession,
  type CookieParseOptions,
  redirect,
  type RouterContextProvider,
} from "react-router";
import { createSessionMiddleware } from "remix-utils/middleware/session";
import { config } from "#config";

/** The signed cookie that holds the provider's token, and a notice for the next page. */

type SessionData = {
  token: string;
  /** A digest of the token of the session that has ended in this browser. */
  ended: string;
  /** The number of a form that was sent after the session had ended (`drafts/interrupted.ts`). */
  interrupted: string;
};
type FlashData = { notice: string };

const days = (n: number) => n * 24 * 60 * 60;
const { PUBLIC_URL, SESSION_SECRET } = config();
const isSecure = PUBLIC_URL.startsWith("https:");

const storage = createCookieSessionStorage<SessionData, FlashData>({
  cookie: {
    // Browsers accept the prefix only from https, for this host alone.
    name: isSecure ? "__Host-sealdesk" : "sealdesk",
    secrets: SESSION_SECRET,
    secure: isSecure,
    httpOnly: true,
    sameSite: "lax",
    path: "/",
    maxAge: days(30),
  },
});

const known = new LRUCache<string, object>({ max: 1000 });

/** A signature that was found right is not looked at again: it would take as long as a question to the database. */
async function getKnown(header: string | null | undefined, options?: CookieParseOptions) {
  const data = header && known.get(header);
  if (data) return createSession<SessionData, FlashData>({ ...data } as SessionData);
  const session = await storage.getSession(header, options);
  if (session.has("token")) known.set(header!, session.data);
  return session;
}

const hasChanged = (before: object, after: object) => JSON.stringify(before) !== JSON.stringify(after);

export const [sessionMiddleware, getSession] = createSessionMiddleware<SessionData, FlashData>(
  { ...storage, getSession: getKnown },
  hasChanged,
);

type Context = Readonly<RouterContextProvider>;
type OwnSession = ReturnType<typeof getSession>;

/** The digest of the token that a signed cookie holds or held; undefined where there never was one. */
export function digestOf(session: OwnSession): string | undefined {
  const token = session.get("token");
  return token ? createHash("sha256").update(token).digest("base64url") : session.get("ended");
}

/** Ends the session in this browser. */
export function endSession(session: OwnSession) {
  const digest = digestOf(session);
  session.unset("token");
  if (digest) session.set("ended", digest);
}

/** Redirects to a page that shows a notice. */
export function redirectWithNotice(context: Context, path: string, notice: string) {
  const shown = notice.length > longestNotice ? `${notice.slice(0, longestNotice)} …` : notice;
  getSession(context).flash("notice", shown);
  return redirect(path);
}

/** The notice for this page, which is then gone. */
export const takeNotice = (context: Context): string | undefined => getSession(context).get("notice");

/** Browsers keep no cookie of more than 4096 characters; signed and encoded, a token must be well below that. */
export const longestToken = 2200;
const longestNotice = 100;
