import type { PDFiumDocument } from "@hyzyla/pdfium";

/** Pages drawn for a comparison, whose pixels must lie on those of another drawing. */

/** Red, green, blue and alpha of each pixel, row by row. */
export type Raster = { width: number; height: number; data: Uint8Array };

/** Where a drawing lies: a point p of the original is at `scale` · p + `x` or `y` of it, in pixels. */
export type Fit = { scale: number; x: number; y: number };

export const unmoved: Fit = { scale: 1, x: 0, y: 0 };

/** Glyphs are drawn at whole pixels, so that a digit of 6 points needs many. */
const dotsPerInch = 300;
/** Enough for small print. */
const sharpDotsPerInch = 200;
/** An A4 sheet, or A3 with 215 dots per inch. Larger ones are drawn smaller. */
const maxPixels = 9_000_000;

/** `FPDF_ANNOT`, `FPDF_LCD_TEXT`, `FPDF_REVERSE_BYTE_ORDER`. */
const flags = 0x01 | 0x02 | 0x10;
const opaqueWhite = 0xffffffff;

/** The parts of PDFium's API (`fpdfview.h`, `fpdf_formfill.h`) that its wrapper has no types for. */
type Module = {
  HEAPU8: Uint8Array;
  wasmExports: { malloc(bytes: number): number; free(pointer: number): void };
  _FPDF_LoadPage(document: number, page: number): number;
  _FPDF_ClosePage(page: number): void;
  _FPDF_GetPageWidthF(page: number): number;
  _FPDF_GetPageHeightF(page: number): number;
  _FORM_OnAfterLoadPage(page: number, form: number): void;
  _FORM_OnBeforeClosePage(page: number, form: number): void;
  _FPDFBitmap_CreateEx(width: number, height: number, format: number, pixels: number, stride: number): number;
  _FPDFBitmap_FillRect(bitmap: number, x: number, y: number, width: number, height: number, colour: number): void;
  _FPDFBitmap_Destroy(bitmap: number): void;
  _FPDF_RenderPageBitmapWithMatrix(bitmap: number, page: number, matrix: number, clip: number, flags: number): void;
  _FPDF_FFLDraw(form: number, bitmap: number, page: number, ...sizeRotationFlags: number[]): void;
};

export type Drawing = Raster & {
  /** Whether it is large enough for small print. */
  isSharp: boolean;
};

export type Way = {
  /** Moves a drawing to its place in the original. */
  fit?: Fit;
  /** A drawing whose size this one gets if it is almost the same. */
  like?: Raster;
  /** The drawn part, with a few pixels around it; the rest is undefined. */
  within?: Box | undefined;
};

/** A rectangle in pixels. */
export type Box = { left: number; top: number; width: number; height: number };

/** The edges of a rectangle, and `margin` pixels around it, in a drawing; without one, of all of it. */
export function edgesOf(box: Box | undefined, { width, height }: Pick<Raster, "width" | "height">, margin = 0) {
  const { left, top, ...size } = box ?? { left: 0, top: 0, width, height };
  return {
    left: Math.max(0, left - margin),
    top: Math.max(0, top - margin),
    right: Math.min(width, left + size.width + margin),
    bottom: Math.min(height, top + size.height + margin),
  };
}

/** Draws a page (from 0) on white for `use`, after which it is gone: it lies in PDFium's memory. Throws if it can't be loaded. */
export function withRaster<T>(document: PDFiumDocument, index: number, way: Way, use: (drawing: Drawing) => T): T {
  const module = document["module"] as unknown as Module;
  const page = module._FPDF_LoadPage(document["documentIdx"], index);
  if (page === 0) throw new Error(`Page ${index + 1} can't be loaded`);
  const form = document.initializeFormFields();
  module._FORM_OnAfterLoadPage(page, form);
  try {
    const points = { width: module._FPDF_GetPageWidthF(page), height: module._FPDF_GetPageHeightF(page) };
    if (!(points.width >= 1 && points.height >= 1)) throw new Error(`Page ${index + 1} has no size`);
    return drawLoaded(module, { page, form, points }, way, use);
  } finally {
    module._FORM_OnBeforeClosePage(page, form);
    module._FPDF_ClosePage(page);
  }
}

type Loaded = { page: number; form: number; points: { width: number; height: number } };

/** Pixels around a part that are drawn too, as comparisons look beside each. */
const seenAround = 2;
/** Parts of a side by which programs round the size of a page. */
const rounding = 0.004;

function drawLoaded<T>(
  module: Module,
  { page, form, points }: Loaded,
  { fit = unmoved, like, within }: Way,
  use: (drawing: Drawing) => T,
): T {
  const { malloc, free } = module.wasmExports;
  const wanted = dotsPerInch / 72;
  const pixelsPerPoint = Math.min(wanted, Math.sqrt(maxPixels / (points.width * points.height)));
  const side = (length: number, other = 0) => {
    const pixels = Math.max(1, Math.round(length * pixelsPerPoint));
    return Math.abs(pixels - other) <= Math.max(2, rounding * other) ? other : pixels;
  };
  const [width, height] = [side(points.width, like?.width), side(points.height, like?.height)];
  const bytes = width * height * 4;
  const pixels = malloc(bytes);
  const numbers = malloc(40);
  if (pixels === 0 || numbers === 0) throw new Error("No memory for a page");
  const bitmap = module._FPDFBitmap_CreateEx(width, height, 4, pixels, width * 4);
  try {
    const { left, top, right, bottom } = edgesOf(within, { width, height }, seenAround);
    module._FPDFBitmap_FillRect(bitmap, left, top, right - left, bottom - top, opaqueWhite);
    // PDFium first draws to whole points.
    const [across, down] = [width / Math.trunc(points.width), height / Math.trunc(points.height)];
    const { scale, x, y } = fit;
    const matrix = [across / scale, 0, 0, down / scale, -x / scale, -y / scale];
    new Float32Array(module.HEAPU8.buffer, numbers, 10).set([...matrix, left, top, right, bottom]);
    module._FPDF_RenderPageBitmapWithMatrix(bitmap, page, numbers, numbers + 24, flags);
    // Form fields are drawn to whole pixels.
    const moved = [Math.round(-x / scale), Math.round(-y / scale)];
    const size = [Math.round(width / scale), Math.round(height / scale)];
    module._FPDF_FFLDraw(form, bitmap, page, ...moved, ...size, 0, flags & ~0x01);
    const data = module.HEAPU8.subarray(pixels, pixels + bytes);
    return use({ width, height, data, isSharp: pixelsPerPoint * 72 >= sharpDotsPerInch });
  } finally {
    module._FPDFBitmap_Destroy(bitmap);
    free(pixels);
    free(numbers);
  }
}
