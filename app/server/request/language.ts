import { createContext, type MiddlewareFunction } from "react-router";
import { isLanguage, type Language, tagOf } from "#lib/messages/languages.ts";
import { config } from "#lib/config.ts";
import { companyHostOf } from "./company-host.ts";
import type { Context } from "./router-context.ts";

/** The parameter of an explicit choice. It stands in the address, so that a page depends on nothing that is stored. */
export const languageParameter = "lang";

/** A header beyond these is no browser's; the rest of it is not read. */
const limits = { characters: 1000, ranges: 30 };

export const languageOf = ({ headers, url }: Pick<Request, "headers" | "url">): Language | undefined =>
  chosenLanguage(url) ?? acceptedLanguage(headers.get("accept-language"));

export const languageAt = (path: string, accepted: string | null | undefined): Language =>
  chosenLanguage(path) ?? acceptedLanguage(accepted) ?? "en";

/** By a language's code, or a tag as `pt-BR`, which others' links may have. */
export function chosenLanguage(url: string): Language | undefined {
  const language = URL.parse(url, "http://localhost")?.searchParams.get(languageParameter);
  const [code] = language?.toLowerCase().split("-", 1) ?? [];
  return isLanguage(code) ? code : undefined;
}

/** Our best match for an `Accept-Language` header (RFC 9110, 12.5.4). `*` and languages that we lack match none. */
export function acceptedLanguage(header: string | null | undefined): Language | undefined {
  let [best, bestWeight]: [Language | undefined, number] = [undefined, 0];
  const ranges = (header ?? "").slice(0, limits.characters).split(",", limits.ranges);
  for (const range of ranges) {
    const [, primary, weight = "1"] =
      /^\s*([a-z]{2,8})(?:-[a-z0-9]{1,8})*\s*(?:;\s*q=([01](?:\.\d{0,3})?)\s*)?$/i.exec(range) ?? [];
    const code = primary?.toLowerCase();
    if (isLanguage(code) && Number(weight) > bestWeight) [best, bestWeight] = [code, Number(weight)];
  }
  return best;
}

const shownContext = createContext<Language>("en");

/** The language of a page: the visitor's, else English. Its response is labelled with it. */
export function spokenIn(context: Context, request: Pick<Request, "headers" | "url">) {
  const language = languageOf(request) ?? "en";
  context.set(shownContext, language);
  const own = companyHostOf(context);
  return {
    language,
    isChosen: chosenLanguage(request.url) !== undefined,
    site: own && { host: own.host, company: own.company, since: own.since, main: config().PUBLIC_URL },
  };
}

/** Labels every response with its language, and tells caches that the browser's languages decide it. */
export const labelLanguage: MiddlewareFunction<Response> = async ({ context }, next) => {
  const response = await next();
  response.headers.append("vary", "Accept-Language");
  response.headers.set("content-language", tagOf(context.get(shownContext)));
  return response;
};
