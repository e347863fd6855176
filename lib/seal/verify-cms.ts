import { createHash, constants, verify, X509Certificate } from "node:crypto";
import { namesOf } from "./cms.ts";
import { oid, readDer } from "./der.ts";

/** Verifies signatures as CMS signed data without its content (RFC 5652). */

/** Whose key signed: that of the certificate in question, that of another in the signature, or none that is in it. */
export type SignedBy = "this key" | "another key" | "no key";

const hashes = new Map(
  Object.entries({
    "1.3.14.3.2.26": "sha1",
    "2.16.840.1.101.3.4.2.1": "sha256",
    "2.16.840.1.101.3.4.2.2": "sha384",
    "2.16.840.1.101.3.4.2.3": "sha512",
  }).map(([id, name]) => [oid(id).toString("hex"), name]),
);
const messageDigest = oid("1.2.840.113549.1.9.4");
const signingCertificate = oid("1.2.840.113549.1.9.16.2.47");
const timeStampToken = oid("1.2.840.113549.1.9.16.2.14");
const rsaPss = oid("1.2.840.113549.1.1.10");
/** More would be no chain. */
const maxCertificates = 20;

type Signature = {
  certificates: Buffer[];
  /** Issuer and serial number of the signer's certificate. */
  signer: Buffer;
  hash: string;
  attributes: Buffer;
  isPss: boolean;
  value: Buffer;
  /** Its attributes that nothing signs. */
  unsigned: Buffer | undefined;
};

/** The certificate (DER) by which a signature names its signer; undefined if it has none, or is no signature. */
export function signerCertificate(cms: Buffer): Buffer | undefined {
  const signature = parse(cms);
  return signature?.certificates.find((certificate) => {
    try {
      const { issuer, serial } = namesOf(certificate);
      return Buffer.concat([issuer, serial]).equals(signature.signer);
    } catch {
      // It can't be read.
      return false;
    }
  });
}

/** The certificates (DER) in a signature, and the SHA-256 of its signer's as the signed attributes state it (ESS, version 2). */
export function signingCertificates(cms: Buffer) {
  const signature = parse(cms);
  if (!signature) return undefined;
  try {
    // The only or first certificate id, whose last part is the hash if it names no issuer.
    let value = attributeOf(signature, signingCertificate);
    for (let depth = 0; depth < 2; depth++) value = value && readDer(value.content)[0];
    return { certificates: signature.certificates, stated: value && readDer(value.content).find(isOctets)?.content };
  } catch {
    return undefined;
  }
}

/** A signature's value, and its time-stamp token (DER) if it has one. */
export function stampedValue(cms: Buffer): { value: Buffer; token: Buffer | undefined } | undefined {
  const signature = parse(cms);
  if (!signature) return undefined;
  const { unsigned, value } = signature;
  const attributes = unsigned ? readDer(unsigned).map(({ content }) => readDer(content)) : [];
  const values = attributes.find(([id]) => id?.whole.equals(timeStampToken))?.[1];
  return { value, token: values && readDer(values.content)[0]?.whole };
}

const isOctets = ({ tag }: { tag: number }) => tag === 0x04;

/** The first value of a signed attribute. */
function attributeOf({ attributes }: Signature, id: Buffer) {
  const [attribute] = readDer(readDer(attributes)[0]!.content)
    .map(({ content }) => readDer(content))
    .filter(([first]) => first?.whole.equals(id));
  return attribute?.[1] && readDer(attribute[1].content)[0];
}

/** The certificates (DER) that a signature brings along. */
export const certificatesIn = (cms: Buffer): Buffer[] => parse(cms)?.certificates ?? [];

/** Who signed the content, which is in parts. Bytes behind the signature's DER count as none of it. */
export function signedBy(cms: Buffer, content: Uint8Array[], certificate: Buffer): SignedBy {
  const signature = parse(cms);
  if (!signature || !hasDigest(signature, content)) return "no key";
  if (isSignedWith(certificate, signature)) return "this key";
  return signature.certificates.some((other) => isSignedWith(other, signature)) ? "another key" : "no key";
}

function hasDigest(signature: Signature, content: Uint8Array[]): boolean {
  const digest = createHash(signature.hash);
  for (const part of content) digest.update(part);
  return attributeOf(signature, messageDigest)?.content.equals(digest.digest()) ?? false;
}

function isSignedWith(certificate: Buffer, { hash, attributes, isPss, value }: Signature): boolean {
  try {
    const key = new X509Certificate(certificate).publicKey;
    const padding = isPss ? constants.RSA_PKCS1_PSS_PADDING : undefined;
    return verify(hash, attributes, { key, ...(padding && { padding }) }, value);
  } catch {
    // A certificate or key that can't be read.
    return false;
  }
}

function parse(cms: Buffer): Signature | undefined {
  try {
    const [, content] = readDer(readDer(cms, 1)[0]!.content);
    const parts = readDer(readDer(content!.content)[0]!.content);
    const certificates = parts.find(({ tag }) => tag === 0xa0);
    const [signer] = readDer(parts.at(-1)!.content);
    const [, name, digest, attributes, algorithm, value, unsigned] = readDer(signer!.content);
    const hash = hashes.get(readDer(digest!.content)[0]!.whole.toString("hex"));
    if (!hash || attributes?.tag !== 0xa0 || value?.tag !== 0x04) return undefined;
    return {
      certificates: readDer(certificates?.content ?? Buffer.alloc(0))
        .slice(0, maxCertificates)
        .map(({ whole }) => whole),
      signer: name!.content,
      hash,
      // Signed as the set that they are (5.4).
      attributes: Buffer.concat([Buffer.of(0x31), attributes.whole.subarray(1)]),
      isPss: readDer(algorithm!.content)[0]!.whole.equals(rsaPss),
      value: value.content,
      unsigned: unsigned?.content,
    };
  } catch {
    return undefined;
  }
}
