import type { PDFiumDocument } from "@hyzyla/pdfium";
import { alikeDistance, type PagePair } from "./match-pages.ts";
import { type Box, type Drawing, type Fit, unmoved, type Way, withRaster } from "./raster.ts";
import { fitOf } from "./raster-fit.ts";
import {
  boxOf,
  type Differences,
  differencesOf,
  lesserOf,
  type Outline,
  outlineDistance,
  outlineOf,
} from "./raster-match.ts";

/** Drawing pages of two PDFs so that they lie on each other. One page is held at a time beside the one in PDFium's memory. */

/** The pages of a PDF (from 0), whose outlines are cached. `instead` gives another PDF to draw a page from. */
export class DrawnPages {
  readonly pdf: PDFiumDocument;
  private readonly instead: (page: number) => PDFiumDocument | undefined;
  readonly outlines = new Map<number, Outline>();
  private readonly unsharp = new Set<number>();
  private readonly drawn: { bytes: Buffer };

  constructor(pdf: PDFiumDocument, drawn: { bytes: Buffer }, instead: DrawnPages["instead"] = () => undefined) {
    this.pdf = pdf;
    this.drawn = drawn;
    this.instead = instead;
  }

  /** Draws a page for `use`, after which it is gone. */
  draw<T>(page: number, way: Way, use: (drawing: Drawing) => T): T {
    return withRaster(this.instead(page) ?? this.pdf, page, way, (drawing) => {
      if (!this.outlines.has(page)) this.outlines.set(page, outlineOf(drawing));
      if (!drawing.isSharp) this.unsharp.add(page);
      return use(drawing);
    });
  }

  /** Draws a page into the buffer of the page before, of either PDF. */
  keep = (page: number, way: Way = {}): Drawing =>
    this.draw(page, way, (drawing) => {
      const { length } = drawing.data;
      if (this.drawn.bytes.length < length) this.drawn.bytes = Buffer.alloc(length);
      this.drawn.bytes.set(drawing.data);
      return { ...drawing, data: this.drawn.bytes.subarray(0, length) };
    });

  /** Whether a page was drawn large enough for small print. */
  isSharp = (page: number) => !this.unsharp.has(page);

  outline(page: number): Outline {
    if (!this.outlines.has(page)) this.draw(page, {}, () => {});
    return this.outlines.get(page)!;
  }
}

/** How a page of the file lies on one of the document, and where they differ; undefined if they look the same. */
export type Aligned = { fit?: Fit | undefined; difference: Box | undefined };

/** Parts of a pixel by which a page that differs is moved as well: glyphs, lines and pictures are drawn at whole pixels. */
const nudges = {
  /** The offsets that a fit leaves. */
  fitted: [
    [0, 0.4],
    [0, -0.4],
    [0.4, 0],
    [-0.4, 0],
  ],
  /** Offsets caused by rounding, on a page in its right place. */
  unmoved: [
    [0.05, 0.05],
    [-0.05, -0.05],
  ],
} as const;

/** Draws a page of each so that they lie on each other, and finds where they differ. */
export function align(document: DrawnPages, file: DrawnPages, [page, filePage]: PagePair): Aligned {
  const one = document.keep(page);
  const first = file.draw(filePage, { like: one }, (other): Aligned & { rest?: Differences } => {
    const { width, height } = one;
    const isSameSize = width === other.width && height === other.height;
    if (!isSameSize || outlineDistance(document.outline(page), file.outline(filePage)) > alikeDistance)
      return { difference: { left: 0, top: 0, width, height } };
    const rest = differencesOf(one, other);
    const difference = boxOf(rest);
    return { difference, rest, fit: difference && fitOf(one, other) };
  });
  if (!first.rest || !first.difference) return first;
  const { fit } = first;
  const differences = (way: Way) =>
    file.draw(filePage, { like: one, ...way }, (other) => differencesOf(one, other, way.within));
  let rest = fit ? differences({ fit }) : first.rest;
  const { scale, x: left, y: top } = fit ?? unmoved;
  for (const [x, y] of fit ? nudges.fitted : nudges.unmoved) {
    const within = boxOf(rest);
    if (!within) break;
    rest = lesserOf(rest, differences({ fit: { scale, x: left + x, y: top + y }, within }));
  }
  return { fit, difference: boxOf(rest) };
}
