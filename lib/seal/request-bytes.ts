import { request as requestHttp } from "node:http";
import { request as requestHttps } from "node:https";
import type { LookupFunction } from "node:net";
import { bytesWithin } from "../bytes-within.ts";

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
export function requestBytes(url: string, { body, maxBytes, timeoutMs, signal, lookup }: Options): Promise<Buffer> {
  const request = url.startsWith("https:") ? requestHttps : requestHttp;
  const headers = body && { "content-type": "application/timestamp-query", "content-length": body.length };
  return new Promise((resolve, reject) => {
    const outgoing = request(url, {
      method: body ? "POST" : "GET",
      ...(headers && { headers }),
      ...(lookup && { lookup }),
      agent: false,
      signal: AbortSignal.any([AbortSignal.timeout(timeoutMs), ...(signal ? [signal] : [])]),
    });
    outgoing.on("error", reject);
    outgoing.once("response", async (reply) => {
      try {
        if (reply.statusCode !== 200) throw new Error(`${new URL(url).host} replied with ${reply.statusCode}`);
        resolve(await bytesWithin(reply, maxBytes, () => new Error(`${new URL(url).host} replied with too much`)));
      } catch (error) {
        outgoing.destroy();
        reject(error as Error);
      }
    });
    outgoing.end(body);
  });
}
