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

/** Whether the operator allows a URL's host by name: `host` or `host:port`. */
export const isAllowedHost = ({ hostname, port, protocol }: URL, allowedHosts: readonly string[]) =>
  allowedHosts.includes(hostname) ||
  allowedHosts.includes(`${hostname}:${port || (protocol === "https:" ? "443" : "80")}`);
