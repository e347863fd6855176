import { config } from "#config";
import { canonicalAddress } from "#storage/networks.ts";

/**
 * The canonical address of a request's client, or "unknown". `serve.ts` appends the socket's address to `X-Forwarded-For`,
 * so counting from the right, past the trusted proxies, ignores whatever a client sends.
 */
export const clientAddress = (request: Request): string =>
  clientIn(request.headers.get("x-forwarded-for") ?? "", config().TRUSTED_PROXIES);

export function clientIn(forwardedFor: string, trustedProxies: number): string {
  // Addresses further left may be forged.
  const near = forwardedFor.split(",").slice(-trustedProxies - 1);
  return near.map(canonicalAddress).find((address) => address !== undefined) ?? "unknown";
}
