import { randomBytes } from "node:crypto";
import { createContext, data, type MiddlewareFunction, type RouterContextProvider } from "react-router";
import { config } from "#config";
import { daysInSeconds } from "#units";
import { isOwnOrigin } from "./host.ts";
import { log } from "../process/log.ts";
import { tiles } from "../map/tiles.ts";

const nonceContext = createContext<string>();

/** What the page's own scripts carry, new for every request. */
export const getNonce = (context: Readonly<RouterContextProvider>) => context.get(nonceContext);

const isSecure = config().PUBLIC_URL.startsWith("https:");

/** For what is no page: nothing in it runs or asks for anything, whatever it turns out to be. */
export const inertPolicy = "default-src 'none'; frame-ancestors 'none'; sandbox";

/** For our own static files, and what the server answers by itself. */
const staticPolicy = "script-src 'none'; object-src 'none'; frame-ancestors 'none'; sandbox";

/** What every reply bears, whoever makes it (`observe-request.ts`), unless a route says something else. */
const defaultHeaders: Record<string, string> = {
  "x-content-type-options": "nosniff",
  // "no-referrer" would make forms without scripts send `Origin: null`, which can't be told from an attack.
  "referrer-policy": "strict-origin-when-cross-origin",
  "cross-origin-opener-policy": "same-origin",
  "cross-origin-resource-policy": "same-origin",
  "permissions-policy": "camera=(), microphone=(), geolocation=(), payment=(), usb=()",
  ...(isSecure && { "strict-transport-security": `max-age=${daysInSeconds(365)}` }),
};

export const routeHeaders = Object.entries({ ...defaultHeaders, "content-security-policy": inertPolicy });
export const fileHeaders = Object.entries({ ...defaultHeaders, "content-security-policy": staticPolicy });

const map = tiles();
const imagesOfMaps = map ? ` ${new URL(map.url).origin}` : "";
const imagesContext = createContext("");

/** Lets pages show maps; those who are signed in come to one from any other without a new document. */
export const allowMaps: MiddlewareFunction<Response> = ({ context }) => {
  context.set(imagesContext, imagesOfMaps);
};

const pagePolicy = (nonce: string, images: string) =>
  [
    "default-src 'none'",
    `script-src 'self' 'nonce-${nonce}'`,
    `style-src 'self' 'nonce-${nonce}'`,
    "font-src 'self'",
    // As `data:` come the icon, and what a map's script empties a tile with that is no longer wanted.
    `img-src 'self' data:${images}`,
    "connect-src 'self'",
    "form-action 'self'",
    "base-uri 'none'",
    "frame-ancestors 'none'",
  ].join("; ");

/** A page says what a browser may do with it, and no reply of the router is kept by caches that does not ask for it. */
export const pageHeaders: MiddlewareFunction<Response> = async ({ context }, next) => {
  const nonce = randomBytes(16).toString("base64url");
  context.set(nonceContext, nonce);
  const response = await next();
  const { headers } = response;
  if (headers.get("content-type")?.startsWith("text/html") && !headers.has("content-security-policy")) {
    headers.set("content-security-policy", pagePolicy(nonce, context.get(imagesContext)));
  }
  if (!headers.has("cache-control")) headers.set("cache-control", "private, no-store");
  return response;
};

const safeMethods = ["GET", "HEAD", "OPTIONS"];

/**
 * Refuses what another site makes a browser send: by Sec-Fetch-Site, or by Origin where that is missing. `/api` is let
 * through: it reads no cookie, so nothing can be done there in somebody's name.
 */
export const sameOriginOnly: MiddlewareFunction<Response> = async ({ request, url }, next) => {
  if (!safeMethods.includes(request.method) && !isApi(url) && !isFromOurPages(request)) {
    const from = request.headers.get("origin") ?? request.headers.get("sec-fetch-site") ?? "";
    log.warn({ from: from.slice(0, 100) }, "what another site made a browser send was refused");
    throw data({ kind: "refused", message: "This form was sent from another site." }, { status: 403 });
  }
  return next();
};

const isApi = (url: URL) => url.pathname.startsWith("/api/");

/** Refuses what is sent packed: how much it unpacks to would be known too late. Browsers never do this. */
export const rejectEncodedBodies: MiddlewareFunction<Response> = async ({ request, url }, next) => {
  const encoding = request.headers.get("content-encoding") ?? "identity";
  if (safeMethods.includes(request.method) || encoding === "identity") return next();
  const message = "This was sent packed: send it as it is.";
  if (isApi(url)) return Response.json({ message }, { status: 415 });
  throw data({ kind: "refused", message }, { status: 415 });
};

function isFromOurPages({ headers }: Request) {
  const site = headers.get("sec-fetch-site");
  if (site) return site === "same-origin" || site === "none";
  const origin = headers.get("origin");
  // Browsers name the origin of every form that is posted; programs don't, and carry nobody's cookies.
  return origin === null || isOwnOrigin(origin, headers.get("host"));
}
