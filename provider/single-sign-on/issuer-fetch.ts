import type { CustomFetch } from "openid-client";
import { AddressRefused, isAllowedHost, isNameOrPublic, publicOnly } from "../http/public-address.ts";
import { bytesWithin } from "#lib/bytes-within.ts";
import { sendRequest } from "#lib/send-request.ts";
import { mebibytesInBytes } from "#lib/units.ts";

/** Requests to identity providers: without redirects, of bounded size and time, and for companies to public addresses alone. */

const maxBytes = mebibytesInBytes(1);

/** An answer that is longer than any identity provider's. */
export class AnswerTooLong extends Error {}

/** `allowedHosts` is undefined for the operator's own identity provider, which may be anywhere. */
export type Reach = { allowedHosts: string[] | undefined; signal: AbortSignal };

/** Whether companies may name a URL: checked before a connection, which is checked again by its address. */
export function isReachable(url: URL, allowedHosts: string[]): boolean {
  if (isAllowedHost(url, allowedHosts)) return true;
  return url.protocol === "https:" && isNameOrPublic(url);
}

/** A `fetch` for openid-client. */
export const issuerFetch =
  ({ allowedHosts, signal }: Reach): CustomFetch =>
  async (address, { method, headers, body, signal: ownSignal }) => {
    const url = new URL(address);
    const isFree = !allowedHosts || isAllowedHost(url, allowedHosts);
    if (!isFree && !isReachable(url, [])) throw new AddressRefused(`${url.host} is not a public address with HTTPS`);
    const reply = await sendRequest(url, {
      method,
      headers,
      body: body ? Buffer.from(await new Response(body as BodyInit).arrayBuffer()) : undefined,
      signal: AbortSignal.any([signal, ...(ownSignal ? [ownSignal] : [])]),
      lookup: isFree ? undefined : publicOnly,
    });
    try {
      const tooMany = () => new AnswerTooLong(`the answer of ${url.host} is too long`);
      const answer = await bytesWithin(reply, maxBytes, tooMany);
      const status = reply.statusCode ?? 0;
      if (status < 200 || status > 599) throw new TypeError(`${url.host} answered with the status ${status}`);
      const headersOf = Object.entries(reply.headers).filter(([, value]) => typeof value === "string");
      const isEmpty = [204, 205, 304].includes(status);
      return new Response(isEmpty ? null : answer, { status, headers: headersOf as [string, string][] });
    } finally {
      reply.destroy();
    }
  };
