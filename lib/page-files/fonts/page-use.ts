import type { PDFDict, PDFRawStream } from "@cantoo/pdf-lib";
import type { Oddity } from "../notes/oddities.ts";

/** A font that a page uses. `dict` is undefined for one that is named there and that the file doesn't have at all. */
export type UsedFont = { dict: PDFDict | undefined; name: string; isContained: boolean };

/** Fonts and settings that a page draws with. */
export type PageUse = {
  fonts: UsedFont[];
  pictures: PDFRawStream[];
  /** Of what programs show differently. */
  odd: Set<Oddity>;
  /** Of everything that affects text in fonts that are not embedded; of the whole page if anything is odd. */
  digest: string;
};
