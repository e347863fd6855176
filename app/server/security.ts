import { randomBytes } from "node:crypto";
import { createContext, data, type MiddlewareFunction, type RouterContextProvider } from "react-router";
import { config } from "#config";
import { tiles } from "./tiles.ts";

const nonceContext = createContext<string>();

/** What the page's own scripts carry, new for every request. */
export const getNonce = (context: Readonly<RouterContextProvider>) => context.get(nonceContext);

const isSecure = config().PUBLIC_URL.startsWith("https:");

const headers = {
  "x-content-type-options": "nosniff",
  // "no-referrer" would make forms without scripts send `Origin: null`, which can't be told from an attack.
  "referrer-policy": "strict-origin-when-cross-origin",
  "cross-origin-opener-policy": "same-origin",
  "cross-origin-resource-policy": "same-origin",
  "permissions-policy": "camera=(), microphone=(), geolocation=(), payment=(), usb=()",
  ...(isSecure && { "strict-transport-security": "max-age=31536000" }),
};

const map = tiles();
/** What maps need: their tiles, and a `data:` address by which their script empties a tile that is no longer wanted. */
const imagesOfMaps = map ? ` data: ${new URL(map.url).origin}` : "";
const imagesContext = createContext("");

/** Lets pages show maps; those who are signed in come to one from any other without a new document. */
export const allowMaps: MiddlewareFunction<Response> = ({ context }) => {
  context.set(imagesContext, imagesOfMaps);
};

const pagePolicy = (nonce: string, images: string) =>
  [
    "default-src 'none'",
    `script-src 'self' 'nonce-${nonce}'`,
    "style-src 'self'",
    "font-src 'self'",
    `img-src 'self'${images}`,
    "connect-src 'self'",
    "form-action 'self'",
    "base-uri 'none'",
    "frame-ancestors 'none'",
  ].join("; ");

/** Every reply says how little a browser may do with it. Files bring a stricter policy of their own. */
export const securityHeaders: MiddlewareFunction<Response> = async ({ context }, next) => {
  const nonce = randomBytes(16).toString("base64url");
  context.set(nonceContext, nonce);
  const response = await next();
  // A page may allow more, and says so itself.
  for (const [name, value] of Object.entries(headers)) {
    if (!response.headers.has(name)) response.headers.set(name, value);
  }
  if (!response.headers.has("content-security-policy")) {
    response.headers.set("content-security-policy", pagePolicy(nonce, context.get(imagesContext)));
  }
  if (!response.headers.has("cache-control")) response.headers.set("cache-control", "private, no-store");
  return response;
};

const reading = ["GET", "HEAD", "OPTIONS"];

/**
 * Refuses what another site makes a browser send: by Sec-Fetch-Site, or by Origin where that is missing. `/api` is let
 * through: it reads no cookie, so nothing can be done there in somebody's name.
 */
export const sameOriginOnly: MiddlewareFunction<Response> = async ({ request, url }, next) => {
  if (!reading.includes(request.method) && !url.pathname.startsWith("/api/") && !isFromOurPages(request, url)) {
    throw data({ kind: "refused", message: "This form was sent from another site." }, { status: 403 });
  }
  return next();
};

function isFromOurPages(request: Request, url: URL) {
  const site = request.headers.get("sec-fetch-site");
  if (site) return site === "same-origin" || site === "none";
  const origin = request.headers.get("origin");
  // Browsers name the origin of every form that is posted; programs don't, and carry nobody's cookies.
  return (
    origin === null || origin === config().PUBLIC_URL || (URL.canParse(origin) && new URL(origin).host === url.host)
  );
}
