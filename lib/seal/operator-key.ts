import { type KeyObject, X509Certificate } from "node:crypto";
import { daysInMs } from "../units.ts";
import type { SealSigner } from "./cms.ts";

/** An operator's own key, in a file or on a token: it signs with certificates as far as their chain was given. */
export type OperatorKey = SealSigner;

/** A key of an operator that can't be used: the message says by which setting, and why. */
export class OperatorKeyRefused extends Error {
  constructor(setting: string, reason: string, options?: ErrorOptions) {
    super(`${setting}: ${reason}`, options);
  }
}

/** An operator's key that can't sign now: a token that fails, or a certificate that has expired. */
export class OperatorKeyFailed extends Error {}

const longestChain = 10;

/** Extended key usages with which readers accept signatures of documents. */
const documentUsages = [
  "1.3.6.1.5.5.7.3.4",
  "1.3.6.1.5.5.7.3.36",
  "1.2.840.113583.1.1.5",
  "1.3.6.1.4.1.311.10.3.12",
  "2.5.29.37.0",
];

/** Why a key of another kind is refused. */
export const allowedKinds = "its key is of another kind: give P-256, P-384, or RSA of 2048 to 8192 bits";

/** Whether a private or public key is of a kind with which seals are signed. */
export function isAllowed({ asymmetricKeyType, asymmetricKeyDetails: details }: KeyObject) {
  if (asymmetricKeyType === "ec") return ["prime256v1", "secp384r1"].includes(details?.namedCurve ?? "");
  const bits = details?.modulusLength ?? 0;
  return asymmetricKeyType === "rsa" && bits >= 2048 && bits <= 8192;
}

type Search = {
  /** The setting that gave the certificates. */
  setting: string;
  /** The key's location, for the message that no certificate is its own. */
  owner: string;
  belongs(certificate: X509Certificate): boolean;
  now: Date;
};

/**
 * Reads the chain (DER) of the certificate that belongs to a key from PEM blocks in any order. Throws
 * `OperatorKeyRefused`.
 */
export function readChain(pem: string, { setting, owner, belongs, now }: Search): Buffer[] {
  const refuse = (reason: string) => new OperatorKeyRefused(setting, reason);
  const blocks = pem.match(/-----BEGIN CERTIFICATE-----[^-]+-----END CERTIFICATE-----/g) ?? [];
  if (blocks.length === 0) throw refuse("there is no certificate in it (BEGIN CERTIFICATE)");
  const certificates = blocks.map((block, n) => {
    try {
      return new X509Certificate(block);
    } catch {
      throw refuse(`its certificate number ${n + 1} can't be read`);
    }
  });
  const leaf = certificates.find(belongs);
  if (!leaf) throw refuse(`none of its certificates belongs to ${owner}`);
  const usages = leaf.keyUsage as string[] | undefined;
  if (usages && !usages.some((usage) => documentUsages.includes(usage))) {
    throw refuse("its certificate is for other uses, such as web servers, and not for documents");
  }
  if (!maySign(leaf)) throw refuse("its certificate does not allow its key to sign (key usage)");
  const chain = chainOf(leaf, certificates);
  if (!chain) throw refuse(`its chain has more than ${longestChain} certificates`);
  for (const certificate of chain) {
    const fault = faultOfDates(certificate, now);
    if (fault) throw refuse(fault);
  }
  return chain.map(({ raw }) => raw);
}

/** Key usage (RFC 5280, 4.2.1.3) in DER, which Node.js doesn't show: its extension's OID, criticality, and a string of bits. */
const keyUsage = /0603551d0f(?:0101ff)?0404030[23]0[0-7]([0-9a-f]{2})/;
const digitalSignature = 0x80;
const nonRepudiation = 0x40;

/** Whether signatures are among what the certificate allows; without the extension all is. */
function maySign({ raw }: X509Certificate) {
  const bits = keyUsage.exec(raw.toString("hex"))?.[1];
  return bits === undefined || (parseInt(bits, 16) & (digitalSignature | nonRepudiation)) !== 0;
}

/** Throws `OperatorKeyFailed` if a certificate of a key that was read earlier is no longer valid. */
export function requireValidNow({ chain }: Pick<OperatorKey, "chain">, now: Date) {
  for (const der of chain) {
    const fault = faultOfDates(new X509Certificate(der), now);
    if (fault) throw new OperatorKeyFailed(fault);
  }
}

/** The days until the first of a chain's certificates expires. */
export const daysLeft = ({ chain }: Pick<OperatorKey, "chain">, now: Date) =>
  Math.floor(
    Math.min(...chain.map((der) => new X509Certificate(der).validToDate.getTime() - now.getTime())) / daysInMs(1),
  );

/** The leaf and the chain of issuers above it; undefined if there are too many. */
function chainOf(leaf: X509Certificate, certificates: X509Certificate[]) {
  const chain = [leaf];
  for (let last = leaf; chain.length < longestChain; last = chain.at(-1)!) {
    const issuer = certificates.find((other) => last.checkIssued(other) && last.verify(other.publicKey));
    if (!issuer || chain.includes(issuer)) return chain;
    chain.push(issuer);
  }
  return undefined;
}

function faultOfDates({ subject, validFromDate, validToDate }: X509Certificate, now: Date) {
  const name = /^CN=(.*)$/m.exec(subject)?.[1] ?? subject.replaceAll("\n", ", ");
  const day = (date: Date) => date.toISOString().slice(0, 10);
  if (validToDate < now) return `the certificate of ${name} expired on ${day(validToDate)}`;
  return validFromDate > now ? `the certificate of ${name} is valid only from ${day(validFromDate)}` : undefined;
}
