import { type PDFDict, PDFName, type PDFObject } from "@cantoo/pdf-lib";
import { isContained } from "./font-program.ts";
import type { Rejection } from "../file-types.ts";
import { pagesOf } from "../pdf/pdf-pages.ts";
import type { PdfReader } from "../pdf/pdf-reader.ts";
import { shownCodes } from "../text/shown-codes.ts";
import { isStandardFont, substituteOf } from "./substitute-fonts.ts";
import { hasUnseenFields } from "../notes/unseen-fields.ts";
import { fontName } from "./content-names.ts";

/**
 * Whether all text of a file can be sealed as every viewer shows it: fonts that it only names are replaced by ours, and a
 * file with letters that ours lack is refused. Previews would lack them too.
 */

const name = (text: string) => PDFName.of(text);

/** `isCopied` if no page is sealed as a picture. */
export type CheckedPages = Rejection | { notes: string[]; isCopied: boolean };

/** Notes on replaced fonts and pages that are sealed as pictures; or why the file is refused, as predicates to its name. */
export function checkLetters(source: PdfReader, count: number): CheckedPages {
  const missing = new Map<string, number>();
  const replaced = new Set<string>();
  const pictured: number[] = [];
  const unseen: number[] = [];
  for (const [n, page] of pagesOf(source, count).entries()) {
    const codes = shownCodes(source, page);
    if (!codes) pictured.push(n + 1);
    else if (hasUnseenFields(source, page)) unseen.push(n + 1);
    for (const [font, bytes] of codes ?? []) {
      const result = checkFont(source, font, bytes);
      if (result === "missing") missing.set(nameOf(source, font), missing.get(nameOf(source, font)) ?? n + 1);
      if (result === "replaced" && !isStandardFont(nameOf(source, font))) replaced.add(nameOf(source, font));
    }
  }
  if (missing.size > 0) return { refused: refusal([...missing]) };
  return {
    isCopied: pictured.length === 0,
    notes: [
      ...(replaced.size > 0 ? [replacedNote([...replaced])] : []),
      ...(pictured.length > 0 ? [picturedNote(pictured)] : []),
      ...(unseen.length > 0 ? [`has form fields that do not show all of their text (${onPages(unseen)})`] : []),
    ],
  };
}

function checkFont(source: PdfReader, font: PDFDict | undefined, codes: Set<number>) {
  if (codes.size === 0) return "contained";
  if (!font) return "missing";
  const look = (value: Parameters<PdfReader["look"]>[0]) => source.look(value);
  const subtype = look(font.get(name("Subtype")));
  if (subtype === name("Type3") || (isKnown(subtype) && isContained(font, look))) return "contained";
  if (subtype === name("Type0")) return "missing";
  const { glyphs } = substituteOf(font, look);
  // Control characters are shown as nothing.
  return [...codes].every((code) => code < 32 || code === 127 || glyphs[code] !== undefined) ? "replaced" : "missing";
}

const isKnown = (subtype: PDFObject | undefined) =>
  ["Type0", "Type1", "MMType1", "TrueType"].some((type) => subtype === name(type));

const nameOf = (source: PdfReader, font: PDFDict | undefined) =>
  font ? fontName(source.look(font.get(name("BaseFont")))) : "?";

const advice = "save it with its fonts embedded, or print it to a PDF, and add that";

function refusal(missing: [font: string, page: number][]): string {
  const [[font, page]] = missing as [[string, number]];
  if (missing.length === 1)
    return `has letters in the font ${font} on page ${page}, which it does not contain: ${advice}`;
  return `has letters in fonts that it does not contain (${some(missing.map(([called, n]) => `${called} on page ${n}`))}): ${advice}`;
}

const replacedNote = (fonts: string[]) =>
  `does not contain the ${fonts.length === 1 ? "font" : "fonts"} ${some(fonts)}: its letters are sealed in a similar one`;

const picturedNote = (pages: number[]) =>
  `has ${pages.length === 1 ? "a page" : "pages"} that programs show differently (${onPages(pages)}): the sealed PDF will have a picture as in the preview`;

const onPages = (pages: number[]) => `page ${some(pages)}`;

/** At most so many notes on a file. */
const some = (things: unknown[]) => things.slice(0, 3).join(", ") + (things.length > 3 ? " …" : "");
