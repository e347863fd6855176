import { closeSync, openSync, writeSync } from "node:fs";
import type { PDFiumDocument } from "@hyzyla/pdfium";
import { withPdf } from "./pdf.ts";

/** Writes PDFs anew as PDFium reads them. */

/** The parts of PDFium's API (`fpdf_save.h`, `fpdf_formfill.h`) that its wrapper has no types for. */
type Module = {
  HEAPU8: Uint8Array;
  wasmExports: {
    malloc(bytes: number): number;
    free(pointer: number): void;
    __indirect_function_table: WebAssembly.Table;
  };
  _FPDF_SaveAsCopy(document: number, writer: number, flags: number): number;
  _FPDF_GetFormType(document: number): number;
  _FPDF_LoadPage(document: number, page: number): number;
  _FPDF_ClosePage(page: number): void;
  _FORM_OnAfterLoadPage(page: number, form: number): void;
  _FORM_OnBeforeClosePage(page: number, form: number): void;
};

/** `FPDF_REMOVE_SECURITY`: one version of every object, none of them encrypted. */
const plain = 3;

/**
 * Writes the PDF at `from` to `to` as PDFium, which also draws it for people, reads it: with one version of each object,
 * a plain list of where they are, and the looks of form fields as their values say. So what is copied from it later is
 * what was seen, whatever another reader might have made of the file. Returns how many pages people see.
 */
export const copyByPdfium = (from: string, to: string): Promise<number> =>
  withPdf(from, async (document) => {
    const module = document["module"] as unknown as Module;
    drawFields(document, module);
    const file = openSync(to, "w");
    try {
      save(module, document["documentIdx"], (bytes) => writeSync(file, bytes));
    } finally {
      closeSync(file);
    }
    return document.getPageCount();
  });

/** Has PDFium draw the fields of a form whose looks are missing or out of date, as it does before it shows a page. */
function drawFields(document: PDFiumDocument, module: Module) {
  if (module._FPDF_GetFormType(document["documentIdx"]) === 0) return;
  const form = document.initializeFormFields();
  for (let n = 0; n < document.getPageCount(); n++) {
    const page = module._FPDF_LoadPage(document["documentIdx"], n);
    if (page === 0) continue;
    module._FORM_OnAfterLoadPage(page, form);
    module._FORM_OnBeforeClosePage(page, form);
    module._FPDF_ClosePage(page);
  }
}

function save(module: Module, document: number, write: (bytes: Uint8Array) => void) {
  const { malloc, free, __indirect_function_table: functions } = module.wasmExports;
  const writer = malloc(8);
  // The table can't grow, but the place of the null pointer is free: PDFium calls what is there.
  const place = 0;
  const block = callback((_writer, at, length) => {
    write(module.HEAPU8.subarray(at, at + length));
    return 1;
  });
  try {
    // FPDF_FILEWRITE: its version, and the function that is called with the bytes.
    new DataView(module.HEAPU8.buffer).setUint32(writer, 1, true);
    new DataView(module.HEAPU8.buffer).setUint32(writer + 4, place, true);
    functions.set(place, block);
    if (module._FPDF_SaveAsCopy(document, writer, plain) === 0) throw new Error("PDFium can't write this PDF anew");
  } finally {
    functions.set(place, null);
    free(writer);
  }
}

/** A WebAssembly module that passes on a function of three 32-bit numbers, as tables of functions take no others. */
const passOn = Buffer.from("0061736d0100000001080160037f7f7f017f02070101650166000007050101660000", "hex");

function callback(f: (a: number, b: number, c: number) => number) {
  return new WebAssembly.Instance(new WebAssembly.Module(passOn), { e: { f } }).exports.f;
}
