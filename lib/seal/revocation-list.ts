import { type KeyObject, sign, verify, X509Certificate } from "node:crypto";
import { ecdsaWithSha256, extension, issuerKey, subjectOf } from "./certificates.ts";
import { namesOf } from "./cms.ts";
import { bitString, constructed, der, integer, oid, readDer, sequence, time } from "./der.ts";

/** Revocation lists (RFC 5280, 5): ours are made, others' are read as far as proof that outlives them needs it. */

export type RevokedKey = { certificate: Buffer; at: Date; reason: "compromised" | "superseded" | "unspecified" };

type Issuer = { certificate: Buffer; privateKey: KeyObject };

/** CRLReason (5.3.1); without one nothing is specified. */
const reasonCodes = { compromised: 1, superseded: 4, unspecified: undefined };

/** A list (DER) of the revoked keys among those that `issuer`, a P-256 key, certified: good from `at` to `until`. */
export function revocationList(issuer: Issuer, revoked: RevokedKey[], { at, until }: { at: Date; until: Date }) {
  const entries = revoked.map(({ certificate, at: since, reason }) => {
    const code = reasonCodes[reason];
    const why = code === undefined ? [] : [sequence(extension("2.5.29.21", false, der(0x0a, Buffer.of(code))))];
    return sequence(namesOf(certificate).serial, time(since), ...why);
  });
  const content = sequence(
    integer(1),
    ecdsaWithSha256,
    subjectOf(issuer.certificate),
    time(at),
    time(until),
    ...(entries.length > 0 ? [sequence(...entries)] : []),
    // The number of a list grows with time, by whichever process it is made.
    constructed(
      0,
      sequence(
        issuerKey(new X509Certificate(issuer.certificate).publicKey),
        extension("2.5.29.20", false, integer(at.getTime())),
      ),
    ),
  );
  return sequence(content, ecdsaWithSha256, bitString(sign("sha256", content, issuer.privateKey)));
}

/** The fields of what is signed in a certificate or list. */
const fieldsOf = (signed: Buffer) => readDer(readDer(readDer(signed, 1)[0]!.content)[0]!.content);

const hashes = new Map(
  Object.entries({
    "1.2.840.113549.1.1.11": "sha256",
    "1.2.840.113549.1.1.12": "sha384",
    "1.2.840.113549.1.1.13": "sha512",
    "1.2.840.10045.4.3.2": "sha256",
    "1.2.840.10045.4.3.3": "sha384",
    "1.2.840.10045.4.3.4": "sha512",
  }).map(([id, name]) => [oid(id).toString("hex"), name]),
);

/** Whether `list` is one of `issuer`, signed by RSA (PKCS #1 v1.5) or ECDSA, and is good at `now`, or at any time. */
export function isListOf(list: Buffer, issuer: X509Certificate, now?: Date): boolean {
  try {
    const [content, algorithm, signature] = readDer(readDer(list, 1)[0]!.content);
    const value = signature!.content.subarray(1);
    const hash = hashes.get(readDer(algorithm!.content)[0]!.whole.toString("hex"));
    const { algorithm: signedAlgorithm, name, from, until } = headOf(list);
    const isWhole = sequence(content!.whole, signedAlgorithm, bitString(value)).equals(list);
    if (!hash || !isWhole || !name.equals(subjectOf(issuer.raw))) return false;
    if (now && !(from <= now.getTime() && now.getTime() < until)) return false;
    return verify(hash, content!.whole, issuer.publicKey, value);
  } catch {
    // It can't be read.
    return false;
  }
}

/** Whether a list of a certificate's issuer has that certificate. */
export const isRevokedBy = (list: Buffer, certificate: Buffer): boolean =>
  headOf(list).entries.some(({ content }) => readDer(content)[0]!.whole.equals(namesOf(certificate).serial));

/** Whose a list is, from when to when it is good, in milliseconds since 1970, and the keys of it that are revoked. */
export function headOf(list: Buffer) {
  const fields = fieldsOf(list);
  const [algorithm, name, from, until, revoked] = fields.slice(fields[0]!.tag === 0x02 ? 1 : 0);
  const entries = revoked?.tag === 0x30 ? readDer(revoked.content) : [];
  return {
    algorithm: algorithm!.whole,
    name: name!.whole,
    from: timeOf(from!),
    until: timeOf(until!),
    entries,
    revoked: entries.length,
  };
}

/** UTCTime or GeneralizedTime in milliseconds since 1970; NaN for anything else. */
function timeOf({ tag, content }: { tag: number; content: Buffer }): number {
  const text = content.toString("latin1");
  const isLong = tag === 0x18;
  const century = isLong ? "" : Number(text.slice(0, 2)) < 50 ? "20" : "19";
  const [year, month, day, hour, minute, second] = `${century}${text}`.match(/^(\d{4})|\d\d/g) ?? [];
  return Date.parse(`${year}-${month}-${day}T${hour}:${minute}:${second}Z`);
}

const distributionPoints = oid("2.5.29.31");

/** The addresses (http, https) at which a certificate says that its issuer's list is. */
export function listAddresses({ raw }: X509Certificate): string[] {
  const extensions = fieldsOf(raw).find(({ tag }) => tag === 0xa3);
  if (!extensions) return [];
  for (const { content } of readDer(readDer(extensions.content)[0]!.content)) {
    const [id, ...value] = readDer(content);
    if (!id!.whole.equals(distributionPoints)) continue;
    const points = readDer(readDer(value.at(-1)!.content)[0]!.content);
    return points.flatMap(addressesIn);
  }
  return [];
}

/** The names of a distribution point that are addresses: within its `[0]`, within that its `[0]`. */
function addressesIn({ content }: { content: Buffer }): string[] {
  const [point] = readDer(content).filter(({ tag }) => tag === 0xa0);
  const [names] = point ? readDer(point.content).filter(({ tag }) => tag === 0xa0) : [];
  return readDer(names?.content ?? Buffer.alloc(0))
    .filter(({ tag }) => tag === 0x86)
    .map(({ content: name }) => name.toString("latin1"))
    .filter((address) => /^https?:\/\//i.test(address) && URL.canParse(address));
}
