import { LRUCache } from "lru-cache";
import { nanoid } from "nanoid";
import { createContext, type MiddlewareFunction } from "react-router";
import { mebibytesInBytes, minutesInMs } from "#lib/units.ts";
import { isHumanPageView } from "../../server/request/human-view.ts";
import { type Answer, answerOf } from "./answer.server.ts";

/**
 * A code's page for strangers is rendered once for all that it shows, and cached with placeholders for what each visitor
 * has of their own. What it shows is its key, so no change is missed, whoever makes it. The key has the minute of the
 * check too, which is why no page is used for longer.
 */

const placeholders = { scan: nanoid(32), nonce: nanoid(32) };
const placeholder = new RegExp(`(${Object.values(placeholders).join("|")})`);

type Page = { parts: string[]; headers: [string, string][] };

/** Strings of UTF-16. */
const sizeOf = ({ parts }: Page, key: string) => 2 * (parts.reduce((sum, { length }) => sum + length, 0) + key.length);

const pages = new LRUCache<string, Page>({
  maxSize: mebibytesInBytes(64),
  sizeCalculation: sizeOf,
  ttl: minutesInMs(1),
});

const answerContext = createContext<Answer | null>(null);

/** What the page shows; read before if it is to be cached. */
export const cachedAnswerOf: typeof answerOf = async (asked) =>
  asked.context.get(answerContext) ?? (await answerOf(asked));

/** Answers strangers from the cache. The lookup and the scan are never skipped. */
export const cachePage: MiddlewareFunction<Response> = async ({ request, context, params, url }, next) => {
  if (!isStranger(request) || url.search !== "") return next();
  const answer = await answerOf({ request, context, params, url });
  const { status, scan, nonce, ...shown } = answer;
  context.set(answerContext, answer);
  // What else is answered is not worth a place: anybody can make up codes.
  if (shown.outcome.kind !== "found") return next();
  const key = JSON.stringify({ ...shown, hasScan: scan !== "" });
  let page = pages.get(key);
  if (!page) {
    context.set(answerContext, { ...answer, scan: scan && placeholders.scan });
    const rendered = await next();
    const text = (await rendered.text()).replaceAll(nonce, placeholders.nonce);
    page = { parts: text.split(placeholder), headers: [...rendered.headers] };
    if (rendered.status === 200) pages.set(key, page);
    else return new Response(fill(page, { scan, nonce }), rendered);
  }
  return new Response(fill(page, { scan, nonce }), { status, headers: page.headers });
};

const fill = ({ parts }: Page, { scan, nonce }: { scan: string; nonce: string }) =>
  parts.map((part) => (part === placeholders.scan ? scan : part === placeholders.nonce ? nonce : part)).join("");

/** Only a person's browser without cookies gets a cached page; users and robots get their own. */
const isStranger = (request: Request) =>
  !request.headers.has("cookie") &&
  !request.headers.has("authorization") &&
  Boolean(request.headers.get("accept")?.includes("text/html")) &&
  isHumanPageView(request);
