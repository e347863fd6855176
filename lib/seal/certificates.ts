import { type KeyObject, X509Certificate, hash, createPublicKey, randomBytes, sign } from "node:crypto";
import {
  bitString,
  boolean,
  constructed,
  integer,
  octetString,
  oid,
  primitive,
  printableString,
  readDer,
  sequence,
  setOf,
  time,
  utf8String,
} from "./der.ts";

/** How long a root certificate is valid, and with it the certificates that it signs. */
const validYears = 30;

/** Clocks of readers may be late. */
const backdatedMs = 3_600_000;

/** The longest name that RFC 5280 allows, in characters. */
const longestName = 64;

/**
 * Of documents (RFC 9336), and of mail: NSS, by which pdfsig checks, and OpenSSL accept signatures of files by the latter
 * alone.
 */
const documentUsages = sequence(oid("1.3.6.1.5.5.7.3.36"), oid("1.3.6.1.5.5.7.3.4"));

export const ecdsaWithSha256 = sequence(oid("1.2.840.10045.4.3.2"));

/** keyUsage bits (RFC 5280, 4.2.1.3) in a byte, and how many of its last bits are unused. */
const certificateAuthority = bitString(Buffer.of(0b0000_0110), 1);
const signaturesOfContent = bitString(Buffer.of(0b1100_0000), 6);

type Issuer = { certificate: Buffer; privateKey: KeyObject };

type Name = {
  commonName: string;
  organization: string;
  /** ISO 3166, two letters. */
  country?: string | undefined;
  /** As ETSI EN 319 412-1 (5.1.4) has it: `VATGB-123456789`. */
  organizationId?: string | undefined;
};

export type LeafOptions = {
  name: Name;
  url: string;
  publicKey: KeyObject;
  /** Names the key: its thumbprint, as `kid` of JWK sets has it. */
  keyId: Buffer;
  /** The address of the issuer's revocation list. */
  revocationList: string;
  at: Date;
  issuer: Issuer;
};

/** A self-signed certificate (DER) of a P-256 key pair, from `at` on for 30 years. */
export function rootCertificate({ name, key, at }: { name: Name; key: KeyObject; at: Date }) {
  const publicKey = createPublicKey(key);
  const notAfter = new Date(at);
  notAfter.setUTCFullYear(at.getUTCFullYear() + validYears);
  const subject = nameOf(name);
  const keyId = keyIdentifier(publicKey);
  return signed(key, {
    issuer: subject,
    subject,
    publicKey,
    from: at,
    until: notAfter,
    extensions: [
      extension("2.5.29.19", true, sequence(boolean(true), integer(0))),
      extension("2.5.29.15", true, certificateAuthority),
      extension("2.5.29.14", false, octetString(keyId)),
    ],
  });
}

/** A certificate (DER) for signatures of a P-256 `publicKey`, valid from `at` for as long as its issuer. */
export function leafCertificate(options: LeafOptions) {
  const issuer = new X509Certificate(options.issuer.certificate);
  return signed(options.issuer.privateKey, {
    issuer: subjectOf(options.issuer.certificate),
    subject: nameOf(options.name),
    publicKey: options.publicKey,
    from: options.at,
    until: issuer.validToDate,
    extensions: [
      extension("2.5.29.19", true, sequence()),
      extension("2.5.29.15", true, signaturesOfContent),
      extension("2.5.29.37", false, documentUsages),
      extension("2.5.29.14", false, octetString(options.keyId)),
      issuerKey(issuer.publicKey),
      extension("2.5.29.31", false, distributionPoint(options.revocationList)),
      extension("2.5.29.17", false, sequence(primitive(6, Buffer.from(options.url)))),
    ],
  });
}

/** An address by which programs fetch a revocation list (RFC 5280, 4.2.1.13). */
const distributionPoint = (url: string) =>
  sequence(sequence(constructed(0, constructed(0, primitive(6, Buffer.from(url))))));

/** The extension that names the key of an issuer (RFC 5280, 4.2.1.1). */
export const issuerKey = (publicKey: KeyObject) =>
  extension("2.5.29.35", false, sequence(primitive(0, keyIdentifier(publicKey))));

type Content = {
  issuer: Buffer;
  subject: Buffer;
  publicKey: KeyObject;
  from: Date;
  until: Date;
  extensions: Buffer[];
};

function signed(key: KeyObject, { issuer, subject, publicKey, from, until, extensions }: Content) {
  const content = sequence(
    constructed(0, integer(2)),
    integer(serialNumber()),
    ecdsaWithSha256,
    issuer,
    sequence(time(new Date(from.getTime() - backdatedMs)), time(until)),
    subject,
    publicKey.export({ type: "spki", format: "der" }),
    constructed(3, sequence(...extensions)),
  );
  return sequence(content, ecdsaWithSha256, bitString(sign("sha256", content, key)));
}

/** 126 random bits after a set one, so that all are equally long and positive. */
function serialNumber() {
  const bytes = randomBytes(16);
  bytes[0] = (bytes[0]! & 0x7f) | 0x40;
  return BigInt(`0x${bytes.toString("hex")}`);
}

export const extension = (id: string, critical: boolean, value: Buffer) =>
  sequence(oid(id), ...(critical ? [boolean(true)] : []), octetString(value));

/** A distinguished name in DER. */
export function nameOf({ commonName, organization, country, organizationId }: Name) {
  const attribute = (id: string, value: Buffer) => setOf(sequence(oid(id), value));
  const text = (value: string) => utf8String(shortened(value));
  return sequence(
    ...(country ? [attribute("2.5.4.6", printableString(country))] : []),
    attribute("2.5.4.10", text(organization)),
    ...(organizationId ? [attribute("2.5.4.97", text(organizationId))] : []),
    attribute("2.5.4.3", text(commonName)),
  );
}

function shortened(text: string) {
  const characters = [...text];
  return characters.length > longestName ? `${characters.slice(0, longestName - 1).join("")}…` : text;
}

/** The subject as the certificate has it, byte for byte. */
export function subjectOf(certificate: Buffer) {
  const content = readDer(readDer(certificate)[0]!.content)[0]!;
  return readDer(content.content)[5]!.whole;
}

/** SHA-1 of the public key's bits (RFC 5280, 4.2.1.2): a name of the key, not a protection. */
export function keyIdentifier(publicKey: KeyObject) {
  const bits = readDer(readDer(publicKey.export({ type: "spki", format: "der" }))[0]!.content)[1]!;
  return hash("sha1", bits.content.subarray(1), "buffer");
}
