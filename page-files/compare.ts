import { readFile } from "node:fs/promises";
import type { PDFiumDocument } from "@hyzyla/pdfium";
import sharp from "sharp";
import { comparisonLimits } from "./kinds.ts";
import { alikeDistance, matchPages, type PagePair } from "./match-pages.ts";
import { withPdf } from "./pdf.ts";
import { type SignatureState, signatureState } from "./file-signature.ts";
import { pagesOf } from "./pdf-pages.ts";
import { PdfReader } from "./pdf-reader.ts";
import { bytesByPdfium } from "./pdfium-copy.ts";
import { isShownAlike } from "./shown-codes.ts";
import { type More, moreIn } from "./undrawn.ts";
import { usesOfPages } from "./uncontained-fonts.ts";
import { hasUndecodedPictures, type PageUses, type Uncompared, uncomparedReason } from "./uncompared.ts";
import { type Drawing, drawRaster, unmoved } from "./raster.ts";
import { fitOf } from "./raster-fit.ts";
import {
  type Box,
  boxOf,
  differencesOf,
  isBlank,
  lesserOf,
  type Outline,
  outlineDistance,
  outlineOf,
} from "./raster-match.ts";

/** Comparing a file with a document's sealed PDF, page by page, by how they look. */

/** What became of a page, each counted from 1: `page` in the document, `filePage` in the file. */
export type PageChange =
  | { change: "changed" | "moved"; page: number; filePage: number }
  | { change: "removed"; page: number }
  | { change: "added"; filePage: number };

/** A changed page, in the document and in the file: WebP as Base64, with a frame around what differs. */
export type PagePictures = { page: number; filePage: number; document: string; file: string };

export type Comparison = {
  /** Of the document and of the file. */
  pages: number;
  filePages: number;
  changes: PageChange[];
  /** Whether any page of the file looks like one of the document's. */
  isAlike: boolean;
  /** What the file has more that other programs may show and that isn't drawn here (`undrawn.ts`). */
  more: More[];
  signature: SignatureState;
  /** Pages that look the same here, or were not drawn, of which it isn't known what other programs show. */
  uncompared: ({ page: number; filePage: number } & Uncompared)[];
  pictures: PagePictures[];
};

/** Local paths of both; `pictures` is how many changed pages are drawn at most. */
export type ComparisonJob = { path: string; sealed: string; pictures: number };

/** Compares two PDFs that can be opened. */
export const comparePdfs = ({ path, sealed, pictures }: ComparisonJob): Promise<Comparison> =>
  withPdf(path, (file) =>
    withPdf(sealed, async (document) => {
      const signature = signatureState(file, await readFile(path), document);
      return { ...(await compareOpened(document, file, pictures)), signature };
    }),
  );

type Compared = Omit<Comparison, "signature">;

async function compareOpened(document: PDFiumDocument, file: PDFiumDocument, most: number): Promise<Compared> {
  // Before a page is drawn, with which PDFium adds appearances.
  const [source, fileSource] = [document, file].map((pdf) => new PdfReader(bytesByPdfium(pdf))) as [
    PdfReader,
    PdfReader,
  ];
  const more = moreIn(fileSource, source);
  const [pages, filePages] = [document.getPageCount(), file.getPageCount()];
  const compared = Math.min(pages, comparisonLimits.pages);
  const comparedOfFile = Math.min(filePages, compared + comparisonLimits.addedPages);
  const [ofDocument, ofFile] = [new DrawnPages(document), new DrawnPages(file)];
  const isSame = (page: number, filePage: number) =>
    align(ofDocument, ofFile, [page, filePage]).difference === undefined;
  const distance = (page: number, filePage: number) =>
    outlineDistance(ofDocument.outline(page), ofFile.outline(filePage));
  const matches = matchPages({ pages: compared, filePages: comparedOfFile, isSame, distance });
  const { same, moved, changed, removed, added } = matches;
  const isAlike =
    same.some(([page]) => !isBlank(ofDocument.outline(page))) ||
    changed.some((pair) => distance(...pair) < alikeDistance);
  const changes: PageChange[] = [
    ...changed.map(([page, filePage]) => ({ change: "changed" as const, page: page + 1, filePage: filePage + 1 })),
    ...moved.map(([page, filePage]) => ({ change: "moved" as const, page: page + 1, filePage: filePage + 1 })),
    ...removed.map((page) => ({ change: "removed" as const, page: page + 1 })),
    ...added.map((page) => ({ change: "added" as const, filePage: page + 1 })),
  ];
  const uses = [readableUses(source, compared), readableUses(fileSource, comparedOfFile)] as const;
  const uncompared = [...uncomparedOf(ofFile, uses, same), ...beyond(pages, compared)];
  const pictures = [];
  for (const pair of isAlike ? changed.slice(0, most) : [])
    pictures.push(await picturesOf(align(ofDocument, ofFile, pair), pair));
  return { pages, filePages, changes, isAlike, more, uncompared, pictures };
}

/** What pages draw with; undefined for one that programs may read differently. */
function readableUses(source: PdfReader, count: number) {
  const pages = pagesOf(source, count);
  return usesOfPages(source, count).map((use, n) => (isShownAlike(pages[n]!, n, source) ? use : undefined));
}

/** Of pages that look the same (from 0), those of which that says nothing. */
function uncomparedOf(ofFile: DrawnPages, [document, file]: readonly [PageUses, PageUses], same: PagePair[]) {
  const reasonOf = ([page, filePage]: PagePair): Uncompared | undefined => {
    const reason = uncomparedReason(document, file, [page, filePage]);
    if (reason) return reason;
    if (!ofFile.isSharp(filePage)) return { reason: "small", names: [] };
    const isDecoded = !hasUndecodedPictures(ofFile.pdf, filePage, document[page]!);
    return isDecoded ? undefined : { reason: "pictures", names: [] };
  };
  return same
    .toSorted(([one], [other]) => one - other)
    .flatMap(([page, filePage]) => {
      const reason = reasonOf([page, filePage]);
      return reason ? { page: page + 1, filePage: filePage + 1, ...reason } : [];
    });
}

const beyond = (pages: number, compared: number): Comparison["uncompared"] =>
  compared < pages ? [{ page: compared + 1, filePage: compared + 1, reason: "beyond", names: [] }] : [];

/** The pages of a PDF (from 0), of which the outlines are kept. */
class DrawnPages {
  readonly pdf: PDFiumDocument;
  private readonly outlines = new Map<number, Outline>();
  private readonly unsharp = new Set<number>();

  constructor(pdf: PDFiumDocument) {
    this.pdf = pdf;
  }

  draw(page: number, how: Parameters<typeof drawRaster>[2] = {}): Drawing {
    const drawing = drawRaster(this.pdf, page, how);
    if (!this.outlines.has(page)) this.outlines.set(page, outlineOf(drawing));
    if (!drawing.isSharp) this.unsharp.add(page);
    return drawing;
  }

  /** Whether a page was drawn large enough for small print. */
  isSharp = (page: number) => !this.unsharp.has(page);

  outline(page: number): Outline {
    if (!this.outlines.has(page)) this.draw(page);
    return this.outlines.get(page)!;
  }
}

type Aligned = { one: Drawing; other: Drawing; difference: Box | undefined };

/** Parts of a pixel by which a page that differs is moved as well: glyphs, lines and pictures are drawn at whole pixels. */
const nudges = {
  /** What a fit leaves. */
  fitted: [
    [0, 0.4],
    [0, -0.4],
    [0.4, 0],
    [-0.4, 0],
  ],
  /** What rounded numbers do to a page that lies where it should. */
  unmoved: [
    [0.05, 0.05],
    [-0.05, -0.05],
  ],
} as const;

/** Draws a page of each so that they lie on each other, and finds where they differ. */
function align(document: DrawnPages, file: DrawnPages, [page, filePage]: PagePair): Aligned {
  const one = document.draw(page);
  const other = file.draw(filePage, { like: one });
  const isSameSize = one.width === other.width && one.height === other.height;
  if (!isSameSize || outlineDistance(document.outline(page), file.outline(filePage)) > alikeDistance)
    return { one, other, difference: { left: 0, top: 0, width: one.width, height: one.height } };
  let rest = differencesOf(one, other);
  if (!boxOf(rest)) return { one, other, difference: undefined };
  const fit = fitOf(one, other);
  const fitted = fit ? file.draw(filePage, { like: one, fit }) : other;
  if (fit) rest = differencesOf(one, fitted);
  const { scale, x: left, y: top } = fit ?? unmoved;
  for (const [x, y] of fit ? nudges.fitted : nudges.unmoved) {
    if (!boxOf(rest)) break;
    const nudged = file.draw(filePage, { like: one, fit: { scale, x: left + x, y: top + y } });
    rest = lesserOf(rest, differencesOf(one, nudged));
  }
  return { one, other: fitted, difference: boxOf(rest) };
}

async function picturesOf({ one, other, difference }: Aligned, [page, filePage]: PagePair): Promise<PagePictures> {
  const [document, file] = [await framed(one, difference), await framed(other, difference)];
  return { page: page + 1, filePage: filePage + 1, document, file };
}

const pictureWidth = 620;
const frame = { width: 6, distance: 12 };

async function framed({ data, width, height }: Drawing, box: Box | undefined): Promise<string> {
  const { left, top, ...size } = box ?? { left: 0, top: 0, width, height };
  const [x, y] = [left - frame.distance, top - frame.distance];
  const [across, down] = [size.width + 2 * frame.distance, size.height + 2 * frame.distance];
  const svg = `<svg xmlns="http://www.w3.org/2000/svg" width="${width}" height="${height}">
    <rect x="${x}" y="${y}" width="${across}" height="${down}" fill="none" stroke="#b3261e" stroke-width="${frame.width}"/></svg>`;
  const drawn = sharp(data, { raw: { width, height, channels: 4 } }).composite([{ input: Buffer.from(svg) }]);
  // Scaled afterwards: in one pipeline it would be scaled first.
  const whole = await drawn.removeAlpha().raw().toBuffer();
  const picture = sharp(whole, { raw: { width, height, channels: 3 } }).resize(pictureWidth, pictureWidth * 2, {
    fit: "inside",
  });
  return (await picture.webp({ quality: 60 }).toBuffer()).toString("base64");
}
