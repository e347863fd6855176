/* oxlint-disable no-control-regex -- kinds are detected by bytes */
import { X509Certificate } from "node:crypto";
import { PDFHexString, type PDFObject, PDFString } from "@cantoo/pdf-lib";
import { readDer } from "../../seal/der.ts";

/** Beginnings of version 3 certificates (RFC 5280): two sequences, then `[0] { INTEGER 2 }`. */
const beginning = /0(?:\x82..|\x81.)0(?:\x82..|\x81.)\xa0\x03\x02\x01\x02/gs;
const maxCertificates = 20;
/** Places that look like one. */
const maxTried = 200;

type Certificate = { name: string; signedAt: number };

/**
 * The name on the certificate with which a CMS message (RFC 5652) was signed, or on a certificate alone; undefined if there is
 * none. The message itself is not parsed, as many are written in BER. Nothing is verified.
 */
export function signerName(bytes: Buffer): string | undefined {
  const certificates: Certificate[] = [];
  let tried = 0;
  for (const { index } of bytes.toString("latin1").matchAll(beginning)) {
    if (certificates.length === maxCertificates || ++tried > maxTried) break;
    const certificate = certificateAt(bytes, index);
    if (certificate) certificates.push(certificate);
  }
  // A signer is identified by issuer and serial number, before the certificates of its time stamp.
  const [signer] = certificates.toSorted((a, b) => a.signedAt - b.signedAt);
  return signer?.name || undefined;
}

function certificateAt(bytes: Buffer, start: number): Certificate | undefined {
  try {
    const isLong = bytes[start + 1] === 0x82;
    const end = start + (isLong ? 4 + bytes.readUInt16BE(start + 2) : 3 + bytes.readUInt8(start + 2));
    const der = bytes.subarray(start, end);
    const { subject } = new X509Certificate(der).toLegacyObject();
    const [body] = readDer(readDer(der)[0]!.content);
    const [, serial, , issuer] = readDer(body!.content);
    const signer = bytes.indexOf(Buffer.concat([issuer!.whole, serial!.whole]));
    const names = [subject.CN ?? subject.O ?? ""].flat() as string[];
    return { name: names[0] ?? "", signedAt: signer < 0 ? Infinity : signer };
  } catch {
    return undefined;
  }
}

/** In bytes, as written. */
const maxSignature = 400_000;

/** The bytes of a signature or certificate in a PDF; undefined for another value, or a too large one. */
export const signatureBytes = (value: PDFObject | undefined) =>
  (value instanceof PDFHexString || value instanceof PDFString) && value.sizeInBytes() <= maxSignature
    ? Buffer.from(value.asBytes())
    : undefined;
