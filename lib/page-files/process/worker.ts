import { open } from "node:fs/promises";
import sharp from "sharp";
import { pictureRefusal } from "./budget.ts";
import { animated, blankNotes, headerOf, inspectPicture, openPicture, pagesOfTiff, scaled } from "./pictures.ts";
import type { Comparison, ComparisonJob } from "../compare/compare.ts";
import type { Seal, SourceFile } from "../seal/compose.ts";
import {
  type PageImageSize,
  type Inspected,
  type Rejection,
  pageImageWidths,
  headBytes,
  isPicture,
  kindOf,
  limits,
  pictureSide,
  tooMuchMemory,
} from "../file-types.ts";
import type { LabelsToPrint } from "../labels/label-pdf.ts";
import { asLostNotes, boundedNotes, fixedFields } from "../notes/notes.ts";
import { otherFileType } from "../other-file-types.ts";
import type { SignatureForm, Space } from "../pdf/pdf-signature.ts";
import type { Wanted } from "../reading/labels.ts";
import type { Reading } from "../reading/read-fields.ts";
import { systemCodeOf } from "../refusals.ts";
import type { Report } from "../reports/report-pdf.ts";
import type { ReadTable, TableJob } from "../reports/table.ts";
import type { FillProblem, FillRow, ReadTemplate } from "../templates/template.ts";

/** The jobs of the process for page work (`process.ts`), each an export. */

// Pictures need neither the time nor the memory of loading them.
const loadPdf = () => import("../pdf/pdf.ts");
const loadCompose = () => import("../seal/compose.ts");
const loadShownPage = () => import("../seal/shown-page.ts");

/** Reads a file whole to check whether it can be a page file, and draws its first page to `image`. */
export async function inspect({ path, image }: { path: string; image: string }): Promise<Inspected | Rejection> {
  const { head, end } = await readEnds(path);
  const type = kindOf(head);
  if (!type) {
    const pages = await pagesOfTiff(path);
    const kind = otherFileType(head.toString("latin1"), end.toString("latin1")) ?? "is not a JPG, PNG or PDF";
    return { refused: pages > 1 ? kind.replace("a TIFF picture", `a TIFF picture of ${pages} pages`) : kind };
  }
  try {
    if (type === "application/pdf") return await inspectPdf(path, image);
    const inspected = await inspectPicture(path, type, image);
    if ("notes" in inspected && head.includes("acTL")) inspected.notes.push(animated);
    return inspected;
  } catch (error) {
    const { message } = error as Error;
    if (message.includes("Password"))
      return { refused: "needs a password to open: open it, print it to a PDF and add that" };
    if (message.includes("security"))
      return { refused: "is protected for certain readers: open it, print it to a PDF and add that" };
    return { refused: reasonOf(error as Error) };
  }
}

/** Where a ZIP lists its files. */
const endBytes = 65_536;

async function readEnds(path: string) {
  const file = await open(path);
  try {
    const { size } = await file.stat();
    const read = async (length: number, from: number) => {
      const { buffer, bytesRead } = await file.read(Buffer.alloc(length), 0, length, from);
      return buffer.subarray(0, bytesRead);
    };
    return { head: await read(headBytes, 0), end: await read(endBytes, Math.max(0, size - endBytes)) };
  } finally {
    await file.close();
  }
}

/** Why a file can't be opened. System errors and a lack of memory are rethrown. */
function reasonOf(error: Error) {
  const { message } = error;
  if (message === tooMuchMemory || systemCodeOf(error)) throw error;
  if (message.includes("Password")) return "is protected by a password: remove the password and add it again";
  return "is damaged and can’t be read";
}

async function inspectPdf(path: string, image: string): Promise<Inspected | Rejection> {
  const { findPageWithoutSize, withPdf } = await loadPdf();
  const pages = await withPdf(path, async (document): Promise<number | Rejection> => {
    const pages = document.getPageCount();
    if (pages < 1) return { refused: "has no pages" };
    if (pages > limits.pdfPages) return { refused: `has more than ${limits.pdfPages} pages: split it` };
    const bad = findPageWithoutSize(document) + 1;
    return bad ? { refused: `is damaged: page ${bad} can’t be shown` } : pages;
  });
  if (typeof pages !== "number") return pages;
  const beside = await readBeside(path);
  if ("refused" in beside) return beside;
  const { checkShownPages, coveredFirst, drawShownPage } = await loadShownPage();
  const checkedPages = await checkShownPages(path, `${image}.copy`);
  if ("refused" in checkedPages) return checkedPages;
  const first = await drawShownPage(path, 0, pageImageWidths.small, `${image}.copy`);
  const besideNotes = checkedPages.isCopied ? beside.notes : asLostNotes(beside.notes);
  const notes = [...besideNotes, ...checkedPages.notes, ...(await blankNotes(first.picture))];
  const covered = await coveredFirst(first, pages);
  await first.picture.removeAlpha().webp().toFile(image);
  const size = { width: Math.round(first.width), height: Math.round(first.height) };
  return { type: "application/pdf", pages, ...size, notes: boundedNotes(notes), covered };
}

/** What a PDF has beside its pages. Its pages are sealed also if that can't be read. */
async function readBeside(path: string): Promise<{ notes: string[] } | Rejection> {
  const { withPdf } = await loadPdf();
  const { notesBeside } = await import("../notes/pdf-beside.ts");
  try {
    return await withPdf(path, (document) => notesBeside(document));
  } catch (error) {
    reasonOf(error as Error);
    return { notes: ["is damaged beside its pages: the sealed PDF will have what they show, and nothing else"] };
  }
}

/** `covered` of a PDF, some of whose pages are drawn already. */
export async function covered(job: { path: string; covered: string }): Promise<string> {
  return (await loadShownPage()).coveredPages(job.path, job.covered);
}

/** Draws one page (counted from 1) of a page file as WebP. */
export async function draw({
  path,
  type,
  page,
  size,
  to,
}: SourceFile & { page: number; size: PageImageSize; to: string }): Promise<void> {
  if (type !== "application/pdf") return void (await scaled(path, size).webp().toFile(to));
  const { drawShownPage } = await loadShownPage();
  const { picture } = await drawShownPage(path, page - 1, pageImageWidths[size], `${to}.copy`);
  await picture.removeAlpha().webp().toFile(to);
}

/** Reads the fields that a page file states (`reading/`). */
export async function readPages({ path, type, wanted }: SourceFile & { wanted: Wanted }): Promise<Reading[]> {
  return (await import("../reading/read-pages.ts")).readPages(path, type, wanted);
}

/** Reads the QR codes of a picture. */
export async function readQrCodes({ path }: { path: string }): Promise<string[]> {
  if (!isPicture((await readEnds(path)).head) || pictureRefusal(await headerOf(path))) return [];
  return (await import("../reading/read-pages.ts")).codesIn(openPicture(path).autoOrient(), ["QRCode"]);
}

/** Writes the same picture or pages without metadata (EXIF, scripts, …). */
export async function clean({ path, type, to }: SourceFile & { to: string }): Promise<void> {
  if (type === "application/pdf") {
    await (await loadCompose()).compose([{ path, type }], to);
    return;
  }
  const picture = openPicture(path).autoOrient().keepIccProfile();
  // Optimized coding holds a JPEG whole, 420 MB of a large scan, for 5 % of its bytes.
  const jpeg = { quality: 92, optimizeCoding: false };
  const coded =
    type === "image/png" ? picture.png() : type === "image/webp" ? picture.webp({ quality: 92 }) : picture.jpeg(jpeg);
  await coded.toFile(to);
}

/** Writes a picture of any common format, SVG included, as PNG. */
export async function asPng({ path, to }: { path: string; to: string }): Promise<void> {
  await sharp(path, { limitInputPixels: limits.pixels / 10 })
    .png()
    .toFile(to);
}

/** Scales a picture of a user, branch or company, without metadata. Rejections are whole sentences. */
export async function picture({ path, to }: { path: string; to: string }): Promise<Rejection | undefined> {
  if (!isPicture((await readEnds(path)).head)) return { refused: "Choose a JPG, PNG or WebP image" };
  const refused = pictureRefusal(await headerOf(path), limits.portraitPixels);
  if (refused) return { refused: `This image ${refused}` };
  await openPicture(path)
    .autoOrient()
    .resize(pictureSide, pictureSide, { fit: "inside", withoutEnlargement: true })
    .webp()
    .toFile(to);
  return undefined;
}

/** Writes the sealed PDF: all pages in order, stamped, with a space for the signature. */
export async function seal({ files, to, ...seal }: Seal & { files: SourceFile[]; to: string }) {
  return (await loadCompose()).compose(files, to, seal);
}

/** Reads a PDF whose form is filled from rows, and draws its first page to `image`. */
export async function readTemplate(job: { path: string; image: string }): Promise<ReadTemplate | Rejection> {
  const inspected = await inspect(job);
  if ("refused" in inspected) return inspected;
  if (inspected.type !== "application/pdf") return { refused: "is not a PDF" };
  const template = await (await import("../templates/template.ts")).readTemplateFile(job.path, `${job.image}.read`);
  if ("refused" in template) return template;
  const { width, height } = inspected;
  return { ...template, width, height, notes: asLostNotes(inspected.notes).filter((note) => note !== fixedFields) };
}

/** Writes a PDF for each row; returns each row's problems, and a row that has any gets no file. */
export async function fillMany({ path, rows }: { path: string; rows: FillRow[] }): Promise<FillProblem[][]> {
  return (await import("../templates/template.ts")).fillTemplateFile(path, rows);
}

/** Reads a table and writes its rows to a file. */
export async function readTable(job: TableJob): Promise<ReadTable | Rejection> {
  return (await import("../reports/table.ts")).readTableFile(job);
}

/** Writes label sheets as PDF. */
export async function labels({ to, ...labels }: LabelsToPrint & { to: string }): Promise<void> {
  return (await import("../labels/label-pdf.ts")).writeLabels(labels, to);
}

/** Writes a report as PDF, with a space for its signature. */
export async function report(job: { report: Report; signature: SignatureForm; to: string }): Promise<Space> {
  return (await import("../reports/report-pdf.ts")).writeReport(job.report, job.to, job.signature);
}

/** Compares a file with a document's sealed PDF by how the pages look. */
export async function compare(job: ComparisonJob): Promise<Comparison | Rejection> {
  const { withPdf } = await loadPdf();
  try {
    const pages = await withPdf(job.path, async (file) => file.getPageCount());
    if (pages < 1) return { refused: "has no pages" };
  } catch (error) {
    return { refused: reasonOf(error as Error) };
  }
  return (await import("../compare/compare.ts")).comparePdfs(job);
}
