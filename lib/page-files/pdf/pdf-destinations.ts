import { PDFArray, PDFDict, PDFHexString, PDFName, PDFNumber, type PDFObject, PDFString } from "@cantoo/pdf-lib";
import type { PdfCopier } from "./pdf-copier.ts";
import { PdfEntries } from "./pdf-entries.ts";
import type { PdfReader } from "./pdf-reader.ts";
import { copyReference, number, oneOf, tuple } from "./pdf-rules.ts";

const name = (text: string) => PDFName.of(text);
const maxNames = 100_000;
/** Page, way of fitting, and at most four numbers. */
const maxParts = 6;
const fitting = oneOf("XYZ Fit FitH FitV FitR FitB FitBH FitBV");
const destination = tuple(copyReference, fitting, number, number, number, number);

/** Places on copied pages to which links and bookmarks of a file lead (ISO 32000-2, 12.3.2). */
export class Destinations extends PdfEntries {
  private named: Map<string, PDFObject> | undefined;
  private readonly pages: PDFDict[];

  constructor(source: PdfReader, pages: PDFDict[]) {
    super(source);
    this.pages = pages;
  }

  /** The copy of the place to which an entry `Dest` or `A` leads; undefined if it is no copied page. */
  copyOf(holder: PDFDict, copier: PdfCopier): PDFObject | undefined {
    const action = this.at(holder, "A");
    const isJump = this.at(action, "S") === name("GoTo");
    const target = this.at(holder, "Dest") ?? (isJump ? this.at(action, "D") : undefined);
    const place = target instanceof PDFArray ? target : this.placeNamed(target);
    if (!place || place.size() > maxParts) return undefined;
    const first = this.source.look(place.get(0));
    // Some programs write the number of the page in its place, which viewers follow.
    const page = first instanceof PDFNumber ? this.pages[first.asNumber()] : first;
    if (!page || !copier.copies.has(page)) return undefined;
    place.set(0, page);
    return copier.copy(place, destination);
  }

  private placeNamed(target: PDFObject | undefined): PDFArray | undefined {
    this.named ??= this.readNames();
    const value = this.source.look(this.named.get(keyOf(target)));
    const place = value instanceof PDFDict ? this.at(value, "D") : value;
    return place instanceof PDFArray ? place : undefined;
  }

  private readNames() {
    const { catalog } = this.source;
    const all = new Map<string, PDFObject>();
    const old = this.at(catalog, "Dests");
    if (old instanceof PDFDict) for (const [key, value] of old.entries().slice(0, maxNames)) all.set(keyOf(key), value);
    for (const node of this.below([this.at(catalog, "Names", "Dests")], "Kids")) {
      const pairs = this.at(node, "Names");
      if (!(pairs instanceof PDFArray)) continue;
      for (let n = 0; n + 1 < pairs.size() && all.size < maxNames; n += 2)
        all.set(keyOf(this.source.look(pairs.get(n))), pairs.get(n + 1));
    }
    return all;
  }
}

const keyOf = (value: PDFObject | undefined) => {
  if (value instanceof PDFName) return `/${value.decodeText()}`;
  const isShort = (value?.sizeInBytes() ?? 0) <= 1000;
  return isShort && (value instanceof PDFString || value instanceof PDFHexString)
    ? Buffer.from(value.asBytes()).toString("latin1")
    : "";
};
