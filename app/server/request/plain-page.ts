import { staffLanguage } from "#messages/staff-language.ts";
import { type Words, wordsOf } from "#messages/words.ts";
import { languageAt } from "./language.ts";

/** Pages of what is refused before the router renders one. */

const isForStrangers = (url: string) => /^\/v(\/|\?|$)/.test(url);

/** Those of strangers speak the visitor's language: undefined for other pages. */
export const wordsForStranger = (url: string, accepted: string | null | undefined): Words | undefined =>
  isForStrangers(url) ? wordsOf(languageAt(url, accepted ?? undefined)) : undefined;

export const staffWords = wordsOf(staffLanguage);

/** `link` is markup. */
export const plainPage = ({ tag, direction }: Words, said: { title: string; text: string; link?: string }): string =>
  `<!doctype html><html lang="${tag}" dir="${direction}"><meta charset="utf-8">` +
  `<meta name="viewport" content="width=device-width"><title>${said.title}</title><h1>${said.title}</h1>` +
  `<p>${said.text}</p>${said.link ?? ""}</html>`;
