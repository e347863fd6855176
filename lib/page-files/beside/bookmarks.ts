import { PDFDict, type PDFDocument, PDFHexString, PDFName, type PDFObject, type PDFRef } from "@cantoo/pdf-lib";
import { cleanName } from "../notes/notes.ts";
import type { PdfCopier } from "../pdf/pdf-copier.ts";
import { PdfEntries } from "../pdf/pdf-entries.ts";
import type { Destinations } from "../pdf/pdf-destinations.ts";
import type { PdfReader } from "../pdf/pdf-reader.ts";

/** Bookmarks (ISO 32000-2, 12.3.3): read as plain data within bounds, and written anew. */
export type Bookmark = { title: string; place?: PDFObject | undefined; isOpen: boolean; below: Bookmark[] };

const name = (text: string) => PDFName.of(text);
export const maxBookmarks = 10_000;
const maxDepth = 32;
const maxTitle = 400;

class Outline extends PdfEntries {
  private readonly visited = new Set<PDFObject>();
  private readonly placeOf: (item: PDFDict) => PDFObject | undefined;

  constructor(source: PdfReader, placeOf: (item: PDFDict) => PDFObject | undefined) {
    super(source);
    this.placeOf = placeOf;
  }

  levelBelow(parent: PDFObject | undefined, depth = 0): Bookmark[] {
    const items: Bookmark[] = [];
    let item = this.at(parent, "First");
    while (item instanceof PDFDict && !this.visited.has(item) && this.visited.size < maxBookmarks) {
      this.visited.add(item);
      const below = depth < maxDepth ? this.levelBelow(item, depth + 1) : [];
      const title = cleanName(this.words(item, "Title"), maxTitle);
      if (title === "") items.push(...below);
      else items.push({ title, place: this.placeOf(item), isOpen: this.number(item, "Count") > 0, below });
      item = this.at(item, "Next");
    }
    return items;
  }
}

/** The bookmarks of a file whose pages were copied. */
export function bookmarksOf(source: PdfReader, copier: PdfCopier, destinations: Destinations): Bookmark[] {
  const outline = new Outline(source, (item) => destinations.copyOf(item, copier));
  return outline.levelBelow(source.look(source.catalog.get(name("Outlines"))));
}

/** Gives a document bookmarks. */
export function addBookmarks({ catalog, context }: PDFDocument, bookmarks: Bookmark[]): void {
  if (bookmarks.length === 0) return;
  const root = context.nextRef();
  const write = (parent: PDFRef, all: Bookmark[]): Record<string, PDFObject> => {
    const refs = all.map(() => context.nextRef());
    for (const [n, { title, place, isOpen, below }] of all.entries()) {
      const item = context.obj({ Title: PDFHexString.fromText(title), Parent: parent, ...write(refs[n]!, below) });
      const count = visibleCount(below) * (isOpen ? 1 : -1);
      const more = { Prev: refs[n - 1], Next: refs[n + 1], Dest: place, Count: count ? context.obj(count) : undefined };
      for (const [key, value] of Object.entries(more)) if (value) item.set(name(key), value);
      context.assign(refs[n]!, item);
    }
    return refs.length > 0 ? { First: refs[0]!, Last: refs.at(-1)! } : {};
  };
  const outlines = context.obj({ Type: "Outlines", ...write(root, bookmarks), Count: visibleCount(bookmarks) });
  context.assign(root, outlines);
  catalog.set(name("Outlines"), root);
}

/** Those of a list and of its open bookmarks, at any depth. */
const visibleCount = (all: Bookmark[]): number =>
  all.reduce((count, { isOpen, below }) => count + 1 + (isOpen ? visibleCount(below) : 0), 0);
