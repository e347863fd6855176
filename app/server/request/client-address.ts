import { config } from "#lib/config.ts";
import { canonicalAddress } from "#lib/storage/limits/networks.ts";

/** `serve.ts` appends the socket's address; addresses left of those of the trusted proxies may be forged. */
export const clientAddress = (request: Request): string =>
  clientIn(request.headers.get("x-forwarded-for") ?? "", config().TRUSTED_PROXIES);

export function clientIn(forwardedFor: string, trustedProxies: number): string {
  const near = forwardedFor.split(",").slice(-trustedProxies - 1);
  return near.map(canonicalAddress).find((address) => address !== undefined) ?? "unknown";
}
