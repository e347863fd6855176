import { staffLanguage } from "#messages/staff-language.ts";
import { type Words, wordsOf } from "#messages/words.ts";
import { languageAt } from "./language.ts";
import { pathOf } from "./target.ts";

/** Pages for requests that are refused before the router renders one. */

const isForStrangers = (url: string) => /^\/v(\/|$)/.test(pathOf(url));

/** The visitor's language on pages for strangers; undefined elsewhere. */
export const wordsForStranger = (url: string, accepted: string | null | undefined): Words | undefined =>
  isForStrangers(url) ? wordsOf(languageAt(url, accepted)) : undefined;

export const staffWords = wordsOf(staffLanguage);

/** Escapes nothing: texts are the catalogue's, `link` is markup. */
export const plainPage = ({ tag, direction }: Words, said: { title: string; text: string; link?: string }): string =>
  `<!doctype html><html lang="${tag}" dir="${direction}"><meta charset="utf-8">` +
  `<meta name="viewport" content="width=device-width"><title>${said.title}</title><h1>${said.title}</h1>` +
  `<p>${said.text}</p>${said.link ?? ""}</html>`;
