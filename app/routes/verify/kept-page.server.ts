import { randomBytes } from "node:crypto";
import type { IncomingMessage, RequestListener, ServerResponse } from "node:http";
import { LRUCache } from "lru-cache";
import { createContext, type MiddlewareFunction } from "react-router";
import { type Language, tagOf } from "#lib/messages/languages.ts";
import { withoutMarks } from "#lib/messages/marks.ts";
import { mebibytesInBytes } from "#lib/units.ts";
import { log } from "../../server/process/log.ts";
import { logAccess } from "../../server/process/access-log.ts";
import { asPart, gzipOf, type Part } from "../../server/process/gzip-parts.ts";
import { afterUsers } from "../../server/process/users-first.ts";
import { languageAt } from "../../server/request/language.ts";
import { isHumanPageView } from "../../server/request/human-view.ts";
import { requestContext, type RequestContext } from "../../server/request/request-context.ts";
import { newNonce, pagePolicy, uncached } from "../../server/request/security.ts";
import { type Answer, answerOf, checkedNow } from "./answer.server.ts";
import { openInOne, type Opened } from "./check.server.ts";

/**
 * The page of a code is rendered once for all that it shows and then kept, with holes where each visitor has a value of
 * their own. What it shows is its key, so that no change is missed, whoever makes it (`docs/decisions/scans-in-groups.md`).
 */

/** In the place of a page's values while it is rendered; nobody can guess them, so that no text has them. */
const hole = () => randomBytes(16).toString("hex");
const holes = { scan: hole(), date: hole(), time: hole(), code: hole() };
/** What stands there for one visitor. The nonce is its own hole: it is new with each request. */
type Filling = Record<keyof typeof holes | "nonce", string>;

type Kept = {
  parts: (Part | keyof Filling)[];
  /** Without when to try again, which is each visitor's own. */
  headers: [string, string][];
  route: string;
  bytes: number;
};

const kept = new LRUCache<string, Kept>({
  maxSize: mebibytesInBytes(64),
  sizeCalculation: ({ bytes }, key) => bytes + 2 * key.length,
});

/** What the objects around a part take. */
const objectsBytes = 500;

/** Codes and signed codes alone: typed numbers and chosen languages are in the query. */
const address = /^\/v\/([\w-]{1,40})(?:\/(\d{1,1000}))?$/;

/** What was found of a request's code before React Router has it, and under which key its page is to be kept. */
const found = new WeakMap<RequestContext, { opened: Opened; key: string | undefined }>();

/** Answers strangers whose page is kept; `render` has all others. The only place where a page is not rendered. */
export const answerKept =
  (render: RequestListener): RequestListener =>
  (request, response) => {
    const [path, code, digits = ""] = address.exec(request.url ?? "") ?? [];
    const current = requestContext();
    if (!path || !current || !isStranger(request)) return render(request, response);
    const began = performance.now();
    const answer = (opened: Opened | undefined) => {
      const language = languageAt(path, request.headers["accept-language"]);
      const key = opened && keyOf(path, language, opened);
      const page = key && kept.get(key);
      if (page) return send(page, { ...opened, code: code!, language }, { request, response, current, began });
      if (opened) found.set(current, { opened, key });
      render(request, response);
    };
    const forwardedFor = request.headers["x-forwarded-for"] as string;
    const opening = afterUsers().then(() => openInOne({ code: code!, digits, number: "" }, { forwardedFor }));
    opening.then(answer, (err: unknown) => {
      log.error({ err }, "a code could not be opened");
      render(request, response);
    });
  };

/** All that the page shows, but for its holes; undefined for signed codes without a document, whose signature is not known yet. */
function keyOf(path: string, language: Language, { outcome, scan, status }: Opened): string | undefined {
  if (outcome.kind === "found") return JSON.stringify([path, language, outcome, scan !== ""]);
  return /^\/v\/[^/]+$/.test(path) ? JSON.stringify([status, language, { ...outcome, code: "" }]) : undefined;
}

function isStranger({ method = "", headers }: IncomingMessage) {
  const get = (name: string) => (headers[name] as string | undefined) ?? null;
  return !headers.cookie && !headers.authorization && isHumanPageView({ method, headers: { get } });
}

type Exchange = { request: IncomingMessage; response: ServerResponse; current: RequestContext; began: number };

type OpenedIn = Opened & { code: string; language: Language };

function send({ parts, headers, route }: Kept, opened: OpenedIn, exchange: Exchange) {
  const { outcome, scan, status, retryAfter, code, language } = opened;
  const { request, response, current, began } = exchange;
  const nonce = newNonce();
  const filling = fillingOf({ nonce, scan, checked: checkedNow(outcome, language) }, code);
  const whole = parts.map((part) => (typeof part === "string" ? Buffer.from(filling[part]) : part));
  const isGzip = /\bgzip\b(?!\s*;\s*q=0(\.0*)?\s*(,|$))/.test(String(request.headers["accept-encoding"]));
  const body = isGzip ? gzipOf(whole) : Buffer.concat(whole.map((part) => ("text" in part ? part.text : part)));
  response.statusCode = status;
  for (const [name, value] of headers) response.setHeader(name, value);
  if (retryAfter) response.setHeader("retry-after", String(retryAfter));
  response.setHeader("cache-control", uncached);
  response.setHeader("content-security-policy", pagePolicy(nonce));
  response.setHeader("vary", "Accept-Language, Accept-Encoding");
  response.setHeader("content-language", tagOf(language));
  if (isGzip) response.setHeader("content-encoding", "gzip");
  response.setHeader("content-length", body.length);
  current.route = route;
  logAccess(request, response, began);
  response.end(body);
}

/** The code is that of an address, whose characters stand for themselves in HTML. */
const fillingOf = ({ nonce, scan, checked }: Pick<Answer, "nonce" | "scan" | "checked">, code: string): Filling => ({
  nonce,
  scan,
  code,
  date: withoutMarks(checked.date),
  time: withoutMarks(checked.time),
});

const answerContext = createContext<Answer | null>(null);

/** What the page shows: with holes while it is rendered to be kept. */
export const answerFor: typeof answerOf = async (asked) =>
  asked.context.get(answerContext) ?? answerOf(asked, foundNow()?.opened);

const foundNow = () => found.get(requestContext() ?? {});

/** Keeps the rendered page of a stranger under the key that was looked up before. */
export const keepPage: MiddlewareFunction<Response> = async ({ request, context, params, url, pattern }, next) => {
  const { opened, key } = foundNow() ?? {};
  if (!opened || !key) return next();
  const answer = await answerOf({ request, context, params, url }, opened);
  const inPlace = (text: string, hole: string) => text.replace(withoutMarks(text), hole);
  const checked = {
    date: inPlace(answer.checked.date, holes.date),
    time: inPlace(answer.checked.time, holes.time),
  };
  context.set(answerContext, { ...withoutCode(answer), checked, scan: answer.scan && holes.scan });
  const response = await next();
  const { status, headers } = response;
  const names = new Map<string, keyof Filling>([
    [answer.nonce, "nonce"],
    [holes.scan, "scan"],
    [holes.date, "date"],
    [holes.time, "time"],
    [holes.code, "code"],
  ]);
  const parts = (await response.text())
    .split(new RegExp(`(${[...names.keys()].join("|")})`))
    .map((text) => names.get(text) ?? { text });
  if (status === opened.status && !headers.has("set-cookie")) kept.set(key, asKept(parts, headers, `/${pattern}`));
  const filling = fillingOf(answer, params.code!);
  const filled = parts.map((part) => (typeof part === "string" ? filling[part] : part.text));
  return new Response(filled.join(""), { status, headers });
};

/** Codes without a document share a page. */
const withoutCode = (answer: Answer): Answer =>
  answer.outcome.kind === "found"
    ? answer
    : { ...answer, outcome: { ...answer.outcome, code: holes.code }, address: `/v/${holes.code}` };

function asKept(given: ({ text: string } | keyof Filling)[], headers: Headers, route: string): Kept {
  const parts = given.map((part) => (typeof part === "string" ? part : asPart(part.text)));
  const sizes = parts.map((part) => (typeof part === "string" ? 0 : part.text.length + part.deflated.length));
  const bytes = sizes.reduce((sum, size) => sum + size + objectsBytes, 0);
  return { parts, headers: [...headers].filter(([name]) => name !== "retry-after"), route, bytes };
}
