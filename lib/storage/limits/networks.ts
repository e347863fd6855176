import { isIP } from "node:net";
import ipaddr from "ipaddr.js";

/** The networks of a client's address, by which limits count: an IPv6 host has a /64, a subscriber often a /56 or /48. */
export type Networks = {
  readonly nearest: string;
  /** Wider IPv6 networks, each with `factor` times the limit of the nearest. */
  readonly wider: readonly { readonly prefix: string; readonly factor: number }[];
};

const around = [
  { bits: 56, factor: 4 },
  { bits: 48, factor: 16 },
];

const unknown = "unknown";

export function networksOf(address: string): Networks {
  const parsed = parse(address);
  if (!parsed) return { nearest: unknown, wider: [] };
  if (parsed.kind() === "ipv4") return { nearest: parsed.toString(), wider: [] };
  const bytes = parsed.toByteArray();
  const wider = around.map(({ bits, factor }) => ({ prefix: prefixOf(bytes, bits), factor }));
  return { nearest: prefixOf(bytes, 64), wider };
}

export const widestOf = ({ nearest, wider }: Networks): string => wider.at(-1)?.prefix ?? nearest;

/** The RFC 5952 form without port, brackets or zone, IPv4 within IPv6 as IPv4; undefined if it is no address. */
export const canonicalAddress = (written: string): string | undefined => {
  const parsed = parse(written);
  return parsed instanceof ipaddr.IPv6 ? parsed.toRFC5952String() : parsed?.toString();
};

const maxLength = 100;

function parse(written: string) {
  if (written.length > maxLength) return undefined;
  const bare = written
    .trim()
    .replace(/^\[(.*)\](:\d+)?$/, "$1")
    .replace(/^(\d+\.\d+\.\d+\.\d+):\d+$/, "$1")
    .replace(/%.*$/, "");
  if (isIP(bare) === 0) return undefined;
  const parsed = ipaddr.process(bare);
  return parsed instanceof ipaddr.IPv6 ? (embeddedIn(parsed) ?? parsed) : parsed;
}

/** The IPv4 address within that of a translator or tunnel, whose clients would else share one /64, or have a /48 each. */
function embeddedIn(address: ipaddr.IPv6) {
  const bytes = address.toByteArray();
  const range = address.range();
  if (range === "rfc6052" || range === "rfc6145") return new ipaddr.IPv4(bytes.slice(12));
  if (range === "6to4") return new ipaddr.IPv4(bytes.slice(2, 6));
  if (range === "teredo") return new ipaddr.IPv4(bytes.slice(12).map((byte) => byte ^ 0xff));
  return undefined;
}

function prefixOf(bytes: number[], bits: number) {
  const prefix = bytes.map((byte, n) => (n < bits / 8 ? byte : 0));
  return `${(ipaddr.fromByteArray(prefix) as ipaddr.IPv6).toRFC5952String()}/${bits}`;
}
