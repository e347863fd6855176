import { readFile } from "node:fs/promises";
import { createRequire } from "node:module";
import type { Sharp } from "sharp";
import { prepareZXingModule, readBarcodes, type ReaderOptions } from "zxing-wasm/reader";
import type { FileType } from "../file-types.ts";
import { drawPdfPage, withPdf } from "../pdf/pdf.ts";
import { openPicture } from "../process/pictures.ts";
import type { Wanted } from "./labels.ts";
import { cellsOf } from "./page-cells.ts";
import { readFields, type Reading } from "./read-fields.ts";

/** Reads a page file's fields, within the process for page work alone: texts of its first pages, and the code on its first one. */

const maxPages = 5;
const maxCells = 5000;
const maxCodeSide = 2000;
const wasm = createRequire(import.meta.url).resolve("zxing-wasm/reader/zxing_reader.wasm");
let isReady = false;

export async function readPages(path: string, type: FileType, wanted: Wanted): Promise<Reading[]> {
  if (type !== "application/pdf") return readCode(openPicture(path).autoOrient());
  return withPdf(path, async (document) => {
    const pages = Math.min(document.getPageCount(), maxPages);
    const cells = Array.from({ length: pages }, (_, page) => cellsOf(document, page)).flat();
    const readings = readFields(cells.slice(0, maxCells), wanted);
    if (readings.some(({ field }) => field === "number")) return readings;
    const { picture } = await drawPdfPage(document, 0, { dotsPerInch: 150 });
    return [...readings, ...(await readCode(picture))];
  });
}

/** The number in the only code of a picture. Addresses are none. */
async function readCode(picture: Sharp): Promise<Reading[]> {
  const texts = await codesIn(picture, ["Code128", "Code39", "QRCode", "DataMatrix"]);
  const [text = ""] = texts;
  const isNumber = texts.length === 1 && /^(?=.*\d)[\p{L}\d][\p{L}\d./_-]{3,49}$/u.test(text);
  return isNumber ? [{ field: "number", values: [text], page: 1, label: "" }] : [];
}

/** The different texts of a picture's codes. */
export async function codesIn(picture: Sharp, formats: ReaderOptions["formats"]): Promise<string[]> {
  const scaled = picture.resize(maxCodeSide, maxCodeSide, { fit: "inside", withoutEnlargement: true });
  const { data, info } = await scaled
    .flatten({ background: "white" })
    .ensureAlpha()
    .raw()
    .toBuffer({ resolveWithObject: true });
  // Otherwise it would be fetched from the internet.
  if (!isReady) prepareZXingModule({ overrides: { wasmBinary: new Uint8Array(await readFile(wasm)).buffer } });
  isReady = true;
  const image = { data: new Uint8ClampedArray(data), width: info.width, height: info.height, colorSpace: "srgb" };
  const codes = await readBarcodes(image as ImageData, { formats });
  return [...new Set(codes.map(({ text }) => text))];
}
