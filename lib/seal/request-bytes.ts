import type { LookupFunction } from "node:net";
import { bytesWithin } from "../bytes-within.ts";
import { sendRequest } from "../send-request.ts";

type Options = {
  /** A time-stamp query, which is posted. */
  body?: Buffer;
  maxBytes: number;
  timeoutMs: number;
  signal?: AbortSignal;
  /** Resolves the host, and may refuse it. */
  lookup?: LookupFunction | undefined;
};

/** The reply's body. Throws for a status other than 200, a reply that is too large, and one that takes too long. */
export async function requestBytes(
  address: string,
  { body, maxBytes, timeoutMs, signal, lookup }: Options,
): Promise<Buffer> {
  const url = new URL(address);
  const reply = await sendRequest(url, {
    ...(body && { method: "POST", headers: { "content-type": "application/timestamp-query" }, body }),
    lookup,
    signal: AbortSignal.any([AbortSignal.timeout(timeoutMs), ...(signal ? [signal] : [])]),
  });
  try {
    if (reply.statusCode !== 200) throw new Error(`${url.host} replied with ${reply.statusCode}`);
    return await bytesWithin(reply, maxBytes, () => new Error(`${url.host} replied with too much`));
  } finally {
    reply.destroy();
  }
}
