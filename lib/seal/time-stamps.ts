import { hash, randomBytes } from "node:crypto";
import { minutesInMs, secondsInMs } from "../units.ts";
import type { TimeStamper } from "./cms.ts";
import { signedBy, signerCertificate } from "./verify-cms.ts";
import { requestBytes } from "./request-bytes.ts";
import { boolean, der, integer, octetString, oid, readDer, sequence } from "./der.ts";

/** A client of time-stamp services (RFC 3161). */

const maxReplyBytes = 64 * 1024;
/** A service that failed is not requested again for so long. */
const pauseMs = minutesInMs(1);

const sha256Id = oid("2.16.840.1.101.3.4.2.1");
type DerValue = ReturnType<typeof readDer>[number];

const timeStampInfo = oid("1.2.840.113549.1.9.16.1.4");
const signedData = oid("1.2.840.113549.1.7.2");

type Options = {
  onFailure(error: unknown, url: string): void;
  now?(): number;
  timeoutMs?: number;
};

/** Returns tokens of the first service that gives one, and undefined if none does. One that failed is not asked for a minute. */
export function timeStamper(
  urls: string[],
  { onFailure, now = Date.now, timeoutMs = secondsInMs(5) }: Options,
): TimeStamper {
  const pausedUntil = new Map<string, number>();
  return async (signature) => {
    for (const url of urls) {
      if (now() < (pausedUntil.get(url) ?? 0)) continue;
      try {
        return await requestToken(url, signature, timeoutMs);
      } catch (error) {
        pausedUntil.set(url, now() + pauseMs);
        onFailure(error, url);
      }
    }
    return undefined;
  };
}

/** A token for the SHA-256 of `bytes`. Throws unless the reply is one that was made for this request. */
async function requestToken(url: string, bytes: Uint8Array, timeoutMs: number): Promise<Buffer> {
  const digest = hash("sha256", bytes, "buffer");
  const nonce = integer(BigInt(`0x${randomBytes(8).toString("hex")}`));
  const imprint = sequence(sequence(sha256Id, der(0x05)), octetString(digest));
  const reply = await requestBytes(url, {
    body: sequence(integer(1), imprint, nonce, boolean(true)),
    maxBytes: maxReplyBytes,
    timeoutMs,
  });
  const [status, token] = childrenOf(readDer(reply)[0]);
  const granted = status && childrenOf(status)[0];
  // 0 is granted, 1 granted with changes (RFC 3161, 2.4.2).
  if (!token || !granted || !(granted.content.equals(Buffer.of(0)) || granted.content.equals(Buffer.of(1)))) {
    throw new Error("The time-stamp service refused the request, or did not answer it");
  }
  const info = childrenOf(infoOf(token));
  const [algorithm, stamped] = childrenOf(info[2]);
  const isOurs =
    childrenOf(algorithm)[0]?.whole.equals(sha256Id) &&
    stamped?.content.equals(digest) &&
    info.slice(5).some(({ whole }) => whole.equals(nonce));
  if (!isOurs) throw new Error("The time-stamp service answered with a stamp of something else");
  return token.whole;
}

/** When a token says that it stamped these bytes; undefined if it stamps others, or a certificate in it did not sign it. */
export function stampedAt(token: Buffer, bytes: Uint8Array): Date | undefined {
  try {
    const info = infoOf(readDer(token)[0]!)!;
    const [, , imprint, , time] = childrenOf(info);
    const certificate = signerCertificate(token);
    const isOfBytes = childrenOf(imprint)[1]?.content.equals(hash("sha256", bytes, "buffer"));
    if (!isOfBytes || !certificate || signedBy(token, [info.whole], certificate) !== "this key") return undefined;
    const [, ...digits] = /^(\d{4})(\d\d)(\d\d)(\d\d)(\d\d)(\d\d)/.exec(time!.content.toString("latin1"))!;
    const [year, month, ...rest] = digits.map(Number) as [number, number, number, number, number, number];
    return new Date(Date.UTC(year, month - 1, ...rest));
  } catch {
    // A damaged one.
    return undefined;
  }
}

const childrenOf = (value: DerValue | undefined) => (value ? readDer(value.content) : []);

/** The fields of a token: version, policy, imprint, serial number, time, …, nonce. */
function infoOf(token: DerValue): DerValue | undefined {
  const [type, wrapped] = childrenOf(token);
  const content = childrenOf(childrenOf(wrapped)[0])[2];
  const [contentType, octets] = childrenOf(content);
  if (!type?.whole.equals(signedData) || !contentType?.whole.equals(timeStampInfo)) return undefined;
  return readDer(childrenOf(octets)[0]?.content ?? Buffer.alloc(0))[0];
}
