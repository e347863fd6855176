import { randomBytes } from "node:crypto";
import { createContext, createCookie, type MiddlewareFunction } from "react-router";
import { config } from "#lib/config.ts";
import { daysInSeconds } from "#lib/units.ts";
import { isHttps } from "../request/host.ts";
import type { Context } from "../request/router-context.ts";
import { browserLabel } from "./browser-label.ts";

/** The embedded provider doesn't delay browsers with this cookie when others guess the account's password. */

const { PROVIDER_URL, SESSION_SECRET } = config();
const isSecure = isHttps();

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

const browserContext = createContext<Browser | null>(null);
const rememberedContext = createContext<boolean>(false);

/** Undefined unless the embedded provider is sent a form, or the answer of an identity provider. */
export const getBrowser = (context: Context): Browser | undefined => context.get(browserContext) ?? undefined;

export const rememberBrowser = (context: Context) => context.set(rememberedContext, true);

export async function returningBrowser(header: string | null | undefined) {
  const token: unknown = header ? await cookie.parse(header) : undefined;
  return typeof token === "string" && token !== "" ? token : undefined;
}

export const browserMiddleware: MiddlewareFunction<Response> = async ({ request, context, url }, next) => {
  const opensSession = request.method === "POST" || url.pathname.startsWith("/login/sso/return");
  if (PROVIDER_URL || !opensSession) return next();
  const token = (await returningBrowser(request.headers.get("cookie"))) ?? randomBytes(32).toString("base64url");
  context.set(browserContext, { token, label: browserLabel(request.headers.get("user-agent") ?? "") });
  const response = await next();
  if (context.get(rememberedContext)) response.headers.append("set-cookie", await cookie.serialize(token));
  return response;
};
