import {
  PDFArray,
  type PDFContext,
  PDFDict,
  type PDFDocument,
  PDFName,
  PDFNumber,
  type PDFObject,
  PDFPage,
  PDFPageLeaf,
  PDFRawStream,
} from "@cantoo/pdf-lib";
import { annotationCopier } from "./pdf-annotations.ts";
import { PdfCopier } from "./pdf-copier.ts";
import { Destinations } from "./pdf-destinations.ts";
import { keepLanguage } from "./pdf-language.ts";
import { pagesOf, type SourcePage } from "./pdf-pages.ts";
import { type Resolve, PdfReader } from "./pdf-reader.ts";
import * as rules from "./pdf-rules.ts";

/** Copies PDF pages by the allow-list in `pdf-rules.ts`. */

const name = (text: string) => PDFName.of(text);

type Keeps = (annotation: PDFObject, page: number) => boolean;
type Picks = (page: SourcePage, n: number, source: PdfReader) => boolean;
/** A file whose pages are copied, with a copier for the rest that has a budget of its own. `isWhole` if all pages are. */
export type CopiedFile = {
  source: PdfReader;
  copier: PdfCopier;
  destinations: Destinations;
  pages: number;
  isWhole: boolean;
};

type Beside = (file: CopiedFile) => Promise<void>;

/**
 * Copies the `count` pages of a file that `copyByPdfium` wrote into `target`; the caller adds them to its page tree. Throws
 * if the file has another number of pages, or `PdfTooLarge` over budget, and leaves `target` as it was. Of the annotations
 * those that `keeps` says, which gets the page's number from 0. Pages that `picks` refuses are undefined. `beside` copies
 * more, and throws nothing that the file causes.
 */
export async function copyPages(
  file: Buffer,
  count: number,
  target: PDFDocument,
  { keeps = () => true, picks = () => true, beside }: { keeps?: Keeps; picks?: Picks; beside?: Beside } = {},
): Promise<(PDFPage | undefined)[]> {
  const source = new PdfReader(file);
  const copier = new PdfCopier(source, target, file.length);
  const sourcePages = pagesOf(source, count);
  if (sourcePages.length !== count) throw new Error("A PDF has pages that are not shown");
  const destinations = new Destinations(
    source,
    sourcePages.map(({ node }) => node),
  );
  const copyAnnotation = annotationCopier(copier, target.context, destinations);
  const picked = sourcePages.map((page, n) => picks(page, n, source));
  // Links may lead to later pages.
  for (const [n, { node }] of sourcePages.entries()) if (picked[n]) copier.copies.set(node, target.context.nextRef());
  const pages = sourcePages.map(({ node, inherited }, n) => {
    if (!picked[n]) return undefined;
    const page = copyPage({ node, inherited }, target, copier);
    const annotations = source.look(node.get(name("Annots")));
    if (annotations instanceof PDFArray) {
      const allowed = annotations.asArray().filter((value) => keeps(value, n));
      const copies = allowed.flatMap((value) => copyAnnotation(value) ?? []);
      page.set(name("Annots"), target.context.obj(copies));
    }
    return PDFPage.of(page, copier.placeAt(copier.copies.get(node)!, page), target);
  });
  copier.finish();
  const isWhole = !pages.includes(undefined);
  const rest = new PdfCopier(source, target, file.length, { copies: copier.copies });
  await beside?.({ source, copier: rest, destinations, pages: count, isWhole });
  keepLanguage(source, target);
  return pages;
}

function copyPage({ node, inherited }: SourcePage, { context }: PDFDocument, copier: PdfCopier): PDFPageLeaf {
  const { look } = copier;
  const page = copier.into(PDFPageLeaf.fromMapWithContext(new Map(), context), node, rules.page);
  const resources = look(inherited.get(name("Resources")));
  const resourcesCopy = resources && copier.share(resources, rules.resources);
  page.set(name("Resources"), resourcesCopy ?? context.obj({}));
  const media = boxOf(inherited.get(name("MediaBox")), look) ?? letter;
  const crop = intersection(boxOf(inherited.get(name("CropBox")), look) ?? media, media) ?? media;
  // Some programs show, or read out, the whole sheet of a page that was cropped.
  for (const box of ["MediaBox", "CropBox"]) page.set(name(box), context.obj(crop));
  const quarters = Math.trunc(numberOf(inherited.get(name("Rotate")), look) / 90) || 0;
  page.set(name("Rotate"), context.obj((((quarters % 4) + 4) % 4) * 90));
  const unit = numberOf(node.get(name("UserUnit")), look);
  if (unit > 0 && unit !== 1) page.set(name("UserUnit"), context.obj(unit));
  page.set(name("Contents"), context.obj([copier.place(whitePaper(crop, context)), ...contentsOf(node, copier)]));
  return page;
}

/** The content streams, in an array of the page's own, because the stamp is added to it. */
function contentsOf(node: PDFDict, copier: PdfCopier): PDFObject[] {
  const object = copier.look(node.get(name("Contents")));
  const streams = object instanceof PDFArray ? object.asArray().map((value) => copier.look(value)) : [object];
  return streams.flatMap((stream) => {
    copier.spend();
    return (stream instanceof PDFRawStream && copier.share(stream, rules.contents)) || [];
  });
}

/** White under all else: some viewers mix colours with the paper, as previews do, and some with nothing. */
const whitePaper = ([left, bottom, right, top]: Box, context: PDFContext) =>
  PDFRawStream.of(
    context.obj({}),
    Buffer.from(`/Artifact BMC q 1 g ${left} ${bottom} ${right - left} ${top - bottom} re f Q EMC\n`),
  );

type Box = [left: number, bottom: number, right: number, top: number];
/** Viewers' default for a page without a MediaBox. */
const letter: Box = [0, 0, 612, 792];

const numberOf = (value: PDFObject | undefined, look: Resolve): number => {
  const object = look(value);
  return object instanceof PDFNumber ? object.asNumber() : 0;
};

/** A normalized rectangle; undefined if it is not one or has no area. */
function boxOf(value: PDFObject | undefined, look: Resolve): Box | undefined {
  const array = look(value);
  if (!(array instanceof PDFArray)) return undefined;
  const [a, b, c, d] = [0, 1, 2, 3].map((n) => numberOf(array.get(n), look)) as Box;
  const box: Box = [Math.min(a, c), Math.min(b, d), Math.max(a, c), Math.max(b, d)];
  return box[0] < box[2] && box[1] < box[3] ? box : undefined;
}

/** The visible part of the paper (14.11.2.1). */
function intersection(a: Box, b: Box): Box | undefined {
  const box: Box = [Math.max(a[0], b[0]), Math.max(a[1], b[1]), Math.min(a[2], b[2]), Math.min(a[3], b[3])];
  return box[0] < box[2] && box[1] < box[3] ? box : undefined;
}
