import { PDFArray, PDFDict, PDFHexString, PDFName, PDFNumber, type PDFObject, PDFString } from "@cantoo/pdf-lib";
import type { SourcePage } from "../pdf/pdf-pages.ts";
import type { PdfReader } from "../pdf/pdf-reader.ts";
import { shownBytes } from "../text/shown-codes.ts";

/** Values of form fields that their appearance does not show, as those in letters that no font here has. */

const name = (text: string) => PDFName.of(text);
const hidden = 2 | 32;
const maxParents = 20;

/** Whether a page has such a field. The file is one that PDFium gave all appearances. */
export function hasUnseenFields(source: PdfReader, { node }: SourcePage): boolean {
  const annotations = source.look(node.get(name("Annots")));
  if (!(annotations instanceof PDFArray)) return false;
  return annotations.asArray().some((value) => {
    const widget = source.look(value);
    return widget instanceof PDFDict && isUnseen(source, widget);
  });
}

function isUnseen(source: PdfReader, widget: PDFDict): boolean {
  const flags = source.look(widget.get(name("F")));
  if (source.look(widget.get(name("Subtype"))) !== name("Widget")) return false;
  if (flags instanceof PDFNumber && flags.asNumber() & hidden) return false;
  const [type, value] = [inherited(source, widget, "FT"), inherited(source, widget, "V")];
  const text = value instanceof PDFString || value instanceof PDFHexString ? value.decodeText() : "";
  const letters = text.replace(/\s/g, "").length;
  if (letters === 0 || (type !== name("Tx") && type !== name("Ch"))) return false;
  const appearances = source.look(widget.get(name("AP")));
  const drawnLetters = appearances instanceof PDFDict ? shownBytes(source, appearances.get(name("N"))) : 0;
  // A choice may show another text than its value.
  return type === name("Ch") ? drawnLetters === 0 : drawnLetters < letters;
}

function inherited(source: PdfReader, field: PDFDict, key: string): PDFObject | undefined {
  let dict: PDFObject | undefined = field;
  for (let n = 0; n < maxParents && dict instanceof PDFDict; n++) {
    const value = source.look(dict.get(name(key)));
    if (value) return value;
    dict = source.look(dict.get(name("Parent")));
  }
  return undefined;
}
