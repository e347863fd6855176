import type { PageUse } from "./page-use.ts";
import { PageWalker } from "./page-walker.ts";
import { pagesOf } from "../pdf/pdf-pages.ts";
import type { PdfReader } from "../pdf/pdf-reader.ts";

/**
 * The fonts that pages use and the file does not contain, for which each viewer draws another one. What a content names is
 * looked for in its bytes and not by its operators, so that no program takes a font that this doesn't see.
 */

/** Fonts and settings of each page (from 0); undefined for a page that is too complex. */
export function usesOfPages(source: PdfReader, maxPages: number): (PageUse | undefined)[] {
  const walk = new PageWalker(source);
  return pagesOf(source, maxPages)
    .slice(0, maxPages)
    .map((page) => walk.useOf(page));
}

export const namesOfUncontained = ({ fonts }: PageUse): string[] =>
  [...new Set(fonts.filter(({ isContained }) => !isContained).map(({ name }) => name))].slice(0, maxNames);

/** At most so many notes on a page. */
const maxNames = 10;
