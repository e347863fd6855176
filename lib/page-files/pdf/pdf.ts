import { readFile } from "node:fs/promises";
import { type PDFiumDocument, PDFiumLibrary } from "@hyzyla/pdfium";
import sharp from "sharp";
import { mebibytesInBytes } from "../../units.ts";
import { tooMuchMemory } from "../file-types.ts";

/** Reads and draws PDF files, within the process for page work alone. */

let library: Promise<PDFiumLibrary> | undefined;

/** Less than its process may take, so that a page beyond it is refused without ending the process. */
const maxBytes = mebibytesInBytes(160);
/** Beyond it, the next file gets a new instance: fragmented memory may not fit an A3 sheet at 300 dpi, 70 MB. */
const maxReusedBytes = mebibytesInBytes(80);
const bytesOfPage = 65_536;
let isRefusedMemory = false;
let grownBytes = 0;
const { grow } = WebAssembly.Memory.prototype;
WebAssembly.Memory.prototype.grow = function (pages) {
  const wanted = this.buffer.byteLength + pages * bytesOfPage;
  isRefusedMemory = wanted > maxBytes;
  // PDFium then fails with an error of its own.
  if (isRefusedMemory) throw new RangeError(tooMuchMemory);
  grownBytes = wanted;
  return grow.call(this, pages);
};

/** PDFium's build leaves accessors at `globalThis`, which would hold the memory of its first instance for ever. */
async function openLibrary() {
  const names = new Set(Object.getOwnPropertyNames(globalThis));
  const opened = await PDFiumLibrary.init();
  for (const name of Object.getOwnPropertyNames(globalThis)) {
    if (!names.has(name)) Reflect.deleteProperty(globalThis, name);
  }
  return opened;
}

/** Opens the PDF at `path` for `use` and closes it. Throws if it is damaged or needs a password. */
export async function withPdf<T>(path: string, use: (document: PDFiumDocument) => Promise<T>): Promise<T> {
  if (grownBytes > maxReusedBytes) {
    library = undefined;
    // V8 does not know how much would be free then.
    globalThis.gc?.();
  }
  if (!library) grownBytes = 0;
  library ??= openLibrary();
  isRefusedMemory = false;
  try {
    const document = await (await library).loadDocument(await readFile(path));
    const result = await use(document);
    document.destroy();
    return result;
  } catch (error) {
    // The instance may be left in any state.
    library = undefined;
    throw isRefusedMemory ? new Error(tooMuchMemory, { cause: error }) : error;
  }
}

/** Bits of a PDF's permissions (ISO 32000-2, table 22). */
const permissions = { printing: 4, changes: 8, copying: 16 };

/** Actions that an owner password forbids in a PDF that opens without one. */
export function forbiddenByPassword(document: PDFiumDocument): string[] {
  const module = document["module"] as unknown as Module;
  const allowed = module._FPDF_GetDocPermissions(document["documentIdx"]);
  return Object.entries(permissions).flatMap(([act, bit]) => (allowed & bit ? [] : [act]));
}

/** The parts of PDFium's API (`fpdfview.h`) that its wrapper has no types for. */
type Module = {
  HEAPU8: Uint8Array;
  wasmExports: { malloc(bytes: number): number; free(pointer: number): void };
  _FPDF_GetDocPermissions(document: number): number;
  _FPDF_GetPageSizeByIndexF(document: number, page: number, size: number): number;
};

/** The first page (from 0) that can't be loaded or is thinner than a point; -1 if there is none. */
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

/** Draws a page (from 0) on white, at a resolution or to a width in pixels. Returned sizes are in points. */
export async function drawPdfPage(
  document: PDFiumDocument,
  page: number,
  wanted: { dotsPerInch: number } | { pixels: number },
) {
  const sheet = document.getPage(page);
  const { originalWidth: width, originalHeight: height } = sheet.getOriginalSize();
  if (!(width >= 1 && height >= 1)) throw new Error(`Page ${page + 1} has no size`);
  const requestedScale = "pixels" in wanted ? wanted.pixels / width : wanted.dotsPerInch / 72;
  // A page may declare a length of 100 m; its image is limited to that of an A3 sheet at 300 dpi.
  const scale = Math.min(requestedScale, Math.sqrt(17_400_000 / (width * height)));
  const size = { width: Math.max(1, Math.round(width * scale)), height: Math.max(1, Math.round(height * scale)) };
  const { data } = await sheet.render({ ...size, scale: 1, render: "bitmap", renderFormFields: true });
  return { picture: sharp(data, { raw: { ...size, channels: 4 } }), width, height };
}
