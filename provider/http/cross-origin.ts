import { hoursInSeconds } from "#lib/units.ts";
import type { Call } from "../contract/call.ts";

/** Calls that pages of other sites may make (Fetch standard, "CORS protocol"). None of them knows its caller by a cookie. */

const readable = ["ETag", "RateLimit", "RateLimit-Policy", "Retry-After"];

export const crossOriginHeaders: [string, string][] = [
  ["access-control-allow-origin", "*"],
  ["access-control-expose-headers", readable.join(", ")],
];

/** The reply to a browser's question whether another site's page may make a call. */
export const preflightReply = ({ method }: Pick<Call, "method">) =>
  new Response(null, {
    status: 204,
    headers: [
      ...crossOriginHeaders,
      ["access-control-allow-methods", method],
      ["access-control-allow-headers", "Accept, Authorization, Content-Type, If-None-Match"],
      ["access-control-max-age", String(hoursInSeconds(24))],
    ],
  });
