import { lookup } from "node:dns";
import { isIP, type LookupFunction } from "node:net";
import ipaddr from "ipaddr.js";

/** Public addresses of clouds that answer their own machines alone: Azure's. */
const cloudAddresses = ["168.63.129.16"];

/** Addresses of IPv6 that lead to the internet; others hold IPv4 addresses, lead nowhere or into a network. */
const globalUnicast = ipaddr.IPv6.parseCIDR("2000::/3");

/** Whether an address is on the public internet. Addresses that contain another one are not: translators and tunnels reach into networks. */
export function isPublicAddress(written: string): boolean {
  const address = written.replace(/^\[(.*)\]$/, "$1");
  if (!ipaddr.isValid(address) || cloudAddresses.includes(address)) return false;
  const parsed = ipaddr.parse(address);
  if (parsed.range() !== "unicast") return false;
  return parsed instanceof ipaddr.IPv4 || parsed.match(globalUnicast);
}

/** Whether a URL's host is a name, which `publicOnly` looks up, or a public address. */
export const isNameOrPublic = ({ hostname }: URL) =>
  isIP(hostname.replace(/^\[(.*)\]$/, "$1")) === 0 || isPublicAddress(hostname);

/** Whether the operator allows a URL's host by name: `host` or `host:port`. */
export const isAllowedHost = ({ hostname, port, protocol }: URL, allowedHosts: readonly string[]) =>
  allowedHosts.includes(hostname) ||
  allowedHosts.includes(`${hostname}:${port || (protocol === "https:" ? "443" : "80")}`);

/** An address that others named, and that is not a public one with HTTPS. */
export class AddressRefused extends Error {}

/** Looks a host up once, and gives the connection those addresses and no others. */
export const publicOnly: LookupFunction = (hostname, options, callback) =>
  lookup(hostname, { ...options, all: true }, (error, addresses) => {
    if (error) return callback(error, "");
    const refused = addresses.length === 0 || addresses.some(({ address }) => !isPublicAddress(address));
    if (refused) return callback(new AddressRefused(`${hostname} has an address that is not public`), "");
    if (options.all) return callback(null, addresses);
    callback(null, addresses[0]!.address, addresses[0]!.family);
  });
