import { open, readFile, rm } from "node:fs/promises";
import { PDFDocument, PDFPage } from "@cantoo/pdf-lib";
import sharp, { type Sharp } from "sharp";
import { copyPages } from "./clean.ts";
import type { Kind } from "./kinds.ts";
import { drawPdfPage, withPdf } from "./pdf.ts";
import { copyByPdfium } from "./pdfium-copy.ts";
import { PdfFile } from "./pdf-file.ts";
import { type Stamp, stampPage } from "./stamp.ts";

/** One of a document's page files where a program can read it. */
export type SourceFile = { path: string; type: Kind };

const a4 = { short: 595.28, long: 841.89 };
const pointsPerInch = 72;

/**
 * Writes one PDF of page files to `to`, every page in order: pictures on A4 sheets, and of PDF pages what is seen on them
 * and their web links. With `stamp`, the QR code is put on top of them. `to` with `.read` appended is used meanwhile.
 */
export async function compose(files: SourceFile[], to: string, stamp?: Stamp): Promise<void> {
  const target = await PDFDocument.create({ updateMetadata: false });
  const written = await open(to, "w");
  try {
    const pdf = await PdfFile.begin(target, written);
    for (const file of files) {
      if (file.type === "application/pdf") await addPdf(target, file.path, `${to}.read`);
      else await addPicture(target, file.path);
      await pdf.writeStreams();
    }
    if (stamp) {
      const pages = target.getPages();
      const chosen = { first: pages.slice(0, 1), last: pages.slice(-1), every: pages }[stamp.placing.pages];
      for (const page of chosen) stampPage(page, stamp);
    }
    await pdf.end();
  } finally {
    await written.close();
  }
}

async function addPicture(target: PDFDocument, path: string) {
  const { autoOrient } = await sharp(path).metadata();
  const landscape = autoOrient.width > autoOrient.height;
  const [width, height] = landscape ? [a4.long, a4.short] : [a4.short, a4.long];
  // 300 dots per inch are what a printer can show of a sheet.
  const dots = (points: number) => Math.round((points / pointsPerInch) * 300);
  const picture = sharp(path)
    .autoOrient()
    .resize(dots(width), dots(height), { fit: "inside", withoutEnlargement: true });
  const image = await target.embedJpg(await encode(picture));
  const fitted = image.scaleToFit(width, height);
  const page = target.addPage([width, height]);
  page.drawImage(image, { ...fitted, x: (width - fitted.width) / 2, y: (height - fitted.height) / 2 });
}

/**
 * Sharp letters matter more than size on a page of text, so colours are not thinned out. The shortest coding of a large
 * picture would take 100 MB and a third of the time, to spare 5 % of its bytes.
 */
const encode = (picture: Sharp) =>
  picture
    .flatten({ background: "white" })
    .jpeg({ quality: 90, chromaSubsampling: "4:4:4", optimizeCoding: false })
    .toBuffer();

async function addPdf(target: PDFDocument, path: string, scratch: string) {
  const pages = await readPages(target, path, scratch).catch(() => undefined);
  if (!pages) return addDrawnPdf(target, path);
  for (const page of pages) target.addPage(PDFPage.of(page, target.context.register(page), target));
}

/** The pages of a PDF, copied into `target`. Throws if they can't be. */
async function readPages(target: PDFDocument, path: string, scratch: string) {
  try {
    const count = await copyByPdfium(path, scratch);
    return copyPages(await readFile(scratch), count, target);
  } finally {
    await rm(scratch, { force: true });
  }
}

/** The pages as pictures, for the few files that can't be copied. */
async function addDrawnPdf(target: PDFDocument, path: string) {
  await withPdf(path, async (document) => {
    for (let n = 0; n < document.getPageCount(); n++) {
      const drawn = await drawPdfPage(document, n, { dotsPerInch: 200 });
      const image = await target.embedJpg(await encode(drawn.picture));
      target.addPage([drawn.width, drawn.height]).drawImage(image, { width: drawn.width, height: drawn.height });
    }
  });
}
