import type { IncomingMessage } from "node:http";

/** A request's path as the router matches it, decoded and in lower case, for decisions of middleware. */
export function pathOf(url = "/"): string {
  const path = URL.parse(`http://any${url}`)?.pathname ?? url;
  // The router takes malformed encodings literally.
  return (decoded(path) ?? path).toLowerCase();
}

export function targetOf(url: string): string {
  const { pathname, search } = new URL(url);
  return pathname + search;
}

/** Whether programs call there, with a token and no cookie: the wire contract, and SCIM. */
export const isForPrograms = (pathname: string): boolean => /^\/(api|scim\/v2)\//.test(pathname);

/** Makes a request readable for Express and `Request`, which would answer it with 500 and a stack trace. */
export function makeReadable(request: IncomingMessage) {
  const { url = "/", headers, method } = request;
  const [host = "", ...others] = request.headersDistinct.host ?? [];
  // A target in absolute form contains a second host.
  const isReadable =
    url.startsWith("/") && others.length === 0 && hostPattern.test(host) && URL.canParse(`http://${host}`);
  if (!isReadable) headers.host = unreadableHost;
  request.url = url.startsWith("/") ? decodable(url) : "/";
  if (method === "TRACE") request.method = "OPTIONS";
}

export const unreadableHost = "unreadable.invalid";

/** A `Host` header: name or address in brackets, and port. */
export const hostPattern = /^([a-z0-9._-]+|\[[0-9a-f:.]+\])(?::(\d{1,5}))?$/i;

/** The router's patterns match no line terminator: without a route, not even a middleware runs. */
const lineTerminator = /[\n\r\u2028\u2029]/;

function decodable(url: string): string {
  const [path = "", query = ""] = url.split(/(\?.*)/s);
  const text = decoded(path);
  return text === undefined || lineTerminator.test(text) ? path.replaceAll("%", "%25") + query : url;
}

function decoded(path: string): string | undefined {
  try {
    return decodeURIComponent(path);
  } catch {
    return undefined;
  }
}
