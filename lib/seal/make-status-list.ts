import { hash } from "node:crypto";
import { promisify } from "node:util";
import { deflate } from "node:zlib";
import {
  bitsPerEntry,
  type Claims,
  entriesInByte,
  entry,
  type Entry,
  entryAt,
  entryInput,
  listEntries,
  tokenType,
} from "./status-list.ts";

/** Makes the lists that `status-list.ts` reads, on servers only. All work here but compression holds up the event loop. */

const saltBytes = 16;

/** The salt of the list at an address: always the same, for `codeIndex` is stored by others. */
export const listSalt = (address: string) => Uint8Array.from(hash("sha256", address, "buffer").subarray(0, saltBytes));

/** The index of a code in its company's list (`idx` of a Token Status List), by that list's salt. */
export const codeIndex = (salt: Uint8Array, code: string) =>
  // In one step: each object of `createHash` is freed by itself, those of a million codes in 43 ms now and then.
  entryAt(hash("sha256", entryInput(salt, code), "buffer"), listEntries);

/** The two bits of an entry while it is made: of the codes on it some have ended, some are in force. */
const seen = { ended: 1, inForce: 2 };
const seenOf = {
  [entry.ended]: seen.ended,
  [entry.inForce]: seen.inForce,
  [entry.askOnline]: seen.ended | seen.inForce,
};

/** `seen.ended` of sixteen entries. */
const endedOfWord = 0x55555555;

/** The entries while they are made: each code is added once, in any order. */
export class Entries {
  readonly #seen: Uint8Array<ArrayBuffer>;
  readonly length: number;

  /** `length` is a multiple of 16. */
  constructor(length = listEntries) {
    this.length = length;
    this.#seen = new Uint8Array(length / entriesInByte);
  }

  /** Adds a code's status to the entry that it falls on. */
  add(at: number, value: Entry) {
    this.#seen[Math.floor(at / entriesInByte)]! |= seenOf[value] << (bitsPerEntry * (at % entriesInByte));
  }

  /** The entries of two bits each, the first one in the lowest bits of the first byte. */
  packed(): Uint8Array<ArrayBuffer> {
    const packed = this.#seen.slice();
    // Sixteen entries at once: "in force" counts only beside "ended". No entry crosses bytes, so any byte order will do.
    const words = new Uint32Array(packed.buffer);
    for (let n = 0; n < words.length; n++) {
      const ended = words[n]! & endedOfWord;
      words[n] = ended | (words[n]! & (ended << 1));
    }
    return packed;
  }
}

/** Makes the token. `sign` returns the ECDSA signature with SHA-256 of its argument, r‖s. */
export async function signStatusList(
  { address, kid, salt, madeAt, expiresAt, refreshAfter }: Claims,
  entries: Entries,
  sign: (message: Uint8Array<ArrayBuffer>) => Promise<Uint8Array> | Uint8Array,
): Promise<string> {
  const text = new TextEncoder();
  const lst = base64url(await deflated(entries.packed()));
  const parts = [
    { alg: "ES256", kid, typ: tokenType },
    {
      sub: address,
      iat: madeAt,
      exp: expiresAt,
      ttl: refreshAfter,
      status_list: { bits: bitsPerEntry, lst },
      code_salt: base64url(salt),
    },
  ];
  const signed = parts.map((part) => base64url(text.encode(JSON.stringify(part)))).join(".");
  return `${signed}.${base64url(await sign(text.encode(signed)))}`;
}

/** Node's own: what browsers have takes 35 to 100 ms for a million codes. */
const base64url = (bytes: Uint8Array) => Buffer.from(bytes).toString("base64url");

/** Compressed as RFC 1950 says, in a thread. */
const deflated = promisify(deflate);
