import { randomBytes } from "node:crypto";
import { createContext, createCookie, type MiddlewareFunction, type RouterContextProvider } from "react-router";
import { config } from "#config";
import { daysInSeconds } from "#units";
import { browserLabel } from "./browser-label.ts";

/**
 * Recognises browsers in which a user has signed in, by a signed cookie with a random token: the embedded provider does not
 * delay them when others guess the account's password.
 */

const { PUBLIC_URL, PROVIDER_URL, SESSION_SECRET } = config();
const isSecure = PUBLIC_URL.startsWith("https:");

/** The longest that browsers store a cookie. */
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

/** The browser that posts a form; undefined for other requests and in front of an external provider. */
export const getBrowser = (context: Context): Browser | undefined => context.get(browserContext) ?? undefined;

/** Has the response set the cookie, after a sign-in or a password set by a link. */
export const rememberBrowser = (context: Context) => context.set(signedInContext, true);

async function tokenIn(header: string | null | undefined) {
  const token: unknown = header ? await cookie.parse(header) : undefined;
  return typeof token === "string" && token !== "" ? token : undefined;
}

/** The token of a browser in which some user has signed in before. */
export const returningBrowser = (cookies: string | undefined): Promise<string | undefined> => tokenIn(cookies);

export const browserMiddleware: MiddlewareFunction<Response> = async ({ request, context }, next) => {
  if (PROVIDER_URL || request.method !== "POST") return next();
  const token = (await tokenIn(request.headers.get("cookie"))) ?? randomBytes(32).toString("base64url");
  context.set(browserContext, { token, label: browserLabel(request.headers.get("user-agent") ?? "") });
  const response = await next();
  if (context.get(signedInContext)) response.headers.append("set-cookie", await cookie.serialize(token));
  return response;
};
