import { type IncomingMessage, request as requestHttp, type RequestOptions } from "node:http";
import { request as requestHttps } from "node:https";

type Sending = Pick<RequestOptions, "method" | "headers" | "signal"> & {
  body?: Uint8Array | undefined;
  /** Resolves the host, and may refuse it. */
  lookup?: RequestOptions["lookup"];
};

/**
 * Sends a request on a connection of its own, whose address `lookup` has checked and no other request shares; no redirect is
 * followed. Returns the reply, whose body the caller reads or destroys.
 */
export function sendRequest(url: URL, { body, headers, lookup, ...options }: Sending): Promise<IncomingMessage> {
  const request = url.protocol === "https:" ? requestHttps : requestHttp;
  return new Promise((resolve, reject) => {
    const outgoing = request(url, {
      ...options,
      headers: { ...headers, ...(body && { "content-length": body.length }) },
      ...(lookup && { lookup }),
      agent: false,
    });
    outgoing.on("error", reject);
    outgoing.once("response", resolve);
    outgoing.end(body);
  });
}
