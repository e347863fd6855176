import { staffLanguage } from "#lib/messages/staff-language.ts";
import { type Words, wordsOf } from "#lib/messages/words.ts";
import { chosenLanguage, languageAt, languageParameter } from "./language.ts";
import { pathOf } from "./target.ts";

/** Pages for requests that are refused without React. */

/** Pages of verification and of holders. */
export const isForStrangers = (url: string) => /^\/(v|received)(\/|$)/.test(pathOf(url));

/** The visitor's language on pages for strangers; undefined elsewhere. */
export const wordsForStranger = (url: string, accepted: string | null | undefined): Words | undefined =>
  isForStrangers(url) ? wordsOf(languageAt(url, accepted)) : undefined;

export const staffWords = wordsOf(staffLanguage);

/** Escapes nothing: texts are the catalogue's, `link` is markup. */
export const plainPage = ({ tag, direction }: Words, said: { title: string; text: string; link?: string }): string =>
  `<!doctype html><html lang="${tag}" dir="${direction}"><meta charset="utf-8">` +
  `<meta name="viewport" content="width=device-width"><title>${said.title}</title><h1>${said.title}</h1>` +
  `<p>${said.text}</p>${said.link ?? ""}</html>`;

type Refusal = {
  status: number;
  title: string;
  text: string;
  /** Whether the link leads to the same address; else to where a code is typed. */
  mayWorkLater: boolean;
  /** Seconds. */
  retryAfter?: number | undefined;
};

/** A plain page as the answer to a visitor. Its link keeps the language that the address chose. */
export function refuseStranger(
  url: URL,
  words: Words,
  { mayWorkLater, status, retryAfter, ...said }: Refusal,
): Response {
  const language = chosenLanguage(url.href);
  const again = (url.pathname + url.search).replaceAll("&", "&amp;");
  const to = mayWorkLater ? again : `/v${language ? `?${languageParameter}=${language}` : ""}`;
  const next = words.t(mayWorkLater ? "frame.tryAgain" : "advice.typeCode");
  const link = `<p><a href="${to}">${next}</a></p>`;
  return new Response(plainPage(words, { ...said, link }), {
    status,
    headers: {
      "content-type": "text/html; charset=utf-8",
      "content-language": words.tag,
      vary: "Accept-Language",
      // As of the pages behind a code, whose addresses have it.
      "referrer-policy": "strict-origin",
      ...(retryAfter && { "retry-after": String(retryAfter) }),
    },
  });
}
