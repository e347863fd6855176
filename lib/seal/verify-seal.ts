import { hash, X509Certificate } from "node:crypto";
import { readFile } from "node:fs/promises";
import { statedDigest } from "./sealed-digest.ts";
import { signedBy, signingCertificates } from "./verify-cms.ts";

/** Verifies the seal of a PDF as strangers do, by the file and root certificates that they trust (docs/seal-format.md). */

export type SealResult =
  | { result: "not signed" | "not whole" | "broken" | "untrusted" }
  | { result: "valid"; certificate: X509Certificate; digest: string; cms: Buffer };

/** A root, an authority below it and the signer's certificate; operators may have more. */
const maxChain = 5;

/** Reads the whole file into memory. */
export async function verifySeal(path: string, roots: X509Certificate[]): Promise<SealResult> {
  const pdf = await readFile(path);
  const ranges = [...pdf.toString("latin1").matchAll(/\/ByteRange *\[ *0 +(\d+) +(\d+) +(\d+) *\]/g)].at(-1);
  if (!ranges) return { result: "not signed" };
  const [start, end, rest] = ranges.slice(1).map(Number) as [number, number, number];
  const space = pdf.toString("latin1", start, end);
  if (start >= end || end + rest !== pdf.length || !/^<[^>]*>$/.test(space)) return { result: "not whole" };
  const cms = /^<(?:[\da-f]{2})+>$/i.test(space) ? Buffer.from(space.slice(1, -1), "hex") : Buffer.alloc(0);
  const { certificates, stated } = signingCertificates(cms) ?? { certificates: [], stated: undefined };
  const leaf = certificates.find((certificate) => stated?.equals(hash("sha256", certificate, "buffer")));
  if (!leaf || signedBy(cms, [pdf.subarray(0, start), pdf.subarray(end)], leaf) !== "this key") {
    return { result: "broken" };
  }
  const certificate = new X509Certificate(leaf);
  if (!isBelow(certificate, roots, certificates)) return { result: "untrusted" };
  const digest = await statedDigest(path);
  return digest ? { result: "valid", certificate, digest: digest.toString("hex"), cms } : { result: "not whole" };
}

/** Whether a certificate's chain of authorities, of those beside it (DER), leads to a root. */
export function isBelow(certificate: X509Certificate, roots: X509Certificate[], beside: Buffer[]): boolean {
  const authorities = [...roots, ...beside.flatMap((der) => parsed(der) ?? [])].filter(({ ca }) => ca);
  let below = certificate;
  for (let length = 0; length < maxChain; length++) {
    const above = authorities.find((one) => below.checkIssued(one) && below.verify(one.publicKey));
    if (!above || roots.includes(above)) return above !== undefined;
    below = above;
  }
  return false;
}

function parsed(der: Buffer): X509Certificate | undefined {
  try {
    return new X509Certificate(der);
  } catch {
    return undefined;
  }
}
