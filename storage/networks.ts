import { isIP } from "node:net";
import ipaddr from "ipaddr.js";

/**
 * The networks that a client's address lies in: what limits count by. A host with IPv6 has a whole /64 to choose from,
 * and a subscriber often a /56 or a /48.
 */
export type Networks = {
  /** An IPv4 address, or an IPv6 /64 as `2001:db8:0:1::/64`. */
  readonly nearest: string;
  /** The networks around an IPv6 address, each allowed so many times as much as the nearest. */
  readonly wider: readonly { readonly prefix: string; readonly factor: number }[];
};

const around = [
  { bits: 56, factor: 4 },
  { bits: 48, factor: 16 },
];

/** An address that is none: all such clients count as one. */
const unknown = "unknown";

export function networksOf(address: string): Networks {
  const parsed = parse(address);
  if (!parsed) return { nearest: unknown, wider: [] };
  if (parsed.kind() === "ipv4") return { nearest: parsed.toString(), wider: [] };
  const bytes = parsed.toByteArray();
  const wider = around.map(({ bits, factor }) => ({ prefix: prefixOf(bytes, bits), factor }));
  return { nearest: prefixOf(bytes, 64), wider };
}

/** The widest network that counts as one neighbourhood: an IPv4 address, or an IPv6 /48. */
export const widestOf = ({ nearest, wider }: Networks): string => wider.at(-1)?.prefix ?? nearest;

/**
 * An address in its one usual form (RFC 5952), IPv4 within IPv6 as IPv4, without port, brackets or zone. Undefined for
 * text that is no address.
 */
export const canonicalAddress = (written: string): string | undefined => {
  const parsed = parse(written);
  return parsed instanceof ipaddr.IPv6 ? parsed.toRFC5952String() : parsed?.toString();
};

/** No written address is longer, with its zone and port. */
const longest = 100;

function parse(written: string) {
  if (written.length > longest) return undefined;
  const bare = written
    .trim()
    .replace(/^\[(.*)\](:\d+)?$/, "$1")
    .replace(/^(\d+\.\d+\.\d+\.\d+):\d+$/, "$1")
    .replace(/%.*$/, "");
  if (isIP(bare) === 0) return undefined;
  const parsed = ipaddr.process(bare);
  return parsed instanceof ipaddr.IPv6 ? (embeddedIn(parsed) ?? parsed) : parsed;
}

/**
 * The IPv4 address of a client that reaches us through a translator or tunnel. As IPv6, all clients of a translator
 * (RFC 6052, 7915) or a Teredo server share one /64, and one 6to4 client has a /48.
 */
function embeddedIn(address: ipaddr.IPv6) {
  const bytes = address.toByteArray();
  const range = address.range();
  if (range === "rfc6052" || range === "rfc6145") return new ipaddr.IPv4(bytes.slice(12));
  if (range === "6to4") return new ipaddr.IPv4(bytes.slice(2, 6));
  // Teredo writes it with all bits inverted (RFC 4380).
  if (range === "teredo") return new ipaddr.IPv4(bytes.slice(12).map((byte) => byte ^ 0xff));
  return undefined;
}

function prefixOf(bytes: number[], bits: number) {
  const kept = bytes.map((byte, n) => (n < bits / 8 ? byte : 0));
  return `${(ipaddr.fromByteArray(kept) as ipaddr.IPv6).toRFC5952String()}/${bits}`;
}
