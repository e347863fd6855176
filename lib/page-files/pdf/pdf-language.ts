import { type PDFDocument, PDFHexString, PDFName, PDFString } from "@cantoo/pdf-lib";
import type { PdfReader } from "./pdf-reader.ts";

const key = PDFName.of("Lang");
/** Of a tag as written. Texts of megabytes are more than `decodeText` can take. */
const maxBytes = 200;
/** A language tag (BCP 47). */
const tag = /^[a-z]{2,8}(-[a-z0-9]{1,8}){0,4}$/i;

/** Gives a document the language in which screen readers read a file's pages, unless pages before are in another. */
export function keepLanguage({ catalog }: PdfReader, target: PDFDocument): void {
  const value = catalog.get(key);
  const text =
    (value instanceof PDFString || value instanceof PDFHexString) && value.sizeInBytes() <= maxBytes
      ? value.decodeText()
      : "";
  const language = tag.test(text) ? text : "";
  const before = target.catalog.lookupMaybe(key, PDFString)?.decodeText() ?? "";
  if (target.getPageCount() === 0 && language) target.catalog.set(key, PDFString.of(language));
  else if (before !== language) target.catalog.delete(key);
}
