import { toBase64url } from "./base64url.ts";
import { areEqual, concat, encodeArray, encodeBytes } from "./cbor.ts";
import { fromDigits, toDigits } from "./digits.ts";
import { sha256 } from "./sha256.ts";
import { decodeStatement, encodeStatement, type Statement } from "./statement.ts";

/**
 * A signed code is the address of a document's verification page, a slash, and as digits what varies in a COSE_Sign1 message
 * (RFC 9052): statement, key id, signature. It is ES256 over the statement, with the address as external data, so that digits
 * behind another address verify as nothing. Version 1.0 wrote the whole message: 13 bytes and four rows of modules more.
 */

/** More than the longest message has: longer texts are not worked on. */
export const maxDigits = 400;

const shortIdBytes = 4;
const signatureBytes = 64;
/** Tag 18, an array of four; then the protected header {1: −7, 4: key id} up to the key id. */
const beginning = Uint8Array.of(0xd2, 0x84, 0x49, 0xa2, 0x01, 0x26, 0x04, 0x44);
const protectedHeaderAt = 3;
const statementAt = 13;
/** The header that is not signed: libraries accept any, so that it is held to this byte. */
const emptyHeader = 0xa0;

export type SignedCode = {
  /** The first bytes of the key's thumbprint, in hexadecimal: a hint which keys to try. */
  shortId: string;
  /** "newer" for a statement of a later version. */
  statement: Statement | "newer";
  /** The statement's bytes. */
  payload: Uint8Array<ArrayBuffer>;
  signature: Uint8Array<ArrayBuffer>;
};

/** Makes the digits of a signed code. `sign` returns the ECDSA signature with SHA-256 of its argument, r‖s. */
export async function signCode(
  address: string,
  { shortId, statement }: { shortId: string; statement: Statement },
  sign: (message: Uint8Array<ArrayBuffer>) => Promise<Uint8Array> | Uint8Array,
): Promise<string> {
  const payload = encodeStatement(statement);
  const signature = await sign(signedBytes(address, shortId, payload));
  return toDigits(concat(payload, bytesOfHex(shortId), signature));
}

/** The COSE_Sign1 message that digits stand for; undefined if they are none. */
export function messageOf(digits: string): Uint8Array<ArrayBuffer> | undefined {
  const bytes = fromDigits(digits, maxDigits);
  // A statement begins as an array does, the whole message with a tag.
  if (!bytes || bytes[0] === beginning[0]) return bytes;
  if (bytes.length <= shortIdBytes + signatureBytes) return undefined;
  const signed = bytes.length - shortIdBytes - signatureBytes;
  return concat(
    beginning,
    bytes.slice(signed, -signatureBytes),
    Uint8Array.of(emptyHeader),
    encodeBytes(bytes.slice(0, signed)),
    encodeBytes(bytes.slice(-signatureBytes)),
  );
}

/** Reads the digits of a signed code without checking its signature; undefined if they are none of a signed code. */
export function readSignedCode(digits: string): SignedCode | undefined {
  const message = messageOf(digits);
  if (!message) return undefined;
  const shortId = hexOf(message.subarray(beginning.length, beginning.length + shortIdBytes));
  // Slices from the end hold: the payload's head and the whole are compared with what these parts encode to.
  const signature = message.slice(-signatureBytes);
  const rest = message.subarray(statementAt);
  const payload = rest.slice(rest[0] === 0x58 ? 2 : 1, -(signatureBytes + 2));
  const again = concat(
    beginning,
    bytesOfHex(shortId),
    Uint8Array.of(emptyHeader),
    encodeBytes(payload),
    encodeBytes(signature),
  );
  const statement = decodeStatement(payload);
  return areEqual(again, message) && statement ? { shortId, statement, payload, signature } : undefined;
}

/** A public key, with which signatures are verified. Rejects one that is no point of the curve. */
export const verifyingKey = ({ kty, crv, x, y }: PublicJwk): Promise<CryptoKey> =>
  crypto.subtle.importKey("jwk", { kty, crv, x, y }, { name: "ECDSA", namedCurve: "P-256" }, false, ["verify"]);

/** Whether the holder of a P-256 key (imported for ECDSA) signed this code for this address. */
export const isSignedBy = (key: CryptoKey, address: string, { shortId, payload, signature }: SignedCode) =>
  crypto.subtle.verify({ name: "ECDSA", hash: "SHA-256" }, key, signature, signedBytes(address, shortId, payload));

/** A P-256 public key as RFC 7517 writes it. */
export type PublicJwk = { kty: "EC"; crv: "P-256"; x: string; y: string };

/** A public key's thumbprint (RFC 7638), base64url. */
export async function thumbprintOf(jwk: PublicJwk): Promise<string> {
  return toBase64url(await thumbprint(jwk));
}

/** The id of a key within signed codes: the first bytes of its thumbprint. */
export async function shortIdOf(jwk: PublicJwk): Promise<string> {
  return hexOf((await thumbprint(jwk)).subarray(0, shortIdBytes));
}

const thumbprint = ({ crv, kty, x, y }: PublicJwk) =>
  sha256(new TextEncoder().encode(JSON.stringify({ crv, kty, x, y })));

function signedBytes(address: string, shortId: string, payload: Uint8Array) {
  const header = concat(beginning.subarray(protectedHeaderAt), bytesOfHex(shortId));
  const external = new TextEncoder().encode(address);
  // Signature1, RFC 9052 section 4.4
  return encodeArray(["Signature1", header, external, payload]);
}

const hexOf = (bytes: Uint8Array) => Array.from(bytes, (byte) => byte.toString(16).padStart(2, "0")).join("");

const bytesOfHex = (hex: string) => Uint8Array.from(hex.match(/../g) ?? [], (pair) => Number.parseInt(pair, 16));
