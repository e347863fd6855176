import { hash } from "node:crypto";
import { LRUCache } from "lru-cache";
import { createCookieSessionStorage, createSession, type CookieParseOptions, redirect } from "react-router";
import { createSessionMiddleware } from "remix-utils/middleware/session";
import { config } from "#lib/config.ts";
import { t } from "#lib/messages/staff.ts";
import { daysInSeconds } from "#lib/units.ts";
import { isHttps } from "../request/host.ts";
import type { Context } from "../request/router-context.ts";

type SessionData = {
  token: string;
  secondStepToken: string;
  /** The token's digest, once the session has ended. */
  ended: string;
  /** The id of a form that was sent afterwards (`drafts/interrupted.ts`). */
  interrupted: string;
  /** For whom its page was made, and to whom alone it comes back (`page-user.ts`). */
  interruptedOf: string;
  user: number;
  /** Of the identity provider’s page that signs out; empty if there is none. */
  signOutOrigin: string;
  /** The plan that the user chose in front of a provider that has none. */
  tariff: number;
  /** The end of the company’s sign-in address that was used last. */
  signInAddress: string;
};
type FlashData = {
  notice: string;
  /** Why something was not done, in place of a notice. */
  refusal: string;
  handed: HandedLink;
  /** Where a browser goes on that comes from signing out at the identity provider. */
  afterSignOut: string;
};

/** A link that a user hands over to the one with this name: shown once, so that it is in no address and no log. */
export type HandedLink = { name: string; link: string };

const { SESSION_SECRET } = config();
const isSecure = isHttps();

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

/** Whether a Cookie header carries the signed session of a user; the session may have ended since. */
export const hasUser = async (cookies: string): Promise<boolean> => (await getCached(cookies)).has("token");

export const readSession = ({ headers }: Request) => getCached(headers.get("cookie"));

const hasChanged = (before: object, after: object) => JSON.stringify(before) !== JSON.stringify(after);

export const [sessionMiddleware, getSession] = createSessionMiddleware<SessionData, FlashData>(
  { ...storage, getSession: getCached },
  hasChanged,
);

export type WebSession = ReturnType<typeof getSession>;

export function digestOf(session: WebSession): string | undefined {
  const token = session.get("token");
  return token ? hash("sha256", token, "base64url") : session.get("ended");
}

export function endSession(session: WebSession) {
  const digest = digestOf(session);
  session.unset("token");
  if (digest) session.set("ended", digest);
}

type Extras = { handed?: HandedLink | undefined; redirectBy?: typeof redirect };

export function redirectWithNotice(context: Context, path: string, notice: string, extras: Extras = {}) {
  const { handed, redirectBy = redirect } = extras;
  getSession(context).flash("notice", shortened(notice));
  if (handed) getSession(context).flash("handed", handed);
  return redirectBy(path);
}

export function redirectWithRefusal(context: Context, path: string, refusal: string) {
  getSession(context).flash("refusal", shortened(refusal));
  return redirect(path);
}

const shortened = (text: string) => (text.length > maxNoticeLength ? `${text.slice(0, maxNoticeLength)} …` : text);

export const takeNotice = (context: Context): string | undefined => getSession(context).get("notice");
export const takeRefusal = (context: Context): string | undefined => getSession(context).get("refusal");
export const takeHandedLink = (context: Context): HandedLink | undefined => getSession(context).get("handed");

/** Where an error leads visitors; undefined for users. */
export const guestWays = (context: Context) =>
  getSession(context).has("token")
    ? undefined
    : [
        { to: "/login", label: t("common.signIn") },
        { to: "/v", label: t("server.sessions.session.checkADocument") },
      ];

/** Browsers store cookies of 4096 characters at most, signed and encoded. */
export const maxTokenLength = 2200;
const maxNoticeLength = 100;
