import { hash } from "node:crypto";
import type { PDFiumDocument } from "@hyzyla/pdfium";
import type { PDFRawStream } from "@cantoo/pdf-lib";
import type { PageUse } from "../fonts/page-use.ts";
import { namesOfUncontained } from "../fonts/uncontained-fonts.ts";

/** Pages whose drawing here says nothing of what other programs show. */

/**
 * `fonts` that a file names and does not contain, `pictures` that could not be decoded or that programs decode differently,
 * `settings` of colours or for presses that each shows in its way, a page that is too `complex` to tell, one that was drawn too `small`, and the first of those
 * `beyond` the number of pages that are compared.
 */
type UncomparedReason = "fonts" | "pictures" | "settings" | "complex" | "small" | "beyond";
/** The names of fonts, if these are the reason. */
export type Uncompared = { reason: UncomparedReason; names: string[] };

/** The facts of a file that decide which of its pages can be compared with those of a sealed PDF. */
export type PageUses = (PageUse | undefined)[];

/** Why a page of the file can't be compared with one of the document (from 0) by how it is drawn; undefined if it can. */
export function uncomparedReason(
  document: PageUses,
  file: PageUses,
  [page, filePage]: readonly [number, number],
): Uncompared | undefined {
  const [one, other] = [document[page], file[filePage]];
  if (!one || !other) return { reason: "complex", names: [] };
  const names = [...new Set([...namesOfUncontained(other), ...namesOfUncontained(one)])];
  // Programs draw equal content alike.
  if (one.digest === other.digest) return undefined;
  const [odd] = [...other.odd, ...one.odd];
  return names.length > 0 ? { reason: "fonts", names } : odd && { reason: odd, names: [] };
}

const contentOf = (picture: PDFRawStream) => hash("sha256", picture.contents);

/** The parts of PDFium's API (`fpdf_edit.h`) that its wrapper has no types for. */
type Module = {
  HEAPU8: Uint8Array;
  wasmExports: { malloc(bytes: number): number; free(pointer: number): void };
  _FPDF_LoadPage(document: number, page: number): number;
  _FPDF_ClosePage(page: number): void;
  _FPDFPage_CountObjects(page: number): number;
  _FPDFPage_GetObject(page: number, index: number): number;
  _FPDFPageObj_GetType(object: number): number;
  _FPDFFormObj_CountObjects(form: number): number;
  _FPDFFormObj_GetObject(form: number, index: number): number;
  _FPDFImageObj_GetImageDataRaw(image: number, buffer: number, length: number): number;
  _FPDFImageObj_GetImagePixelSize(image: number, width: number, height: number): number;
  _FPDFImageObj_GetBitmap(image: number): number;
  _FPDFBitmap_Destroy(bitmap: number): void;
};

const kinds = { image: 3, form: 5 };
const maxObjects = 300_000;
/** Pictures of one page that are decoded once more, and the pixels of each. */
const maxPictures = 500;
const maxPixels = 20_000_000;

/** Whether a page (from 0) has pictures that PDFium can't decode, or too many or too large ones to check, beside `known` ones. */
export function hasUndecodedPictures(document: PDFiumDocument, index: number, use: PageUse): boolean {
  const module = document["module"] as unknown as Module;
  const page = module._FPDF_LoadPage(document["documentIdx"], index);
  if (page === 0) return true;
  const knownContents = new Set(use.pictures.map(contentOf));
  const place = module.wasmExports.malloc(8);
  try {
    let [objects, pictures] = [0, 0];
    const open = range(module._FPDFPage_CountObjects(page), (n) => module._FPDFPage_GetObject(page, n));
    for (let object = open.pop(); object !== undefined; object = open.pop()) {
      if ((objects += 1) > maxObjects) return true;
      const kind = module._FPDFPageObj_GetType(object);
      if (kind === kinds.form) {
        const form = object;
        const parts = range(module._FPDFFormObj_CountObjects(form), (n) => module._FPDFFormObj_GetObject(form, n));
        for (const part of parts) open.push(part);
      }
      if (kind !== kinds.image || knownContents.has(contentOfImage(module, object))) continue;
      if ((pictures += 1) > maxPictures || !isDecoded(module, object, place)) return true;
    }
    return false;
  } finally {
    module.wasmExports.free(place);
    module._FPDF_ClosePage(page);
  }
}

const range = (count: number, at: (n: number) => number) =>
  Array.from({ length: Math.min(Math.max(count, 0), maxObjects) }, (_, n) => at(n));

function contentOfImage(module: Module, image: number): string {
  const length = module._FPDFImageObj_GetImageDataRaw(image, 0, 0);
  if (length === 0) return "";
  const { malloc, free } = module.wasmExports;
  const buffer = malloc(length);
  if (buffer === 0) return "";
  module._FPDFImageObj_GetImageDataRaw(image, buffer, length);
  const digest = hash("sha256", module.HEAPU8.subarray(buffer, buffer + length));
  free(buffer);
  return digest;
}

function isDecoded(module: Module, image: number, place: number): boolean {
  if (!module._FPDFImageObj_GetImagePixelSize(image, place, place + 4)) return false;
  const [width = 0, height = 0] = new Uint32Array(module.HEAPU8.buffer, place, 2);
  if (width * height > maxPixels) return false;
  const bitmap = module._FPDFImageObj_GetBitmap(image);
  if (bitmap !== 0) module._FPDFBitmap_Destroy(bitmap);
  return bitmap !== 0;
}
