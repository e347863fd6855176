import { type IncomingHttpHeaders, request } from "node:http";
import { buffer } from "node:stream/consumers";

/** What `fetch` would not send: any method, any `Host`, a body without its length. */
export type Raw = { method?: string; headers?: Record<string, string>; body?: string | Buffer };

export type RawAnswer = { status: number; headers: IncomingHttpHeaders; body: Buffer };

/** Sends a request as it is and returns the answer as it is. */
export function raw(url: string, { method = "GET", headers = {}, body }: Raw = {}): Promise<RawAnswer> {
  return new Promise((resolve, reject) => {
    const { hostname, port } = new URL(url);
    // The path as it is written, which a URL would put right.
    const path = url.replace(/^\w+:\/\/[^/]+/, "") || "/";
    const isCounted = body !== undefined && !headers["transfer-encoding"];
    const all = { ...headers, ...(isCounted && { "content-length": String(Buffer.byteLength(body)) }) };
    const outgoing = request({ hostname, port, path, method, headers: all, agent: false }, (answer) => {
      buffer(answer).then(
        (content) => resolve({ status: answer.statusCode!, headers: answer.headers, body: content }),
        reject,
      );
    });
    outgoing.on("error", reject);
    if (body !== undefined) outgoing.write(body);
    outgoing.end();
  });
}
