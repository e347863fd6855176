import { PDFArray, PDFDict, PDFName, PDFNumber, type PDFObject, PDFRawStream, PDFRef } from "@cantoo/pdf-lib";
import type { PDFiumDocument } from "@hyzyla/pdfium";
import { PdfReader } from "./pdf-reader.ts";
import type { Look } from "./pdf-rules.ts";
import { bytesByPdfium } from "./pdfium-copy.ts";

/**
 * What other programs, or a printer, may show of a PDF although it isn't drawn here: notes without an appearance, values of
 * form fields, layers that show on paper alone, scripts. A comparison of drawn pages can't see it.
 */

const name = (text: string) => PDFName.of(text);

/** Keys that change what is shown: layers, XFA forms, pictures for print alone, pages of other files, portfolios. */
const keys = "OCProperties Usage XFA NeedAppearances AA JS UserUnit Alternates OPI Ref Collection".split(" ").map(name);
/** Of actions (ISO 32000-2, 12.6.4), those that change what is shown. */
const actions = new Set("JavaScript Hide SetOCGState Rendition GoTo3DView RichMediaExecute".split(" ").map(name));
/** Bits of an annotation's flags: hidden, not on the screen, either by turns. */
const unseen = 2 | 32 | 256;

/** Whether a file has more of it, of any kind, than the document. Both are read as they are before a page is drawn. */
export function hasMoreUndrawn(file: PDFiumDocument, document: PDFiumDocument): boolean {
  const counts = countUndrawn(file);
  if (counts.size === 0) return false;
  const ofDocument = countUndrawn(document);
  return [...counts].some(([kind, count]) => count > (ofDocument.get(kind) ?? 0));
}

/** How many there are of each kind in all that the catalog leads to. */
function countUndrawn(pdf: PDFiumDocument): Map<string, number> {
  const source = new PdfReader(bytesByPdfium(pdf));
  const look = (value: PDFObject | undefined) => source.look(value);
  const counts = new Map<string, number>();
  const known = new Set<string>();
  const open: PDFObject[] = [source.catalog];
  for (let next = open.pop(); next; next = open.pop()) {
    if (next instanceof PDFRef) {
      if (known.has(next.tag)) continue;
      known.add(next.tag);
    }
    const object = look(next);
    if (object instanceof PDFArray) open.push(...object.asArray());
    const dict = object instanceof PDFRawStream ? object.dict : object;
    if (!(dict instanceof PDFDict)) continue;
    open.push(...dict.values());
    for (const kind of kindsOf(dict, look)) counts.set(kind, (counts.get(kind) ?? 0) + 1);
  }
  return counts;
}

function kindsOf(dict: PDFDict, look: Look): string[] {
  const action = look(dict.get(name("S")));
  const kinds = keys.filter((key) => dict.has(key)).map(String);
  if (action instanceof PDFName && actions.has(action)) kinds.push(`action ${action}`);
  return [...kinds, ...kindsOfAnnotation(dict, look)];
}

/** An annotation (12.5) is what has a subtype and a rectangle: its type may be left out. */
function kindsOfAnnotation(dict: PDFDict, look: Look): string[] {
  const subtype = look(dict.get(name("Subtype")));
  const fieldType = look(dict.get(name("FT")));
  const kinds = fieldType instanceof PDFName && fieldType !== name("Sig") ? ["field"] : [];
  if (!(subtype instanceof PDFName) || !dict.has(name("Rect")) || subtype === name("Popup")) return kinds;
  if (isEmpty(look(dict.get(name("Rect"))), look)) return kinds;
  const flags = look(dict.get(name("F")));
  if (flags instanceof PDFNumber && flags.asNumber() & unseen) kinds.push("unseen");
  const appearance = look(dict.get(name("AP")));
  const isDrawn = appearance instanceof PDFDict && look(appearance.get(name("N"))) !== undefined;
  // Links are not drawn, but their borders are.
  const isPlainLink = subtype === name("Link") && !dict.has(name("C"));
  return isDrawn || isPlainLink ? kinds : [...kinds, `undrawn ${subtype}`];
}

/** As the place of a signature that is not seen. */
function isEmpty(place: PDFObject | undefined, look: Look): boolean {
  if (!(place instanceof PDFArray)) return false;
  const [left, bottom, right, top] = place.asArray().map((value) => {
    const side = look(value);
    return side instanceof PDFNumber ? side.asNumber() : NaN;
  });
  return left === right || bottom === top;
}
