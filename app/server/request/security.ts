import { nanoid } from "nanoid";
import { createContext, data, type MiddlewareFunction } from "react-router";
import { t } from "#lib/messages/staff.ts";
import { daysInSeconds } from "#lib/units.ts";
import { companyHostOf, originOf } from "./company-host.ts";
import { isHttps, isOwnOrigin, ownReferrer } from "./host.ts";
import { refuseStranger, wordsForStranger } from "./plain-page.ts";
import { log } from "../process/log.ts";
import { tiles } from "../map/tiles.ts";
import { requestContext } from "./request-context.ts";
import type { Context } from "./router-context.ts";
import { isForPrograms } from "./target.ts";

const nonceContext = createContext<string>();

export const getNonce = (context: Context) => context.get(nonceContext);

export const inertPolicy = "default-src 'none'; frame-ancestors 'none'; sandbox";

const staticPolicy = "script-src 'none'; object-src 'none'; frame-ancestors 'none'; sandbox";

const defaultHeaders: Record<string, string> = {
  "x-content-type-options": "nosniff",
  // With "no-referrer" browsers would post forms with `Origin: null`, as cross-site ones do.
  "referrer-policy": "strict-origin-when-cross-origin",
  "cross-origin-opener-policy": "same-origin",
  "cross-origin-resource-policy": "same-origin",
  "permissions-policy": "camera=(), microphone=(), geolocation=(), payment=(), usb=()",
  ...(isHttps() && { "strict-transport-security": `max-age=${daysInSeconds(365)}` }),
};

/** Of files of the build, and of what is refused before a route is found. */
export const fileHeaders = new Headers({ ...defaultHeaders, "content-security-policy": staticPolicy });
const routeHeaders = Object.entries({ ...defaultHeaders, "content-security-policy": inertPolicy });

const map = tiles();
const tileOrigin = map ? ` ${new URL(map.url).origin}` : "";
const imagesContext = createContext("");

/** Allows a map's tiles on every signed-in page, as scripts can open the map without a new document. */
export const allowMaps: MiddlewareFunction<Response> = ({ context }) => {
  context.set(imagesContext, tileOrigin);
};

const formTargetsContext = createContext("");

/** Lets the form that signs out lead to the identity provider of the session. */
export const allowFormTarget = (context: Context, origin: string) => context.set(formTargetsContext, ` ${origin}`);

const pagePolicy = (nonce: string, images = "", formTargets = "") =>
  [
    "default-src 'none'",
    `script-src 'self' 'nonce-${nonce}'`,
    `style-src 'self' 'nonce-${nonce}'`,
    "font-src 'self'",
    // data: is for the icon, and for the image by which Leaflet replaces unused tiles.
    `img-src 'self' data:${images}`,
    "connect-src 'self'",
    `form-action 'self'${formTargets}`,
    "base-uri 'none'",
    "frame-ancestors 'none'",
  ].join("; ");

const uncached = "private, no-store";

export const pageHeaders: MiddlewareFunction<Response> = async ({ context }, next) => {
  // Its random bytes are taken from the system many at a time: a call for each is 3 % of a verification page.
  const nonce = nanoid(22);
  context.set(nonceContext, nonce);
  // Express would add the route's headers to them.
  for (const name of fileHeaders.keys()) requestContext()?.reply?.removeHeader(name);
  const response = await next();
  const { headers } = response;
  if (headers.get("content-type")?.startsWith("text/html") && !headers.has("content-security-policy")) {
    headers.set(
      "content-security-policy",
      pagePolicy(nonce, context.get(imagesContext), context.get(formTargetsContext)),
    );
  }
  for (const [name, value] of routeHeaders) if (!headers.has(name)) headers.set(name, value);
  if (!headers.has("cache-control")) headers.set("cache-control", uncached);
  return response;
};

const safeMethods = ["GET", "HEAD", "OPTIONS"];

/** Rejects cross-site requests that change something, by Sec-Fetch-Site or Origin. What programs call reads no cookies. */
export const sameOriginOnly: MiddlewareFunction<Response> = async ({ request, context, url }, next) => {
  if (!safeMethods.includes(request.method) && !isForPrograms(url.pathname) && !isFromOurPages(request, context)) {
    const from = request.headers.get("origin") ?? request.headers.get("sec-fetch-site") ?? "";
    log.warn({ from: from.slice(0, 100) }, "cross-site request rejected");
    const words = wordsForStranger(url.pathname + url.search, request.headers.get("accept-language"));
    // Errors thrown here render the root's page, in the staff's language.
    if (words) {
      const page = { title: words.t("problem.refused.title"), text: words.t("problem.refused.text") };
      return refuseStranger(url, words, { ...page, status: 403, mayWorkLater: true });
    }
    throw data({ kind: "refused", message: t("server.request.security.sentFromAnotherSite") }, { status: 403 });
  }
  return next();
};

/** Pages know no other methods, which the router would take for POST; what programs call has its own. */
export const knownMethodsOnly: MiddlewareFunction<Response> = async ({ request, url }, next) => {
  if ([...safeMethods, "POST"].includes(request.method) || isForPrograms(url.pathname)) return next();
  const headers = { allow: "GET, HEAD, POST", "content-type": "text/plain" };
  return new Response("Method Not Allowed\n", { status: 405, headers });
};

/** Rejects compressed bodies, whose size is known too late. Browsers send none. */
export const rejectEncodedBodies: MiddlewareFunction<Response> = async ({ request, url }, next) => {
  const encoding = request.headers.get("content-encoding") ?? "identity";
  if (safeMethods.includes(request.method) || encoding === "identity") return next();
  const message = "Compressed bodies are not accepted: send it uncompressed.";
  if (isForPrograms(url.pathname)) return Response.json({ message }, { status: 415 });
  throw data({ kind: "refused", message }, { status: 415 });
};

/** Whether a click on a page of ours led here, and no other site, mail or bookmark. Without Sec-Fetch-Site, by Referer. */
export function isLedByOwnPage(request: Request): boolean {
  const site = request.headers.get("sec-fetch-site");
  return site ? site === "same-origin" : ownReferrer(request) !== undefined;
}

function isFromOurPages({ headers }: Request, context: Context) {
  const site = headers.get("sec-fetch-site");
  if (site) return site === "same-origin" || site === "none";
  const origin = headers.get("origin");
  // Browsers send Origin with every form; other programs have no users' cookies.
  if (origin === null) return true;
  const own = companyHostOf(context);
  return own ? origin === originOf(own) : isOwnOrigin(origin, headers.get("host"));
}
