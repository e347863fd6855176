import { closeSync, openSync, writeSync } from "node:fs";
import type { PDFiumDocument } from "@hyzyla/pdfium";
import { withPdf } from "./pdf.ts";

/** Normalizes PDFs with PDFium. */

/** The parts of PDFium's API (`fpdf_save.h`, `fpdf_formfill.h`) that its wrapper has no types for. */
type Module = {
  HEAPU8: Uint8Array;
  wasmExports: {
    malloc(bytes: number): number;
    free(pointer: number): void;
    __indirect_function_table: WebAssembly.Table;
  };
  _FPDF_SaveAsCopy(document: number, writer: number, flags: number): number;
  _FPDF_LoadPage(document: number, page: number): number;
  _FPDF_ClosePage(page: number): void;
  _FORM_OnAfterLoadPage(page: number, form: number): void;
  _FORM_OnBeforeClosePage(page: number, form: number): void;
};

/** `FPDF_REMOVE_SECURITY`: neither encrypted nor incremental. */
const plain = 3;

/**
 * Rewrites a PDF as PDFium parses it, with one version of each object, and returns the number of pages. So the sealed
 * pages are those of the previews, and no other parser meets hostile syntax.
 */
export const copyByPdfium = (from: string, to: string): Promise<number> =>
  withPdf(from, async (document) => {
    const module = document["module"] as unknown as Module;
    generateAppearances(document, module);
    const file = openSync(to, "w");
    try {
      save(module, document["documentIdx"], (bytes) => writeSync(file, bytes));
    } finally {
      closeSync(file);
    }
    return document.getPageCount();
  });

/** An opened PDF, rewritten in the same way, as it is before its pages are drawn. */
export function bytesByPdfium(document: PDFiumDocument): Buffer {
  const blocks: Uint8Array[] = [];
  save(document["module"] as unknown as Module, document["documentIdx"], (bytes) => blocks.push(bytes.slice()));
  return Buffer.concat(blocks);
}

/** Generates missing or outdated appearances of form fields and notes, as PDFium does before it draws a page. */
function generateAppearances(document: PDFiumDocument, module: Module) {
  const form = document.initializeFormFields();
  for (let n = 0; n < document.getPageCount(); n++) {
    const page = module._FPDF_LoadPage(document["documentIdx"], n);
    if (page === 0) continue;
    module._FORM_OnAfterLoadPage(page, form);
    module._FORM_OnBeforeClosePage(page, form);
    module._FPDF_ClosePage(page);
  }
}

function save(module: Module, document: number, write: (bytes: Uint8Array) => unknown) {
  const { malloc, free, __indirect_function_table: functions } = module.wasmExports;
  const writer = malloc(8);
  // This build's function table can't grow, but the entry of the null pointer is free.
  const place = 0;
  const block = callback((_writer, at, length) => {
    write(module.HEAPU8.subarray(at, at + length));
    return 1;
  });
  try {
    // FPDF_FILEWRITE: version and callback.
    new DataView(module.HEAPU8.buffer).setUint32(writer, 1, true);
    new DataView(module.HEAPU8.buffer).setUint32(writer + 4, place, true);
    functions.set(place, block);
    if (module._FPDF_SaveAsCopy(document, writer, plain) === 0) throw new Error("PDFium can't write this PDF");
  } finally {
    functions.set(place, null);
    free(writer);
  }
}

/** A WebAssembly module that re-exports an imported function `(i32, i32, i32) => i32`: tables take no JavaScript functions. */
const passOn = Buffer.from("0061736d0100000001080160037f7f7f017f02070101650166000007050101660000", "hex");

function callback(f: (a: number, b: number, c: number) => number) {
  return new WebAssembly.Instance(new WebAssembly.Module(passOn), { e: { f } }).exports.f;
}
