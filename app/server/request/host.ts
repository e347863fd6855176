import type { IncomingMessage, RequestListener, ServerResponse } from "node:http";
import { config, isLoopback } from "#lib/config.ts";
import { directionOf, tagOf } from "#lib/messages/languages.ts";
import { staffLanguage } from "#lib/messages/staff-language.ts";
import { say } from "#lib/messages/staff.ts";
import { minutesInMs } from "#lib/units.ts";
import { log } from "../process/log.ts";

/** Probes use the process's own address; these routes read no cookies and write no links. */
const anyHost = /^\/(healthz|readyz|metrics)(\?|$)/;

const pattern = /^([a-z0-9._-]+|\[[0-9a-f:.]+\])(?::(\d{1,5}))?$/i;
const defaultPort: Record<string, string> = { "https:": "443", "http:": "80" };

/** Any loopback name and port matches if either address is a loopback one, as ports may be forwarded. */
export function isHostOf(origin: string, listensOn: string, host: string): boolean {
  const own = new URL(origin);
  const [, written, port = defaultPort[own.protocol]] = pattern.exec(host) ?? [];
  const name = written?.toLowerCase();
  if (name === undefined) return false;
  if (name === own.hostname && port === (own.port || defaultPort[own.protocol])) return true;
  return isLoopback(name) && (isLoopback(listensOn) || isLoopback(own.hostname));
}

/** Whether browsers reach this server by HTTPS, which `Secure` cookies and HSTS need. */
export const isHttps = () => config().PUBLIC_URL.startsWith("https:");

export const isOwnOrigin = (origin: string, host: string | null): boolean =>
  origin === config().PUBLIC_URL ||
  (host !== null && isLoopback(pattern.exec(host)?.[1]?.toLowerCase() ?? "") && origin === `http://${host}`);

export function ownReferrer({ headers }: Request): URL | undefined {
  const referrer = URL.parse(headers.get("referer") ?? "");
  return referrer && isOwnOrigin(referrer.origin, headers.get("host")) ? referrer : undefined;
}

/** Rejects requests for other hosts than that of PUBLIC_URL, against DNS rebinding. */
export function onlyOurHost(handle: RequestListener): RequestListener {
  const { PUBLIC_URL, HOST } = config();
  return (request, response) => {
    const { headers, url = "" } = request;
    const [host, ...others] = request.headersDistinct.host ?? [];
    // A request target in absolute form contains a second host.
    const isOne = host !== undefined && others.length === 0 && url.startsWith("/");
    const isOurs = isOne && isHostOf(PUBLIC_URL, HOST, host);
    if (!isOurs && !anyHost.test(url)) return refuse(request, response);
    // The router builds the request's URL from these headers.
    if (!isOurs) headers.host = new URL(PUBLIC_URL).host;
    delete headers["x-forwarded-host"];
    handle(request, response);
  };
}

const messages = [say("server.request.host.openTheRightAddress"), say("server.request.host.forOperators")];

function refuse({ url, headers: { host = "" } }: IncomingMessage, response: ServerResponse) {
  if (pattern.test(host)) logRejected(host);
  const title = say("server.request.host.wrongAddress");
  const answer = (type: string, content: string) =>
    response.writeHead(421, { "content-type": type, "cache-control": "no-store", connection: "close" }).end(content);
  if (url?.startsWith("/api/")) return answer("application/json", JSON.stringify({ message: messages.join(" ") }));
  return answer(
    "text/html; charset=utf-8",
    `<!doctype html><html lang="${tagOf(staffLanguage)}" dir="${directionOf(staffLanguage)}"><meta charset="utf-8">` +
      `<meta name="viewport" content="width=device-width"><meta name="color-scheme" content="light dark">` +
      `<title>${title}</title><h1>${title}</h1>${messages.map((text) => `<p>${text}</p>`).join("")}</html>`,
  );
}

const quietMs = minutesInMs(1);
let [rejected, nextLogAt] = [0, 0];

function logRejected(host: string) {
  const now = Date.now();
  rejected++;
  if (now < nextLogAt) return;
  log.warn({ host: host.slice(0, 100), requests: rejected }, "requests for another host rejected");
  [rejected, nextLogAt] = [0, now + quietMs];
}
