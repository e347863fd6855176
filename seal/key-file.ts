import { type KeyObject, X509Certificate, createPrivateKey } from "node:crypto";

/** An operator's own private key and its certificates (DER), its own first, as far as the chain was given. */
export type OperatorKey = { privateKey: KeyObject; chain: Buffer[] };

/** A key file that can't be used: the message says why. */
export class KeyFileRefused extends Error {}

const longestFile = 200_000;
const longestChain = 10;

/** Extended key usages with which readers accept signatures of documents. */
const documentUsages = [
  "1.3.6.1.5.5.7.3.4",
  "1.3.6.1.5.5.7.3.36",
  "1.2.840.113583.1.1.5",
  "1.3.6.1.4.1.311.10.3.12",
  "2.5.29.37.0",
];

/** Reads a PEM file with a private key and its certificates in any order. Throws `KeyFileRefused`. */
export function readKeyFile(pem: string, passphrase: string | undefined, now: Date): OperatorKey {
  if (pem.length > longestFile) throw new KeyFileRefused("the file is too long for a key and its certificates");
  const privateKey = readPrivateKey(pem, passphrase);
  const certificates = blocksOf(pem, "CERTIFICATE").map(readCertificate);
  if (certificates.length === 0) throw new KeyFileRefused("there is no certificate in it (BEGIN CERTIFICATE)");
  const leaf = certificates.find((certificate) => certificate.checkPrivateKey(privateKey));
  if (!leaf) throw new KeyFileRefused("none of its certificates belongs to its private key");
  const usages = leaf.keyUsage as string[] | undefined;
  if (usages && !usages.some((usage) => documentUsages.includes(usage))) {
    throw new KeyFileRefused("its certificate is for other uses, such as web servers, and not for documents");
  }
  const chain = chainOf(leaf, certificates);
  for (const certificate of chain) checkDates(certificate, now);
  return { privateKey, chain: chain.map(({ raw }) => raw) };
}

/** PEM blocks with one of the labels that the pattern matches. */
const blocksOf = (pem: string, label: string) =>
  pem.match(new RegExp(`-----BEGIN (${label})-----[^-]+-----END \\1-----`, "g")) ?? [];

function readPrivateKey(pem: string, passphrase: string | undefined) {
  // Traditional keys have headers with dashes.
  const [key, another] = pem.match(/-----BEGIN ((?:\w+ )?PRIVATE KEY)-----[^]+?-----END \1-----/g) ?? [];
  if (!key) throw new KeyFileRefused("there is no private key in it (BEGIN PRIVATE KEY)");
  if (another) throw new KeyFileRefused("there are several private keys in it: leave one");
  const privateKey = decrypted(key, passphrase);
  if (!isAllowed(privateKey)) {
    throw new KeyFileRefused("its key is of another kind: give P-256, P-384, or RSA of 2048 to 8192 bits");
  }
  return privateKey;
}

function decrypted(key: string, passphrase: string | undefined) {
  try {
    return createPrivateKey({ key, ...(passphrase !== undefined && { passphrase }) });
  } catch (error) {
    const isEncrypted = /ENCRYPTED/.test(key);
    if (!isEncrypted) throw new KeyFileRefused("its private key can't be read", { cause: error });
    throw new KeyFileRefused(
      passphrase === undefined
        ? "its private key is encrypted: give SEAL_KEY_PASSPHRASE"
        : "SEAL_KEY_PASSPHRASE does not decrypt its private key",
    );
  }
}

function isAllowed({ asymmetricKeyType, asymmetricKeyDetails: details }: KeyObject) {
  if (asymmetricKeyType === "ec") return ["prime256v1", "secp384r1"].includes(details?.namedCurve ?? "");
  const bits = details?.modulusLength ?? 0;
  return asymmetricKeyType === "rsa" && bits >= 2048 && bits <= 8192;
}

function readCertificate(pem: string, n: number) {
  try {
    return new X509Certificate(pem);
  } catch {
    throw new KeyFileRefused(`its certificate number ${n + 1} can't be read`);
  }
}

/** The leaf and those that issued each other above it. */
function chainOf(leaf: X509Certificate, certificates: X509Certificate[]) {
  const chain = [leaf];
  for (let last = leaf; chain.length < longestChain; last = chain.at(-1)!) {
    const issuer = certificates.find((other) => last.checkIssued(other) && last.verify(other.publicKey));
    if (!issuer || chain.includes(issuer)) return chain;
    chain.push(issuer);
  }
  throw new KeyFileRefused(`its chain has more than ${longestChain} certificates`);
}

function checkDates({ subject, validFromDate, validToDate }: X509Certificate, now: Date) {
  const name = /^CN=(.*)$/m.exec(subject)?.[1] ?? subject.replaceAll("\n", ", ");
  const day = (date: Date) => date.toISOString().slice(0, 10);
  if (validToDate < now) throw new KeyFileRefused(`the certificate of ${name} expired on ${day(validToDate)}`);
  if (validFromDate > now)
    throw new KeyFileRefused(`the certificate of ${name} is valid only from ${day(validFromDate)}`);
}
