import { randomBytes } from "node:crypto";
import { LRUCache } from "lru-cache";
import { createContext, type MiddlewareFunction } from "react-router";
import { mebibytesInBytes } from "#units";
import { themeOf } from "../../server/theme.ts";
import { type Answer, answerOf } from "./answer.server.ts";

/**
 * The page is rendered once for all that it shows, and kept with holes where each visitor has a value of their own. What it
 * shows is its key, so that no change can be missed, whoever makes it (`docs/decisions/scans-in-groups.md`).
 */

/** In the place of values that a page has once; nobody can guess them, so that they are nowhere else in it. */
const hole = () => randomBytes(16).toString("hex");
const holes = { nonce: hole(), scan: hole(), checked: hole() };
const betweenHoles = new RegExp(`(${Object.values(holes).join("|")})`);

type Filling = Record<keyof typeof holes, string>;

/** Text and the names of holes in turn. */
type Kept = { parts: string[]; headers: Headers };

const kept = new LRUCache<string, Kept>({
  maxSize: mebibytesInBytes(32),
  // Characters of a text with others than Latin ones take two bytes.
  sizeCalculation: ({ parts }, key) => 2 * (key.length + parts.reduce((sum, part) => sum + part.length, 1000)),
});

const answerContext = createContext<Answer | null>(null);

/** What the page shows now: what it was asked for already, if it was. */
export const answerFor: typeof answerOf = async (asked) => asked.context.get(answerContext) ?? answerOf(asked);

/** Answers from the kept page where there is one for the same answer. The only place where a page is not rendered. */
export const keepPage: MiddlewareFunction<Response> = async ({ request, context, params, url }, next) => {
  if (request.method !== "GET" || new URL(request.url).pathname.endsWith(".data")) return next();
  const answer = await answerOf({ request, context, params, url });
  context.set(answerContext, answer);
  if (answer.outcome.kind !== "found") return next();
  const { nonce, scan, checked } = answer;
  const shown = { ...answer, ...holes, scan: scan && holes.scan };
  const key = JSON.stringify([shown, await themeOf(request)]);
  let page = kept.get(key);
  if (!page) {
    context.set(answerContext, shown);
    const response = await next();
    page = { parts: (await response.text()).split(betweenHoles), headers: response.headers };
    if (response.status !== 200 || response.headers.has("set-cookie"))
      return fill(page, { nonce, scan, checked }, response);
    kept.set(key, page);
  }
  return fill(page, { nonce, scan, checked });
};

const names = new Map(Object.entries(holes).map(([name, value]) => [value, name as keyof Filling]));

/** A page for one visitor. None of these values has characters that HTML would need escaped. */
function fill({ parts, headers }: Kept, filling: Filling, { status } = { status: 200 }) {
  const text = parts.map((part) => (names.has(part) ? filling[names.get(part)!] : part)).join("");
  return new Response(text, { status, headers });
}
