import { open, readFile, rm } from "node:fs/promises";
import { PDFDocument, type PDFPage } from "@cantoo/pdf-lib";
import type { PDFiumDocument } from "@hyzyla/pdfium";
import sharp, { type Sharp } from "sharp";
import { KeptBeside } from "../beside/kept-beside.ts";
import { copyPages } from "../pdf/clean.ts";
import { a4, type FileType } from "../file-types.ts";
import { drawPdfPage, withPdf } from "../pdf/pdf.ts";
import { copyByPdfium } from "../pdf/pdfium-copy.ts";
import { PdfFile, type SealSpaces } from "../pdf/pdf-file.ts";
import type { SignatureForm } from "../pdf/pdf-signature.ts";
import { isShownAlike } from "../text/shown-codes.ts";
import { seenPage, type Stamp, stampPages } from "./stamp.ts";

/** A page file at a local path; the name is for its bookmark. */
export type SourceFile = { path: string; type: FileType; name?: string };

const pointsPerInch = 72;

/** A seal: the stamp on pages, the form of the signature, and a title for files without one. */
export type Seal = { stamp?: Stamp | undefined; signature?: SignatureForm | undefined; title?: string };

/**
 * Writes all pages to the PDF `to`: pictures on A4 sheets, PDF pages with their visible content and links, and with what
 * `beside/` keeps. The stamp goes on top. Returns the spaces that are left for the seal. `to.read` is used as a temporary file.
 */
export async function compose(
  files: SourceFile[],
  to: string,
  { stamp, signature, title = "" }: Seal = {},
): Promise<SealSpaces> {
  const target = await PDFDocument.create({ updateMetadata: false });
  const beside = new KeptBeside(target, files.length === 1);
  const written = await open(to, "w");
  try {
    const pdf = await PdfFile.begin(target, written);
    for (const file of files) {
      const first = target.getPageCount();
      if (file.type === "application/pdf") await addPdf(target, file.path, { scratch: `${to}.read`, beside });
      else await addPicture(target, file.path);
      beside.endFile(file.name ?? "", first);
      await pdf.writeStreams();
    }
    await beside.write(title);
    return await pdf.end({ stamp: stamp && stampPages(target, chosenPages(target, stamp), stamp), signature });
  } finally {
    await written.close();
  }
}

function chosenPages(target: PDFDocument, { placing }: Stamp) {
  const pages = target.getPages();
  if (placing.place === "own-page") return [appendPage(target, pages.at(-1)!)];
  return { first: pages.slice(0, 1), last: pages.slice(-1), every: pages }[placing.pages];
}

/** Adds an empty page that is as large as the last one is viewed. */
function appendPage(target: PDFDocument, last: PDFPage) {
  const { width, height, unit } = seenPage(last);
  const points = unit > 0 ? unit : 1;
  return target.addPage([width * points, height * points]);
}

async function addPicture(target: PDFDocument, path: string) {
  const { autoOrient } = await sharp(path).metadata();
  const landscape = autoOrient.width > autoOrient.height;
  const [width, height] = landscape ? [a4.long, a4.short] : [a4.short, a4.long];
  // Printers show no more than 300 dots per inch.
  const dots = (points: number) => Math.round((points / pointsPerInch) * 300);
  const picture = sharp(path)
    .autoOrient()
    .resize(dots(width), dots(height), { fit: "inside", withoutEnlargement: true });
  const image = await target.embedJpg(await encode(picture));
  const fitted = image.scaleToFit(width, height);
  const page = target.addPage([width, height]);
  page.drawImage(image, { ...fitted, x: (width - fitted.width) / 2, y: (height - fitted.height) / 2 });
}

/** No chroma subsampling, for sharp letters. Optimized coding takes 100 MB and a third of the time for 5 % of the bytes. */
const encode = (picture: Sharp) =>
  picture
    .flatten({ background: "white" })
    .jpeg({ quality: 90, chromaSubsampling: "4:4:4", optimizeCoding: false })
    .toBuffer();

/** Adds the pages of a PDF: as pictures if viewers may show them differently, and all of them if one can't be copied. */
async function addPdf(target: PDFDocument, path: string, how: Reading) {
  const copies = await readPages(target, path, how).catch(() => undefined);
  const add = (page: PDFPage) => target.addPage(page);
  if (copies?.every((page) => page !== undefined)) return void copies.forEach((page) => add(page));
  await withPdf(path, async (document) => {
    for (let n = 0; n < document.getPageCount(); n++) {
      const copy = copies?.[n];
      if (copy) add(copy);
      else await addDrawnPage(target, document, n);
    }
  });
}

type Reading = { scratch: string; beside: KeptBeside };

/** Copies the pages of a PDF into `target`. */
async function readPages(target: PDFDocument, path: string, { scratch, beside }: Reading) {
  try {
    const count = await copyByPdfium(path, scratch);
    return await copyPages(await readFile(scratch), count, target, {
      picks: isShownAlike,
      beside: (file) => beside.copy(file),
    });
  } finally {
    await rm(scratch, { force: true });
  }
}

async function addDrawnPage(target: PDFDocument, document: PDFiumDocument, n: number) {
  const { picture, width, height } = await drawPdfPage(document, n, { dotsPerInch: 200 });
  const image = await target.embedJpg(await encode(picture));
  target.addPage([width, height]).drawImage(image, { width, height });
}
