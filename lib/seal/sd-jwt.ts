import { createPublicKey, hash, type JsonWebKey, type KeyObject, randomBytes, verify } from "node:crypto";

/** SD-JWT VC (RFC 9901): a credential is a JWT, and behind it a text for each claim that its holder may leave out. On servers only. */

type Claims = Record<string, unknown>;
type Sign = (message: Buffer) => Promise<Uint8Array> | Uint8Array;

const credentialType = "dc+sd-jwt";
/** Longer texts are not worked on. */
const maxCredentialLength = 20_000;
const maxDisclosures = 100;
const saltBytes = 16;

const encoded = (content: string | Uint8Array) => Buffer.from(content).toString("base64url");
const digestOf = (text: string) => hash("sha256", text, "base64url");

/** Makes a JWT. `sign` returns the ECDSA signature with SHA-256 of its argument, r‖s. */
async function signJwt(header: Claims, payload: Claims, sign: Sign): Promise<string> {
  const signed = [header, payload].map((part) => encoded(JSON.stringify(part))).join(".");
  return `${signed}.${encoded(await sign(Buffer.from(signed)))}`;
}

/** Makes a credential, of which the holder may leave out each of `hideable`. */
export async function makeCredential(kid: string, claims: Claims, hideable: Claims, sign: Sign): Promise<string> {
  const disclosures = Object.entries(hideable).map((claim) =>
    encoded(JSON.stringify([encoded(randomBytes(saltBytes)), ...claim])),
  );
  const payload = { ...claims, _sd_alg: "sha-256", _sd: disclosures.map(digestOf).toSorted() };
  const jwt = await signJwt({ alg: "ES256", typ: credentialType, kid }, payload, sign);
  return [jwt, ...disclosures, ""].join("~");
}

export type Jwt = { header: Claims; payload: Claims; signed: Buffer; signature: Buffer };

/** Reads a JWT without checking its signature; undefined if the text is none, not the only form of its bytes, or extended. */
export function readJwt(text: string): Jwt | undefined {
  const [header, payload, signature, ...more] = text.split(".");
  const [head, body] = [header, payload].map((part) => jsonIn(part ?? ""));
  const bytes = bytesIn(signature ?? "");
  if (!isObject(head) || !isObject(body) || !bytes || more.length > 0) return undefined;
  // Extensions that must be understood (RFC 7515, 4.1.11).
  if (Object.hasOwn(head, "crit")) return undefined;
  return { header: head, payload: body, signed: Buffer.from(`${header}.${payload}`), signature: bytes };
}

/** Whether a key signed it: P-256 with ES256, Ed25519 with EdDSA. A key that is none of these did not. */
export function isJwtBy(jwk: unknown, { header, signed, signature }: Jwt): boolean {
  try {
    const key = publicKeyOf(jwk);
    const isEc = key.asymmetricKeyType === "ec";
    if (header.alg !== (isEc ? "ES256" : "EdDSA")) return false;
    return isEc
      ? verify("sha256", signed, { key, dsaEncoding: "ieee-p1363" }, signature)
      : verify(null, signed, key, signature);
  } catch {
    return false;
  }
}

/** A public key of these two kinds. Throws for other keys, and for private ones. */
export function publicKeyOf(jwk: unknown): KeyObject {
  const { kty, crv, x, y, d } = (jwk ?? {}) as JsonWebKey;
  if (d !== undefined) throw new Error("This is a private key");
  if (`${kty} ${crv}` !== "OKP Ed25519" && `${kty} ${crv}` !== "EC P-256") throw new Error("Keys are P-256 or Ed25519");
  return createPublicKey({ key: { kty, crv, x, y } as JsonWebKey, format: "jwk" });
}

export type Credential = {
  jwt: Jwt;
  /** The claims that the holder shows, and those that nobody can leave out. */
  claims: Claims;
};

/** Reads a credential without checking its issuer's signature; undefined if the text is none, or was altered behind the JWT. */
export function readCredential(text: string): Credential | undefined {
  if (text.length > maxCredentialLength) return undefined;
  const [first = "", ...rest] = text.trim().split("~");
  const proof = rest.pop();
  const jwt = readJwt(first);
  if (proof === undefined || !jwt || rest.length > maxDisclosures) return undefined;
  const { _sd, _sd_alg, ...always } = jwt.payload;
  if (jwt.header.typ !== credentialType || jwt.header.alg !== "ES256" || _sd_alg !== "sha-256") return undefined;
  const digests = new Set(Array.isArray(_sd) ? _sd : []);
  const shown = new Map<string, unknown>();
  for (const disclosure of rest) {
    const claim = jsonIn(disclosure);
    if (!Array.isArray(claim) || claim.length !== 3 || typeof claim[1] !== "string") return undefined;
    const [, name, value] = claim as [unknown, string, unknown];
    // Each digest is of one disclosure.
    if (!digests.delete(digestOf(disclosure)) || Object.hasOwn(always, name) || shown.has(name)) return undefined;
    shown.set(name, value);
  }
  if (proof !== "" && !isHeld(jwt, proof, text.trim().slice(0, -proof.length))) return undefined;
  return { jwt, claims: { ...always, ...Object.fromEntries(shown) } };
}

/** Whether a proof behind a credential is by its holder's key, and of what is shown. */
function isHeld({ payload }: Jwt, text: string, presented: string) {
  const proof = readJwt(text);
  const { jwk } = (payload.cnf ?? {}) as { jwk?: unknown };
  return proof?.header.typ === "kb+jwt" && proof.payload.sd_hash === digestOf(presented) && isJwtBy(jwk, proof);
}

const isObject = (value: unknown): value is Claims =>
  typeof value === "object" && value !== null && !Array.isArray(value);

/** The bytes of base64url; undefined for a text that is not what they encode to. */
function bytesIn(text: string): Buffer | undefined {
  const bytes = Buffer.from(text, "base64url");
  return encoded(bytes) === text ? bytes : undefined;
}

function jsonIn(text: string): unknown {
  try {
    return JSON.parse(bytesIn(text)?.toString() ?? "");
  } catch {
    return undefined;
  }
}
