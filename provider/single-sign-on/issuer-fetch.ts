import { request as requestByHttp } from "node:http";
import { request as requestByHttps } from "node:https";
import type { CustomFetch } from "openid-client";
import { AddressRefused, isAllowedHost, isNameOrPublic, publicOnly } from "../http/public-address.ts";
import { bytesWithin } from "#lib/bytes-within.ts";
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
    const content = body ? Buffer.from(await new Response(body as BodyInit).arrayBuffer()) : undefined;
    const signals = [signal, ...(ownSignal ? [ownSignal] : [])];
    return new Promise<Response>((resolve, reject) => {
      const requestBy = url.protocol === "https:" ? requestByHttps : requestByHttp;
      const request = requestBy(
        url,
        {
          method,
          headers: { ...headers, ...(content && { "content-length": content.length }) },
          signal: AbortSignal.any(signals),
          // A connection of its own, whose address was checked.
          agent: false,
          ...(!isFree && { lookup: publicOnly }),
        },
        async (reply) => {
          try {
            const tooMany = () => new AnswerTooLong(`the answer of ${url.host} is too long`);
            const answer = await bytesWithin(reply, maxBytes, tooMany);
            const status = reply.statusCode ?? 0;
            if (status < 200 || status > 599) throw new TypeError(`${url.host} answered with the status ${status}`);
            const headersOf = Object.entries(reply.headers).filter(([, value]) => typeof value === "string");
            const isEmpty = [204, 205, 304].includes(status);
            resolve(
              new Response(isEmpty ? null : answer, {
                status,
                headers: headersOf as [string, string][],
              }),
            );
          } catch (error) {
            reject(error as Error);
          } finally {
            reply.destroy();
          }
        },
      );
      request.on("error", reject);
      request.end(content);
    });
  };
