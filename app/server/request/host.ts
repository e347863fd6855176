import { type MiddlewareFunction, redirect } from "react-router";
import { config, isLoopback } from "#lib/config.ts";
import { directionOf, tagOf } from "#lib/messages/languages.ts";
import { wordsOf } from "#lib/messages/words.ts";
import { staffLanguage } from "#lib/messages/staff-language.ts";
import { t } from "#lib/messages/staff.ts";
import { minutesInMs } from "#lib/units.ts";
import { log } from "../process/log.ts";
import { setCompanyHost } from "./company-host.ts";
import { readCompanyHost } from "./find-host.ts";
import { languageAt } from "./language.ts";
import { isForStrangers, refuseStranger } from "./plain-page.ts";
import { hostPattern, isForPrograms, unreadableHost } from "./target.ts";

/** Probes use the process's own address; these routes read no cookies and write no links. */
const anyHost = /^\/(healthz|readyz|metrics|confirmed-host)$/;

const defaultPort: Record<string, string> = { "https:": "443", "http:": "80" };

/** Any loopback name and port matches if either address is a loopback one, as ports may be forwarded. */
export function isHostOf(origin: string, listensOn: string, host: string): boolean {
  const own = new URL(origin);
  const [, written, port = defaultPort[own.protocol]] = hostPattern.exec(host) ?? [];
  const name = written?.toLowerCase();
  if (name === undefined) return false;
  if (name === own.hostname && port === (own.port || defaultPort[own.protocol])) return true;
  return isLoopback(name) && (isLoopback(listensOn) || isLoopback(own.hostname));
}

/** Whether browsers reach this server by HTTPS, which `Secure` cookies and HSTS need. */
export const isHttps = () => config().PUBLIC_URL.startsWith("https:");

export const isOwnOrigin = (origin: string, host: string | null): boolean =>
  origin === config().PUBLIC_URL ||
  (host !== null && isLoopback(hostPattern.exec(host)?.[1]?.toLowerCase() ?? "") && origin === `http://${host}`);

export function ownReferrer({ headers }: Request): URL | undefined {
  const referrer = URL.parse(headers.get("referer") ?? "");
  return referrer && isOwnOrigin(referrer.origin, headers.get("host")) ? referrer : undefined;
}

/** Rejects requests for other hosts than that of PUBLIC_URL and companies' own ones, against DNS rebinding. */
export const onlyOurHost: MiddlewareFunction<Response> = async ({ request, context }, next) => {
  const { PUBLIC_URL, HOST } = config();
  const url = new URL(request.url);
  const host = request.headers.get("host") ?? "";
  if (isHostOf(PUBLIC_URL, HOST, host) || anyHost.test(url.pathname)) return next();
  const own = await readCompanyHost(host);
  if (!own) return refuse(host, url.pathname);
  if (url.pathname === "/") return redirect("/v");
  if (!isForStrangers(url.pathname)) return nothingHere(request, url);
  setCompanyHost(context, own);
  // No user is signed in there, whatever cookies a browser sends.
  keepHolders(request.headers, "cookie", request.headers.get("cookie")?.split(/;\s*/));
  const response = await next();
  keepHolders(response.headers, "set-cookie", response.headers.getSetCookie());
  return response;
};

/** Leaves no cookies but those of holders' visits. */
function keepHolders(headers: Headers, name: "cookie" | "set-cookie", cookies: string[] = []) {
  headers.delete(name);
  const held = cookies.filter((cookie) => /^(__Secure-)?holder\b/.test(cookie));
  if (name === "cookie" && held.length > 0) headers.set(name, held.join("; "));
  else for (const cookie of held) headers.append(name, cookie);
}

function nothingHere(request: Request, url: URL) {
  if (isForPrograms(url.pathname))
    return Response.json({ message: t("server.request.host.nothingHere") }, { status: 404 });
  const words = wordsOf(languageAt(url.href, request.headers.get("accept-language")));
  const page = { title: words.t("problem.missing.title"), text: words.t("problem.missing.text") };
  return refuseStranger(url, words, { ...page, status: 404, mayWorkLater: false });
}

const messages = [t("server.request.host.openTheRightAddress"), t("server.request.host.forOperators")];

function refuse(host: string, pathname: string) {
  if (host !== unreadableHost) logRejected(host);
  const title = t("server.request.host.wrongAddress");
  const reply = (type: string, content: string) =>
    new Response(content, {
      status: 421,
      headers: { "content-type": type, "cache-control": "no-store", connection: "close" },
    });
  if (isForPrograms(pathname)) return reply("application/json", JSON.stringify({ message: messages.join(" ") }));
  return reply(
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
