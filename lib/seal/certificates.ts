import { type KeyObject, X509Certificate, hash, createPublicKey, randomBytes, sign } from "node:crypto";
import {
  bitString,
  boolean,
  constructed,
  integer,
  octetString,
  oid,
  primitive,
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

const ecdsaWithSha256 = sequence(oid("1.2.840.10045.4.3.2"));

/** keyUsage bits (RFC 5280, 4.2.1.3) in a byte, and how many of its last bits are unused. */
const certificateAuthority = bitString(Buffer.of(0b0000_0110), 1);
const signaturesOfContent = bitString(Buffer.of(0b1100_0000), 6);

type Issuer = { certificate: Buffer; privateKey: KeyObject };

type Name = { commonName: string; organization: string };

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

/**
 * A certificate (DER) for signatures of a P-256 `publicKey`, valid from `at` for as long as its issuer. Without an
 * extended key usage and an address for revocations, which PDF readers would want answered.
 */
export function leafCertificate(options: { name: Name; url: string; publicKey: KeyObject; at: Date; issuer: Issuer }) {
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
      extension("2.5.29.14", false, octetString(keyIdentifier(options.publicKey))),
      extension("2.5.29.35", false, sequence(primitive(0, keyIdentifier(issuer.publicKey)))),
      extension("2.5.29.17", false, sequence(primitive(6, Buffer.from(options.url)))),
    ],
  });
}

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

const extension = (id: string, critical: boolean, value: Buffer) =>
  sequence(oid(id), ...(critical ? [boolean(true)] : []), octetString(value));

function nameOf({ commonName, organization }: Name) {
  const attribute = (id: string, text: string) => setOf(sequence(oid(id), utf8String(shortened(text))));
  return sequence(attribute("2.5.4.10", organization), attribute("2.5.4.3", commonName));
}

function shortened(text: string) {
  const characters = [...text];
  return characters.length > longestName ? `${characters.slice(0, longestName - 1).join("")}…` : text;
}

/** The subject as the certificate has it, byte for byte. */
function subjectOf(certificate: Buffer) {
  const content = readDer(readDer(certificate)[0]!.content)[0]!;
  return readDer(content.content)[5]!.whole;
}

/** SHA-1 of the public key's bits (RFC 5280, 4.2.1.2): a name of the key, not a protection. */
function keyIdentifier(publicKey: KeyObject) {
  const bits = readDer(readDer(publicKey.export({ type: "spki", format: "der" }))[0]!.content)[1]!;
  return hash("sha1", bits.content.subarray(1), "buffer");
}
