import { fromBase64url } from "./base64url.ts";
import { concat } from "./cbor.ts";
import { type PublicJwk, verifyingKey } from "./signed-code.ts";

/**
 * Which codes of a company are still in force, as a signed list (IETF Token Status List, JWT form) that can be saved. A code's
 * index is computed from the list's address and the code (`docs/decisions/status-lists.md`).
 */

/** The status of all codes that fall on an entry. */
export const entry = { inForce: 0, ended: 1, askOnline: 3 } as const;
export type Entry = (typeof entry)[keyof typeof entry];

export const bitsPerEntry = 2;
export const entriesInByte = 8 / bitsPerEntry;
/** Of every list, so that a code keeps its index. 4 MB without compression. */
export const listEntries = 2 ** 24;
/** Lists of other versions, and the longest text that is worked on. */
const minEntries = 2 ** 15;
const maxEntries = 2 ** 26;
const maxListBytes = maxEntries / entriesInByte;
const maxTokenLength = 24_000_000;
export const tokenType = "statuslist+jwt";

/** The input of the hash that selects a code's entry. */
export const entryInput = (salt: Uint8Array, code: string) => concat(salt, new TextEncoder().encode(code));

/** The index of a code's entry, from the SHA-256 of its `entryInput`. */
export const entryAt = (digest: Uint8Array, entries: number) =>
  new DataView(digest.buffer, digest.byteOffset).getUint32(0) % entries;

export type Claims = {
  /** The list's address, which the published keys name. */
  address: string;
  /** Of the key that signs: its thumbprint. */
  kid: string;
  salt: Uint8Array<ArrayBuffer>;
  /** Seconds since 1970: when it was made, and from when it says nothing any more. */
  madeAt: number;
  expiresAt: number;
  /** Seconds after which to ask for another. */
  refreshAfter: number;
};

export type StatusList = Claims & { packed: Uint8Array; entries: number };

/** A key as `/.well-known/jwks.json` has it. */
export type PublishedKey = PublicJwk & {
  kid: string;
  iss_name?: string | undefined;
  revoked_at?: number | undefined;
  status_list?: string | undefined;
};

/** Reads a token and checks its signature with the saved keys; undefined for anything that is not a list by one of them. */
export async function readStatusList(token: string, keys: PublishedKey[]): Promise<StatusList | undefined> {
  if (token.length > maxTokenLength) return undefined;
  const [head, body, end, ...more] = token.trim().split(".");
  const signature = fromBase64url(end ?? "");
  if (head === undefined || body === undefined || !signature || more.length > 0) return undefined;
  const header = jsonIn(head);
  const payload = jsonIn(body);
  if (header?.alg !== "ES256" || header.typ !== tokenType) return undefined;
  const { sub, iat, exp, ttl, status_list: list, code_salt } = payload ?? {};
  // A key signs its own company's list alone, so that no other can say a code is in force.
  const key = keys.find(
    ({ kid, status_list }) => kid === header.kid && status_list !== undefined && status_list === sub,
  );
  if (!key || key.revoked_at !== undefined) return undefined;
  const signed = new TextEncoder().encode(`${head}.${body}`);
  if (!(await isSigned(key, signature, signed))) return undefined;
  const { bits: size, lst } = (list ?? {}) as { bits?: unknown; lst?: unknown };
  const salt = fromBase64url(String(code_salt));
  const compressed = fromBase64url(String(lst));
  if (!isTime(iat) || !isTime(exp) || !isTime(ttl) || size !== bitsPerEntry || !salt || !compressed) return undefined;
  const packed = await inflated(compressed);
  const entries = (packed?.length ?? 0) * entriesInByte;
  if (!packed || entries < minEntries || (entries & (entries - 1)) !== 0) return undefined;
  return {
    address: String(sub),
    kid: key.kid,
    salt,
    madeAt: iat,
    expiresAt: exp,
    refreshAfter: ttl,
    packed,
    entries,
  };
}

/** A code's status in a list, by the SHA-256 of its `entryInput`. */
export function entryIn({ packed, entries }: Pick<StatusList, "packed" | "entries">, digest: Uint8Array): Entry {
  const at = entryAt(digest, entries);
  const value = (packed[Math.floor(at / entriesInByte)]! >> (bitsPerEntry * (at % entriesInByte))) & 3;
  // Values that a later version may add are treated as unknown.
  return value === entry.inForce || value === entry.ended ? value : entry.askOnline;
}

const isTime = (value: unknown): value is number => Number.isSafeInteger(value) && (value as number) >= 0;

function jsonIn(part: string): Record<string, unknown> | undefined {
  const bytes = fromBase64url(part);
  if (!bytes) return undefined;
  try {
    const value: unknown = JSON.parse(new TextDecoder("utf-8", { fatal: true }).decode(bytes));
    return typeof value === "object" && value !== null ? (value as Record<string, unknown>) : undefined;
  } catch {
    return undefined;
  }
}

async function isSigned(jwk: PublicJwk, signature: Uint8Array<ArrayBuffer>, signed: Uint8Array<ArrayBuffer>) {
  const key = await verifyingKey(jwk).catch(() => undefined);
  return key !== undefined && crypto.subtle.verify({ name: "ECDSA", hash: "SHA-256" }, key, signature, signed);
}

/** Decompresses RFC 1950; undefined if the bytes are not compressed so, or hold more than a list may have. */
async function inflated(bytes: Uint8Array<ArrayBuffer>): Promise<Uint8Array | undefined> {
  const reader = new Blob([bytes]).stream().pipeThrough(new DecompressionStream("deflate")).getReader();
  const chunks: Uint8Array[] = [];
  let length = 0;
  try {
    for (;;) {
      const { done, value } = await reader.read();
      if (done) break;
      length += value.length;
      if (length > maxListBytes) {
        await reader.cancel();
        return undefined;
      }
      chunks.push(value);
    }
  } catch {
    return undefined;
  }
  return concat(...chunks);
}
