import { execFileSync } from "node:child_process";
import { readFile } from "node:fs/promises";
import { inflateSync } from "node:zlib";
import { PDFArray, PDFDict, PDFDocument, PDFName, type PDFObject, PDFRawStream, PDFRef } from "@cantoo/pdf-lib";
import { expect } from "vitest";
import { drawPdfPage, withPdf } from "./pdf.ts";

/** Takes PDFs apart for tests: every object there is, whether a page leads to it or not. */

/** Dictionaries whose keys the file chooses: the names that content streams use, glyphs and inks. */
const named = [
  "Font",
  "XObject",
  "ExtGState",
  "ColorSpace",
  "Pattern",
  "Shading",
  "Properties",
  "CharProcs",
  "Colorants",
];

/** Every other key that a cleaned PDF may hold (ISO 32000-2), written down apart from the product's own table. */
export const knownKeys = `
  Size Root Type Subtype Length Filter DecodeParms Predictor Colors BitsPerComponent Columns EarlyChange K EndOfLine
  EncodedByteAlign Rows EndOfBlock BlackIs1 DamagedRowsBeforeError ColorTransform JBIG2Globals
  Pages Kids Count Parent Contents Resources MediaBox CropBox BleedBox TrimBox ArtBox Rotate UserUnit Group Annots
  Font XObject ExtGState ColorSpace Pattern Shading Properties ProcSet S CS I
  LW LC LJ ML D RI OP op OPM BG BG2 UCR UCR2 TR TR2 FL SM SA BM SMask CA ca AIS TK UseBlackPtComp G BC
  FormType BBox Matrix OC Width Height Intent ImageMask Mask Decode Interpolate SMaskInData Matte
  N Alternate Range WhitePoint BlackPoint Gamma Process Components Colorants
  PatternType PaintType TilingType XStep YStep ShadingType Background AntiAlias Function Domain Coords Extend
  BitsPerCoordinate BitsPerFlag VerticesPerRow FunctionType BitsPerSample Order Encode C0 C1 Functions Bounds
  Name BaseFont FirstChar LastChar Widths FontDescriptor Encoding ToUnicode DescendantFonts BaseEncoding Differences
  FontBBox FontMatrix CharProcs CIDSystemInfo Registry Ordering Supplement DW W DW2 W2 CIDToGIDMap CMapName WMode UseCMap
  FontName FontStretch FontWeight Flags ItalicAngle Ascent Descent Leading CapHeight XHeight StemV StemH AvgWidth MaxWidth
  MissingWidth FontFile FontFile2 FontFile3 Length1 Length2 Length3
  OCProperties OCGs OFF Locked Order AS Event Category Usage View ViewState Print PrintState Export ExportState Zoom min max P VE
  Rect F C Border BS BE AP QuadPoints A URI H IC RD L LE LL LLE LLO Cap CP CO IT CL DA Q Vertices InkList Sy FixedPrint V
`
  .trim()
  .split(/\s+/);

/** What may not be in a cleaned PDF under any name. */
const forbidden =
  /\/(JavaScript|JS|AA|OpenAction|EmbeddedFiles?|EF|Filespec|Launch|SubmitForm|ImportData|GoTo[RE]?|Named|Rendition|RichMedia|XFA|Metadata|AcroForm)\b/;

/** What a PDF consists of. `text` is the file as it is and all its streams unpacked. */
export type Parts = { keys: Set<string>; text: string; objects: number };

/** All keys and bytes of a PDF, from each object that its file holds. */
export async function takeApart(pdf: Uint8Array): Promise<Parts> {
  const document = await PDFDocument.load(pdf, { throwOnInvalidObject: true, updateMetadata: false });
  const objects = document.context.enumerateIndirectObjects();
  const parts = objects.map(([reference, object]) => ({ reference, ...partsOf(object) }));
  const withNames = new Set(parts.flatMap(({ referredToByNames }) => referredToByNames));
  const keys = parts.flatMap((part) =>
    withNames.has(part.reference) ? part.innerKeys : [...part.keys, ...part.innerKeys],
  );
  const texts = [Buffer.from(pdf).toString("latin1"), ...objects.map(([, object]) => unpackedText(object))];
  return { keys: new Set(keys), text: texts.join("\n"), objects: objects.length };
}

/** The keys of an object, those of what is inside of it, and the references to dictionaries whose keys the file chooses. */
function partsOf(object: PDFObject) {
  const keys: string[] = [];
  const innerKeys: string[] = [];
  const referredToByNames: PDFRef[] = [];
  const open = [{ part: object, under: "" }];
  for (let next = open.pop(); next; next = open.pop()) {
    const { part, under } = next;
    const inner = part instanceof PDFRawStream ? part.dict : part;
    if (inner instanceof PDFArray) for (const item of inner.asArray()) open.push({ part: item, under: "an array" });
    if (inner instanceof PDFRef && named.includes(under)) referredToByNames.push(inner);
    if (!(inner instanceof PDFDict)) continue;
    for (const [name, value] of inner.entries()) {
      const key = name.decodeText();
      if (!named.includes(under)) (under === "" ? keys : innerKeys).push(key);
      open.push({ part: value, under: key });
    }
  }
  return { keys, innerKeys, referredToByNames };
}

function unpackedText(object: PDFObject) {
  if (!(object instanceof PDFRawStream)) return "";
  const { dict, contents } = object;
  const isPacked = dict.lookup(PDFName.of("Filter")) === PDFName.of("FlateDecode");
  return Buffer.from(isPacked ? inflateSync(contents) : contents).toString("latin1");
}

/** Expects the PDF at `path` to hold nothing but what draws its pages, and none of the marks of hidden things. */
export async function expectClean(path: string): Promise<Parts> {
  const parts = await takeApart(await readFile(path));
  expect([...parts.keys].filter((key) => !knownKeys.includes(key))).toEqual([]);
  expect(parts.text).not.toMatch(forbidden);
  expect(parts.text).not.toContain("MARK");
  expectWellFormed(path);
  return parts;
}

/** Has qpdf check the file where it is installed. */
function expectWellFormed(path: string) {
  try {
    execFileSync("qpdf", ["--check", path], { stdio: "pipe" });
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== "ENOENT") throw error;
  }
}

/** What a viewer shows of a PDF: each page's picture, size in points, and text. */
export type Seen = { width: number; height: number; text: string; pixels: Buffer };

/** Draws the pages of the PDF at `path`. */
export const seen = (path: string, dotsPerInch = 60): Promise<Seen[]> =>
  withPdf(path, async (document) => {
    const pages: Seen[] = [];
    for (let n = 0; n < document.getPageCount(); n++) {
      const { picture, width, height } = await drawPdfPage(document, n, { dotsPerInch });
      pages.push({ width, height, text: document.getPage(n).getText(), pixels: await picture.raw().toBuffer() });
    }
    return pages;
  });
