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
import { daysInSeconds } from "#units";

type SessionData = {
  token: string;
  /** The token's digest, once the session has ended. */
  ended: string;
  /** The id of a form that was sent afterwards (`drafts/interrupted.ts`). */
  interrupted: string;
  /** The id of the user who signed in last, to whom an interrupted form belongs. */
  user: number;
};
type FlashData = { notice: string };

const { PUBLIC_URL, SESSION_SECRET } = config();
const isSecure = PUBLIC_URL.startsWith("https:");

const storage = createCookieSessionStorage<SessionData, FlashData>({
  cookie: {
    name: isSecure ? "__Host-sealdesk" : "sealdesk",
    secrets: SESSION_SECRET,
    secure: isSecure,
    httpOnly: true,
    sameSite: "lax",
    path: "/",
    maxAge: daysInSeconds(30),
  },
});

const verified = new LRUCache<string, object>({ max: 1000 });

/** Caches verified cookies: a signature takes as long to verify as a database query. */
async function getCached(header: string | null | undefined, options?: CookieParseOptions) {
  const data = header && verified.get(header);
  if (data) return createSession<SessionData, FlashData>({ ...data } as SessionData);
  const session = await storage.getSession(header, options);
  if (session.has("token")) verified.set(header!, session.data);
  return session;
}

export const readSession = ({ headers }: Request) => getCached(headers.get("cookie"));

const hasChanged = (before: object, after: object) => JSON.stringify(before) !== JSON.stringify(after);

export const [sessionMiddleware, getSession] = createSessionMiddleware<SessionData, FlashData>(
  { ...storage, getSession: getCached },
  hasChanged,
);

type Context = Readonly<RouterContextProvider>;
export type WebSession = ReturnType<typeof getSession>;

export function digestOf(session: WebSession): string | undefined {
  const token = session.get("token");
  return token ? createHash("sha256").update(token).digest("base64url") : session.get("ended");
}

export function endSession(session: WebSession) {
  const digest = digestOf(session);
  session.unset("token");
  if (digest) session.set("ended", digest);
}

export function redirectWithNotice(context: Context, path: string, notice: string, redirectBy = redirect) {
  const shown = notice.length > maxNoticeLength ? `${notice.slice(0, maxNoticeLength)} …` : notice;
  getSession(context).flash("notice", shown);
  return redirectBy(path);
}

export const takeNotice = (context: Context): string | undefined => getSession(context).get("notice");

/** Where an error leads visitors; undefined for users. */
export const guestWays = (context: Context) =>
  getSession(context).has("token")
    ? undefined
    : [
        { to: "/login", label: "Sign in" },
        { to: "/v", label: "Check a document" },
      ];

/** Browsers store cookies of 4096 characters at most, signed and encoded. */
export const maxTokenLength = 2200;
const maxNoticeLength = 100;
