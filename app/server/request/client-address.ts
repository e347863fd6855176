import { config } from "#config";
import { canonicalAddress } from "#storage/networks.ts";

/**
 * The canonical address of a request's client, or "unknown". The server appends the socket's address to
 * `X-Forwarded-For` (`serve.ts`), so counted from the right, past the trusted proxies, nothing that a client writes
 * there is believed. Where a proxy names no address, its own counts.
 */
export const clientAddress = (request: Request): string =>
  clientIn(request.headers.get("x-forwarded-for") ?? "", config().TRUSTED_PROXIES);

/** The same for the header's content. */
export function clientIn(forwardedFor: string, trustedProxies: number): string {
  // What lies further left is the client's own word, however long it is.
  const near = forwardedFor.split(",").slice(-trustedProxies - 1);
  return near.map(canonicalAddress).find((address) => address !== undefined) ?? "unknown";
}
