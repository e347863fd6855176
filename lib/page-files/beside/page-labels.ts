import { PDFArray, PDFDict, type PDFDocument, PDFHexString, PDFName, PDFNumber } from "@cantoo/pdf-lib";
import { PdfEntries } from "../pdf/pdf-entries.ts";

/** Numbers that pages have of their own (ISO 32000-2, 12.4.2), from a page (from 0) on. */
export type PageLabel = { page: number; style: string; prefix: string; first: number };

const name = (text: string) => PDFName.of(text);
const styles = new Set(["D", "R", "r", "A", "a"]);

export class PageLabels extends PdfEntries {
  /** The labels of a file with so many pages, in order. */
  read(pages: number): PageLabel[] {
    const labels = new Map<number, PageLabel>();
    for (const node of this.below([this.at(this.source.catalog, "PageLabels")], "Kids")) {
      const pairs = this.at(node, "Nums");
      if (!(pairs instanceof PDFArray)) continue;
      for (let n = 0; n + 1 < pairs.size() && labels.size < pages; n += 2) {
        const [page, label] = [this.source.look(pairs.get(n)), this.source.look(pairs.get(n + 1))];
        const isOfPage = page instanceof PDFNumber && page.asNumber() >= 0 && page.asNumber() < pages;
        if (isOfPage && label instanceof PDFDict) labels.set(page.asNumber(), this.labelOf(page.asNumber(), label));
      }
    }
    return [...labels.values()].toSorted((a, b) => a.page - b.page);
  }

  private labelOf(page: number, label: PDFDict): PageLabel {
    const numbering = this.at(label, "S");
    const style = numbering instanceof PDFName ? numbering.decodeText() : "";
    const first = Math.max(1, Math.round(this.number(label, "St")));
    return { page, style: styles.has(style) ? style : "", prefix: this.words(label, "P").slice(0, 100), first };
  }
}

/** Gives a document's pages numbers of their own. */
export function addPageLabels({ catalog, context }: PDFDocument, labels: PageLabel[]): void {
  if (labels.length === 0) return;
  const nums = labels.flatMap(({ page, style, prefix, first }) => {
    const label = context.obj({ ...(style && { S: style }), ...(first > 1 && { St: first }) });
    if (prefix) label.set(name("P"), PDFHexString.fromText(prefix));
    return [context.obj(page), label];
  });
  catalog.set(name("PageLabels"), context.obj({ Nums: nums }));
}
