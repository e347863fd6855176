import { hash, type KeyObject, X509Certificate } from "node:crypto";
import { constructed, der, integer, octetString, oid, readDer, sequence, setOf } from "./der.ts";

/** Signatures as CMS signed data without its content (RFC 5652), in the form that PAdES asks for (ETSI EN 319 122-1). */

/** A key that signs files, with its certificates (DER): its own first, the root last. */
export type SealSigner = {
  chain: Buffer[];
  /** Signs bytes by their SHA-256. An ECDSA signature is a DER sequence of two numbers, an RSA signature PKCS #1 v1.5. */
  signFile(bytes: Uint8Array): Promise<Uint8Array>;
};

/** Returns a time-stamp token (DER) of a signature, or undefined if no service gives one. */
export type TimeStamper = (signature: Uint8Array) => Promise<Buffer | undefined>;

const ids = {
  data: "1.2.840.113549.1.7.1",
  signedData: "1.2.840.113549.1.7.2",
  contentType: "1.2.840.113549.1.9.3",
  messageDigest: "1.2.840.113549.1.9.4",
  signingCertificate: "1.2.840.113549.1.9.16.2.47",
  timeStampToken: "1.2.840.113549.1.9.16.2.14",
  sha256: "2.16.840.1.101.3.4.2.1",
  ecdsaWithSha256: "1.2.840.10045.4.3.2",
  rsaWithSha256: "1.2.840.113549.1.1.11",
};

const null_ = der(0x05);
const sha256 = sequence(oid(ids.sha256));

/** Tokens of public services have 3 to 7 kB. */
const timeStampBytes = 12 * 1024;

/** Enough bytes for a signature, and hardly more: not all readers notice a change of what fills them up. */
export const signatureRoom = (chain: Buffer[], withTimeStamp: boolean) =>
  signedData(chain, attributesOf(Buffer.alloc(32), chain), Buffer.alloc(longestSignature(leafKey(chain)))).length +
  (withTimeStamp ? timeStampBytes : 0);

/** Signs the SHA-256 of some content. The signature has no time stamp if there is none, or if it would not fit in `room`. */
export async function signDigest(
  digest: Uint8Array,
  { chain, signFile }: SealSigner,
  { room, timeStamp }: { room: number; timeStamp?: TimeStamper | undefined },
): Promise<{ signature: Buffer; timestamped: boolean }> {
  const attributes = attributesOf(digest, chain);
  const value = await signFile(attributes);
  const token = await timeStamp?.(value);
  const stamped = token && signedData(chain, attributes, value, token);
  if (stamped && stamped.length <= room) return { signature: stamped, timestamped: true };
  return { signature: signedData(chain, attributes, value), timestamped: false };
}

const attribute = (id: string, value: Uint8Array) => sequence(oid(id), setOf(value));

/** The signed attributes: the kind and digest of the content, and which certificate signs. */
function attributesOf(digest: Uint8Array, [leaf]: Buffer[]) {
  const certificate = hash("sha256", leaf!, "buffer");
  return setOf(
    attribute(ids.contentType, oid(ids.data)),
    attribute(ids.messageDigest, octetString(digest)),
    attribute(ids.signingCertificate, sequence(sequence(sequence(octetString(certificate))))),
  );
}

function signedData(chain: Buffer[], attributes: Buffer, value: Uint8Array, token?: Uint8Array) {
  const leaf = chain[0]!;
  const { issuer, serial } = namesOf(leaf);
  const isRsa = leafKey(chain).asymmetricKeyType === "rsa";
  const signer = sequence(
    integer(1),
    sequence(issuer, serial),
    sha256,
    // The same set under another tag (RFC 5652, 5.4).
    Buffer.concat([Buffer.of(0xa0), attributes.subarray(1)]),
    isRsa ? sequence(oid(ids.rsaWithSha256), null_) : sequence(oid(ids.ecdsaWithSha256)),
    octetString(value),
    ...(token ? [constructed(1, attribute(ids.timeStampToken, token))] : []),
  );
  const certificates = constructed(0, ...chain.toSorted(Buffer.compare));
  const content = sequence(integer(1), setOf(sha256), sequence(oid(ids.data)), certificates, setOf(signer));
  return sequence(oid(ids.signedData), constructed(0, content));
}

/** Issuer and serial number as the certificate has them, byte for byte. */
export function namesOf(certificate: Buffer) {
  const content = readDer(readDer(certificate)[0]!.content)[0]!.content;
  const [, serial, , issuer] = readDer(content);
  return { serial: serial!.whole, issuer: issuer!.whole };
}

/** Whom the certificate names. */
export const signerName = ([leaf]: Buffer[]): string => {
  const { CN, O } = new X509Certificate(leaf!).toLegacyObject().subject as Partial<Record<string, string | string[]>>;
  return [CN ?? O ?? ""].flat()[0]!;
};

const leafKey = ([leaf]: Buffer[]) => new X509Certificate(leaf!).publicKey;

const curveBytes: Record<string, number> = { prime256v1: 32, secp384r1: 48, secp521r1: 66 };

/** In bytes. */
function longestSignature({ asymmetricKeyDetails: { modulusLength, namedCurve } = {} }: KeyObject) {
  if (modulusLength) return Math.ceil(modulusLength / 8);
  const number = integer(2n ** BigInt(8 * curveBytes[namedCurve!]!) - 1n);
  return sequence(number, number).length;
}
