import type { IncomingMessage } from "node:http";
import type { LookupFunction } from "node:net";
import { sendRequest } from "#lib/send-request.ts";
import { secondsInMs } from "#lib/units.ts";
import type { HostAddress } from "./address.ts";

/** Posts to an untrusted receiver, and reads little of its replies. */

export type PostResult = {
  /** Null without a reply. */
  status: number | null;
  /** Why it failed, in words for users; empty for a status of 200 to 299. */
  problem: string;
  /** The beginning of the reply's body, if it is text. */
  reply: string;
  retryAfter?: string | undefined;
  milliseconds: number;
};

type Target = { url: URL; addresses: HostAddress[] };
type Sending = { headers: Record<string, string>; body: string; timeoutMs: number; signal: AbortSignal };

const maxReplyBytes = 16 * 1024;
const maxReplyLength = 1000;
/** For the body, once the status is known. */
const bodyTimeoutMs = secondsInMs(2);

/** Sends a body to one of the addresses, without resolving the host's name again. Rejects only when aborted. */
export async function post({ url, addresses }: Target, sending: Sending): Promise<PostResult> {
  const began = performance.now();
  const done = (outcome: Omit<PostResult, "milliseconds">): PostResult => ({
    ...outcome,
    milliseconds: Math.round(performance.now() - began),
  });
  const timeout = AbortSignal.timeout(sending.timeoutMs);
  try {
    const response = await sendRequest(url, {
      method: "POST",
      headers: { ...sending.headers, "content-type": "application/json" },
      body: Buffer.from(sending.body),
      lookup: pinnedTo(addresses),
      signal: AbortSignal.any([sending.signal, timeout]),
    });
    const status = response.statusCode!;
    const reply = await beginningOf(response);
    return done({ status, problem: problemOf(status), reply, retryAfter: response.headers["retry-after"] });
  } catch (error) {
    sending.signal.throwIfAborted();
    const problem = timeout.aborted
      ? `There was no reply within ${sending.timeoutMs / secondsInMs(1)} seconds`
      : messageOf(error);
    return done({ status: null, problem, reply: "" });
  }
}

/** Connects to the checked addresses, without another look-up. */
const pinnedTo =
  (addresses: HostAddress[]): LookupFunction =>
  (_host, options, done) =>
    options.all ? done(null, addresses) : done(null, addresses[0]!.address, addresses[0]!.family);

/** Reads the first `maxReplyBytes` of a body, which may have no end, and closes the connection. */
async function beginningOf(response: IncomingMessage): Promise<string> {
  const chunks: Buffer[] = [];
  let bytes = 0;
  const timer = setTimeout(() => response.destroy(), bodyTimeoutMs);
  try {
    for await (const chunk of response as AsyncIterable<Buffer>) {
      chunks.push(chunk);
      if ((bytes += chunk.length) >= maxReplyBytes) break;
    }
  } catch {
    // The status is enough.
  } finally {
    clearTimeout(timer);
    response.destroy();
  }
  const { "content-encoding": encoding = "identity" } = response.headers;
  return encoding === "identity" ? asText(Buffer.concat(chunks)) : "";
}

/** Text that both databases can store, and a page can show. */
const asText = (bytes: Buffer) =>
  bytes
    .toString("utf8")
    .replace(/[^\P{Cc}\n\t]/gu, "")
    .slice(0, maxReplyLength)
    .toWellFormed()
    .trim();

function problemOf(status: number): string {
  if (status >= 200 && status < 300) return "";
  if (status >= 300 && status < 400)
    return "It redirects to another address, which is not followed: give the webhook that address";
  return status === 410 ? "The receiver wants no more deliveries" : "The receiver refused it";
}

function messageOf(error: unknown): string {
  const { code = "" } = error as { code?: string };
  if (code === "ECONNREFUSED") return "The connection was refused";
  if (["ENETUNREACH", "EHOSTUNREACH", "EADDRNOTAVAIL", "ETIMEDOUT"].includes(code)) return "The host can’t be reached";
  if (code.startsWith("HPE_")) return "The reply is not HTTP";
  if (/^(CERT_|DEPTH_ZERO|SELF_SIGNED|UNABLE_TO|ERR_TLS_CERT)/.test(code))
    return `Its certificate was not accepted (${code})`;
  if (code === "EPROTO" || code.startsWith("ERR_SSL")) return "The receiver does not speak TLS there";
  return "The connection broke off";
}
