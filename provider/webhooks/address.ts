import { lookup, Resolver } from "node:dns/promises";
import { isIP } from "node:net";
import { isAllowedHost, isPublicAddress } from "../http/public-address.ts";
import { secondsInMs } from "#lib/units.ts";

/** Allowed addresses of webhooks: public ones by HTTPS, and those the operator allows. */

export type HostAddress = { address: string; family: number };

export type WebhookSettings = {
  /** `host` or `host:port`, in lower case: also private addresses and HTTP. */
  allowedHosts: readonly string[];
  /** All addresses of a host name. */
  resolve?(host: string): Promise<HostAddress[]>;
  /** From the connection to the end of the reply's headers. */
  timeoutMs?: number;
};

/** The same message for both, as a difference would help to scan a network. */
export const hostRefused = "The host is unknown, or is not on the public internet";

/** The host is unknown, or private. */
export class HostRefused extends Error {
  readonly code = "EHOST";
}

const maxResolvingMs = secondsInMs(5);

const lowestOtherPort = 1024;

/** Why an address can't be that of a webhook, in words; undefined if its form is good. Whether its host is public shows later. */
export function addressProblem(address: string, settings: WebhookSettings): string | undefined {
  const url = URL.parse(address);
  if (!url || !["http:", "https:"].includes(url.protocol))
    return "Enter an address like https://hooks.example/sealdesk";
  if (url.username || url.password) return "Leave out user name and password: each delivery is signed";
  if (url.hash) return "Leave out what stands after #";
  if (isAllowedHost(url, settings.allowedHosts)) return undefined;
  if (url.protocol !== "https:") return "Enter an address that begins with https://";
  if (url.port && Number(url.port) < lowestOtherPort) return "Leave out the port, or enter one from 1024 on";
  return undefined;
}

/**
 * The addresses of a webhook's host, resolved once: the connection must use these, as the name may lead elsewhere by
 * then. Throws `HostRefused` unless all of them are public or the operator allows the host.
 */
export async function resolveHost(url: URL, settings: WebhookSettings): Promise<HostAddress[]> {
  const host = url.hostname.replace(/^\[|\]$/g, "");
  const family = isIP(host);
  const isOurs = isAllowedHost(url, settings.allowedHosts);
  const resolve = settings.resolve ?? (isOurs ? lookUp : askNameServer);
  const addresses = family ? [{ address: host, family }] : await resolveName(host, resolve);
  if (isOurs) return addresses;
  if (addresses.every(({ address }) => isPublicAddress(address))) return addresses;
  throw new HostRefused("The host is private");
}

type Resolve = NonNullable<WebhookSettings["resolve"]>;

async function resolveName(host: string, resolve: Resolve): Promise<HostAddress[]> {
  let timer: NodeJS.Timeout | undefined;
  const timeout = new Promise<never>((_, reject) => {
    timer = setTimeout(() => reject(new HostRefused("The host was not resolved in time")), maxResolvingMs);
  });
  try {
    const addresses = await Promise.race([resolve(host), timeout]);
    if (addresses.length > 0) return addresses;
  } catch (error) {
    throw new HostRefused("The host is unknown", { cause: error });
  } finally {
    clearTimeout(timer);
  }
  throw new HostRefused("The host has no address");
}

/** As other programs of this machine do, so that names in its hosts file count. */
const lookUp: Resolve = (host) => lookup(host, { all: true });

/** Without the hosts file, and not on Node's threads: a name server that hangs would keep reads of files waiting. */
const askNameServer: Resolve = async (host) => {
  const resolver = new Resolver({ timeout: secondsInMs(2), tries: 2 });
  const replies = await Promise.allSettled([resolver.resolve4(host), resolver.resolve6(host)]);
  return replies.flatMap((reply, n) =>
    reply.status === "fulfilled" ? reply.value.map((address) => ({ address, family: n === 0 ? 4 : 6 })) : [],
  );
};
