import { config } from "#config";

const days = 24 * 60 * 60 * 1000;

/** The contact for reports of weaknesses (RFC 9116); 404 unless `SECURITY_CONTACT` is set. */
export function securityTxt(): Response {
  const { SECURITY_CONTACT, PUBLIC_URL } = config();
  const type = { "content-type": "text/plain; charset=utf-8" };
  if (!SECURITY_CONTACT) return new Response("There is no security.txt here.\n", { status: 404, headers: type });
  // Well below the year that the standard recommends at most, and the same all day.
  const expires = new Date(Math.floor(Date.now() / days + 180) * days).toISOString();
  const lines = [
    `Contact: ${SECURITY_CONTACT}`,
    `Expires: ${expires}`,
    "Preferred-Languages: en",
    `Canonical: ${PUBLIC_URL}/.well-known/security.txt`,
  ];
  const headers = { ...type, "cache-control": "public, max-age=86400" };
  return new Response(`${lines.join("\n")}\n`, { headers });
}
