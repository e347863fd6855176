import { config } from "#lib/config.ts";
import { canonicalAddress } from "#lib/storage/limits/networks.ts";
import { requestContext } from "./request-context.ts";

/** Counted from the connection, leftwards in X-Forwarded-For: addresses left of those of the trusted proxies may be forged. */
export function clientAddress({ headers }: Request): string {
  const path = [headers.get("x-forwarded-for"), requestContext()?.peer].filter(Boolean).join(", ");
  return clientIn(path, config().TRUSTED_PROXIES);
}

export function clientIn(forwardedFor: string, trustedProxies: number): string {
  const near = forwardedFor.split(",").slice(-trustedProxies - 1);
  return near.map(canonicalAddress).find((address) => address !== undefined) ?? "unknown";
}
