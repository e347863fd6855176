import { config } from "#lib/config.ts";
import { canonicalAddress } from "#lib/storage/limits/networks.ts";
import { requestContext } from "./request-context.ts";

/** The address from which the first trusted proxy was called. Those before it in X-Forwarded-For may be forged. */
export function clientAddress({ headers }: Request): string {
  const path = [headers.get("x-forwarded-for"), requestContext()?.peer].filter(Boolean).join(", ");
  return clientIn(path, config().TRUSTED_PROXIES);
}

export function clientIn(forwardedFor: string, trustedProxies: number): string {
  const lastAddresses = forwardedFor.split(",").slice(-trustedProxies - 1);
  return lastAddresses.map(canonicalAddress).find((address) => address !== undefined) ?? "unknown";
}
