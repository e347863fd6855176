import { config } from "#config";

/**
 * The address of whoever sent a request. The server appends the socket's address to `X-Forwarded-For` (`serve.ts`), so
 * counted from the right, past the proxies that are trusted, nothing that a client writes there is believed.
 */
export function clientAddress(request: Request): string {
  const chain = (request.headers.get("x-forwarded-for") ?? "").split(",").map((address) => address.trim());
  const index = Math.max(0, chain.length - 1 - config().TRUSTED_PROXIES);
  return chain[index] || "unknown";
}
