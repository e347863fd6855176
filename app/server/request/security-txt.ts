import { config } from "#lib/config.ts";
import { daysInMs, daysInSeconds } from "#lib/units.ts";

/** RFC 9116. */
export function securityTxt(): Response {
  const { SECURITY_CONTACT, PUBLIC_URL } = config();
  const type = { "content-type": "text/plain; charset=utf-8" };
  if (!SECURITY_CONTACT) return new Response("There is no security.txt here.\n", { status: 404, headers: type });
  // The RFC recommends less than a year; the value changes daily.
  const expires = new Date(daysInMs(Math.floor(Date.now() / daysInMs(1)) + 180)).toISOString();
  const lines = [
    `Contact: ${SECURITY_CONTACT}`,
    `Expires: ${expires}`,
    "Preferred-Languages: en",
    `Canonical: ${PUBLIC_URL}/.well-known/security.txt`,
  ];
  const headers = { ...type, "cache-control": `public, max-age=${daysInSeconds(1)}` };
  return new Response(`${lines.join("\n")}\n`, { headers });
}
