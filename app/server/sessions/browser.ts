import { randomBytes } from "node:crypto";
import { createContext, createCookie, type MiddlewareFunction, type RouterContextProvider } from "react-router";
import { config } from "#config";
import { daysInSeconds } from "#units";
import { browserLabel } from "./browser-label.ts";

/**
 * The browser that a form comes from. Once a user has signed in with it a signed cookie holds its random token, by
 * which the embedded provider knows it again: others' attempts at the account do not slow it down.
 */

const { PUBLIC_URL, PROVIDER_URL, SESSION_SECRET } = config();
const isSecure = PUBLIC_URL.startsWith("https:");

/** As long as browsers keep a cookie at most. */
const maxAge = daysInSeconds(400);

const cookie = createCookie(isSecure ? "__Host-sealdesk-browser" : "sealdesk-browser", {
  secrets: SESSION_SECRET,
  secure: isSecure,
  httpOnly: true,
  sameSite: "lax",
  path: "/",
  maxAge,
});

type Browser = { token: string; label: string };

type Context = Readonly<RouterContextProvider>;
const browserContext = createContext<Browser | null>(null);
const signedInContext = createContext<boolean>(false);

/** The browser of a posted form; undefined for what only reads, and where another provider decides. */
export const getBrowser = (context: Context): Browser | undefined => context.get(browserContext) ?? undefined;

/** Has the browser keep its token: a user signed in with it, or set a password by a link. */
export const rememberBrowser = (context: Context) => context.set(signedInContext, true);

/** The token in a cookie that we signed. */
async function tokenIn(header: string | null | undefined) {
  const token: unknown = header ? await cookie.parse(header) : undefined;
  return typeof token === "string" && token !== "" ? token : undefined;
}

/** The token of the browser that sends these cookies, if some user signed in with it before. */
export const returningBrowser = (cookies: string | undefined): Promise<string | undefined> => tokenIn(cookies);

/** Reads the cookie of a form's browser, or makes a token that only `rememberBrowser` gives out. */
export const browserMiddleware: MiddlewareFunction<Response> = async ({ request, context }, next) => {
  if (PROVIDER_URL || request.method !== "POST") return next();
  const token = (await tokenIn(request.headers.get("cookie"))) ?? randomBytes(32).toString("base64url");
  context.set(browserContext, { token, label: browserLabel(request.headers.get("user-agent") ?? "") });
  const response = await next();
  if (context.get(signedInContext)) response.headers.append("set-cookie", await cookie.serialize(token));
  return response;
};
