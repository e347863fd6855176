import { PDFArray, PDFDict, type PDFDocument, PDFName, type PDFObject } from "@cantoo/pdf-lib";
import type { PdfCopier } from "./pdf-copier.ts";
import type { PdfReader } from "./pdf-reader.ts";
import { layer } from "./pdf-rules.ts";

/**
 * Optional content (ISO 32000-2, 8.11): layers that previews hide stay hidden, on paper as well, and are locked and not
 * listed.
 */

const name = (text: string) => PDFName.of(text);

/** Copied layers, and the hidden ones among them. */
export type Layers = { all: PDFObject[]; hidden: PDFObject[] };

/** Copies the layers of a PDF. */
export function copyLayers(source: PdfReader, copier: PdfCopier): Layers {
  const { look } = copier;
  const entry = (of: PDFObject | undefined, key: string) =>
    of instanceof PDFDict ? look(of.get(name(key))) : undefined;
  const list = (of: PDFObject | undefined, key: string) => {
    const array = entry(of, key);
    return array instanceof PDFArray ? array.asArray() : [];
  };
  const groups = (of: PDFObject | undefined, key: string) => new Set(list(of, key).map(look).filter(isDictionary));
  const properties = entry(source.catalog, "OCProperties");
  const config = entry(properties, "D");
  const [all, on, off] = [groups(properties, "OCGs"), groups(config, "ON"), groups(config, "OFF")];
  const startsHidden = entry(config, "BaseState") === name("OFF");
  const isHidden = (group: PDFDict) => {
    const viewed = entry(entry(entry(group, "Usage"), "View"), "ViewState");
    // As PDFium decides, which draws the previews.
    if (viewed instanceof PDFName) return viewed === name("OFF");
    return off.has(group) || (startsHidden && !on.has(group));
  };
  const hidden = [...all].filter(isHidden);
  const copies = (of: Iterable<PDFObject>) => [...of].flatMap((group) => copier.share(group, layer) ?? []);
  return { all: copies(all), hidden: copies(hidden) };
}

const isDictionary = (object: PDFObject | undefined) => object instanceof PDFDict;

/** Adds a file's layers to those that the document has from other files. */
export function addLayers({ catalog, context }: PDFDocument, { all, hidden }: Layers): void {
  if (all.length === 0) return;
  if (!catalog.has(name("OCProperties"))) {
    const config = { Order: [], OFF: [], Locked: [] };
    catalog.set(name("OCProperties"), context.obj({ OCGs: [], D: config }));
  }
  const properties = catalog.lookup(name("OCProperties"), PDFDict);
  const config = properties.lookup(name("D"), PDFDict);
  const append = (to: PDFDict, key: string, items: PDFObject[]) => {
    const list = to.lookup(name(key), PDFArray);
    for (const item of items) list.push(item);
  };
  append(properties, "OCGs", all);
  append(config, "OFF", hidden);
  append(config, "Locked", all);
}
