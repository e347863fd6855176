import { readFile, rm, writeFile } from "node:fs/promises";
import { PDFDocument } from "@cantoo/pdf-lib";
import { copyPages } from "../pdf/clean.ts";
import { coveredByPage, coveredOn, isUndrawn, joinCovered, undrawnPages } from "../notes/covered.ts";
import { tooMuchMemory } from "../file-types.ts";
import { type CheckedPages, checkLetters } from "../fonts/page-letters.ts";
import { drawPdfPage, withPdf } from "../pdf/pdf.ts";
import { processorTimer } from "../process/processor-time.ts";
import { copyByPdfium } from "../pdf/pdfium-copy.ts";
import { PdfReader } from "../pdf/pdf-reader.ts";
import { systemCodeOf } from "../refusals.ts";
import { isShownAlike } from "../text/shown-codes.ts";

/** Pages as they are sealed: with fonts of ours if a file only names one. */

/** Draws a page (from 0) of the PDF at `path` to a width in pixels. `scratch` is a temporary file. */
export async function drawShownPage(path: string, page: number, pixels: number, scratch: string) {
  try {
    // As in a sealed PDF, where a page that can't be copied is a picture.
    const isCopied = await copyPage(path, page, scratch).catch((error) => rethrow(error as Error) ?? false);
    return await withPdf(isCopied ? scratch : path, (document) =>
      drawPdfPage(document, isCopied ? 0 : page, { pixels }),
    );
  } finally {
    await rm(scratch, { force: true });
  }
}

async function copyPage(path: string, page: number, to: string): Promise<boolean> {
  const count = await copyByPdfium(path, to);
  const target = await PDFDocument.create({ updateMetadata: false });
  const picks: typeof isShownAlike = (sourcePage, n, source) => n === page && isShownAlike(sourcePage, n, source);
  const copy = (await copyPages(await readFile(to), count, target, { picks }))[page];
  if (!copy) return false;
  target.addPage(copy);
  await writeFile(to, await target.save());
  return true;
}

/** Notes on the fonts of a PDF, or why it is refused. */
export async function checkShownPages(path: string, scratch: string): Promise<CheckedPages> {
  try {
    const count = await copyByPdfium(path, scratch);
    return checkLetters(new PdfReader(await readFile(scratch)), count);
  } catch (error) {
    rethrow(error as Error);
    return { notes: ["can’t be copied as it is: pictures of its pages are sealed"], isCopied: false };
  } finally {
    await rm(scratch, { force: true });
  }
}

type Drawn = Awaited<ReturnType<typeof drawPdfPage>>;

/** Enough for letters: less than a thumbnail of A4 has. */
const sharpEnough = 25;
const drawnDotsPerInch = 40;
/** Of processor time: a page of text takes 8 ms, a scan 90. */
const drawingSeconds = 2.5;

/** `covered` of a PDF whose first page is drawn, if sharply. */
export async function coveredFirst({ picture, ...size }: Drawn, pages: number): Promise<string> {
  const { width: pixels } = await picture.metadata();
  const isSharp = (pixels / size.width) * 72 >= sharpEnough;
  const first = isSharp ? [await coveredOn(picture.clone(), size)] : [];
  return joinCovered([...first, ...undrawnPages(pages)].slice(0, pages));
}

/** The same of the other pages: the first ones and the last one, as far as time and memory allow. */
export async function coveredPages(path: string, coverage: string): Promise<string> {
  const covered = coveredByPage(coverage);
  const seconds = processorTimer();
  const pages = [...new Set([0, covered.length - 1, ...covered.keys()])];
  await withPdf(path, async (document) => {
    for (const page of pages.filter((page) => isUndrawn(covered[page]!))) {
      if (seconds() > drawingSeconds) return;
      const { picture, ...size } = await drawPdfPage(document, page, { dotsPerInch: drawnDotsPerInch });
      covered[page] = await coveredOn(picture, size);
    }
  }).catch((error: Error) => {
    if (systemCodeOf(error)) throw error;
  });
  return joinCovered(covered);
}

/** Failures that the file's form does not cause. */
function rethrow(error: Error): undefined {
  if (error.message === tooMuchMemory || systemCodeOf(error)) throw error;
}
