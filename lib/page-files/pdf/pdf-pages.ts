import { PDFArray, PDFDict, PDFName, type PDFObject } from "@cantoo/pdf-lib";
import type { PdfReader } from "./pdf-reader.ts";

/** A page with what it inherits from the nodes above it (ISO 32000-2, 7.7.3.4). */
export type SourcePage = { node: PDFDict; inherited: Map<PDFName, PDFObject> };

const name = (text: string) => PDFName.of(text);
const inheritable = ["Resources", "MediaBox", "CropBox", "Rotate"].map(name);

/** The pages in order, at most one more than `max`. Visits each node once, so that cycles end. */
export function pagesOf(source: PdfReader, max: number): SourcePage[] {
  const pages: SourcePage[] = [];
  const visited = new Set<PDFObject>();
  const open: { value: PDFObject | undefined; inherited: SourcePage["inherited"] }[] = [];
  open.push({ value: source.catalog.get(name("Pages")), inherited: new Map() });
  for (let next = open.pop(); next && pages.length <= max; next = open.pop()) {
    const node = source.look(next.value);
    if (!(node instanceof PDFDict) || visited.has(node)) continue;
    const inherited = new Map(next.inherited);
    for (const key of inheritable) if (node.has(key)) inherited.set(key, node.get(key)!);
    const kids = source.look(node.get(name("Kids")));
    if (kids instanceof PDFArray) {
      visited.add(node);
      // Many nodes with the same long list would be as many lists.
      if (visited.has(kids)) continue;
      visited.add(kids);
      // The stack returns them in reverse.
      for (const value of kids.asArray().toReversed()) open.push({ value, inherited });
    } else {
      pages.push({ node, inherited });
    }
  }
  return pages;
}
