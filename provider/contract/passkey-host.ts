/** The host and origin that passkeys are for; undefined if browsers have none: without https, or for an IP address. */
export function passkeyHost(publicUrl: string): { id: string; origin: string } | undefined {
  const { hostname, protocol, origin } = new URL(publicUrl);
  const isSecure = protocol === "https:" || hostname === "localhost";
  const isAddress = /^[\d.]+$/.test(hostname) || hostname.startsWith("[");
  return isSecure && !isAddress ? { id: hostname, origin } : undefined;
}
