import { readFile } from "node:fs/promises";
import { type PDFiumDocument, PDFiumLibrary } from "@hyzyla/pdfium";
import sharp from "sharp";
import { megabytesInBytes } from "#units";
import { tooMuchMemory } from "./kinds.ts";

/** Reading and drawing PDF files. Runs in the process for page work alone. */

let library: Promise<PDFiumLibrary> | undefined;

/** How much PDFium may take: less than its process, so that a page which wants more is refused without ending that. */
const mostBytes = megabytesInBytes(160);
/**
 * How much it may have taken for the next file to get the same memory, in which freed parts lie scattered: an A3 sheet at 300
 * dpi, 70 MB, still fits beside them. To seal a PDF of 25 MB takes 72, and a document has eight such files: with new memory
 * for each they took 420 MB, and take 275.
 */
const mostReused = megabytesInBytes(80);
const bytesOfPage = 65_536;
let isRefusedMemory = false;
let taken = 0;
const { grow } = WebAssembly.Memory.prototype;
WebAssembly.Memory.prototype.grow = function (pages) {
  const wanted = this.buffer.byteLength + pages * bytesOfPage;
  isRefusedMemory = wanted > mostBytes;
  // PDFium only learns that there is no more, and ends with an error of its own.
  if (isRefusedMemory) throw new RangeError(tooMuchMemory);
  taken = wanted;
  return grow.call(this, pages);
};

/** Opens the PDF at `path` for `use` and closes it. Throws where it can't be read or wants a password. */
export async function withPdf<T>(path: string, use: (document: PDFiumDocument) => Promise<T>): Promise<T> {
  if (taken > mostReused) library = undefined;
  if (!library) taken = 0;
  library ??= PDFiumLibrary.init();
  isRefusedMemory = false;
  try {
    const document = await (await library).loadDocument(await readFile(path));
    const result = await use(document);
    document.destroy();
    return result;
  } catch (error) {
    // Whatever state it was left in, the next file gets a new one.
    library = undefined;
    throw isRefusedMemory ? new Error(tooMuchMemory, { cause: error }) : error;
  }
}

/** Whether the document is encrypted, be it with an empty password: then its pages can't be stamped. */
export function isEncrypted(document: PDFiumDocument) {
  return document["module"]._FPDF_GetSecurityHandlerRevision(document["documentIdx"]) !== -1;
}

/** The parts of PDFium's API (`fpdfview.h`) that its wrapper has no types for. */
type Module = {
  HEAPU8: Uint8Array;
  wasmExports: { malloc(bytes: number): number; free(pointer: number): void };
  _FPDF_GetPageSizeByIndexF(document: number, page: number, size: number): number;
};

/** The first page, counted from 0, that can't be drawn: it can't be loaded, or is thinner than a point. -1 if there is none. */
export function findPageWithoutSize(document: PDFiumDocument): number {
  const module = document["module"] as unknown as Module;
  const size = module.wasmExports.malloc(8);
  const hasSize = (page: number) => {
    if (!module._FPDF_GetPageSizeByIndexF(document["documentIdx"], page, size)) return false;
    return new Float32Array(module.HEAPU8.buffer, size, 2).every((side) => side >= 1);
  };
  try {
    return Array.from({ length: document.getPageCount() }).findIndex((_, page) => !hasSize(page));
  } finally {
    module.wasmExports.free(size);
  }
}

/** Draws a page (counted from 0) on white, in a resolution or to a width in pixels. Sizes returned are in points. */
export async function drawPdfPage(
  document: PDFiumDocument,
  page: number,
  wanted: { dotsPerInch: number } | { pixels: number },
) {
  const sheet = document.getPage(page);
  const { originalWidth: width, originalHeight: height } = sheet.getOriginalSize();
  if (!(width >= 1 && height >= 1)) throw new Error(`Page ${page + 1} has no size`);
  const asked = "pixels" in wanted ? wanted.pixels / width : wanted.dotsPerInch / 72;
  // A page may say that it is 100 m long; drawn, none has more dots than an A3 sheet at 300 dpi.
  const scale = Math.min(asked, Math.sqrt(17_400_000 / (width * height)));
  const size = { width: Math.max(1, Math.round(width * scale)), height: Math.max(1, Math.round(height * scale)) };
  const { data } = await sheet.render({ ...size, scale: 1, render: "bitmap", renderFormFields: true });
  return { picture: sharp(data, { raw: { ...size, channels: 4 } }), width, height };
}
