import { open } from "node:fs/promises";
import sharp from "sharp";
import { pictureRefusal } from "./budget.ts";
import type { SourceFile } from "./compose.ts";
import type { Stamp } from "./stamp.ts";
import {
  type DrawnSize,
  type Inspected,
  type Kind,
  type Refused,
  drawnWidths,
  isPicture,
  kindOf,
  limits,
  pictureSide,
  tooMuchMemory,
} from "./kinds.ts";
import { systemCodeOf } from "./refusals.ts";

/** The jobs that open page files, each an export. They run in a process of their own (`process.ts`), one at a time. */

// One job at a time on one core, and nothing cached between jobs: memory is the scarce thing here.
sharp.cache(false);
sharp.concurrency(1);

// Loaded by the jobs that need them: opening pictures takes neither the time nor the memory.
const loadPdf = () => import("./pdf.ts");
const loadCompose = () => import("./compose.ts");

const openPicture = (path: string) => sharp(path, { limitInputPixels: limits.pixels, failOn: "error" });

/** Reads a file whole, to tell whether it can be a page file, and draws its first page to `drawn`. */
export async function inspect({ path, drawn }: { path: string; drawn: string }): Promise<Inspected | Refused> {
  const type = await kindOfFile(path);
  if (!type) return { refused: "is not a JPG, PNG or PDF" };
  try {
    return type === "application/pdf" ? await inspectPdf(path, drawn) : await inspectPicture(path, type, drawn);
  } catch (error) {
    return { refused: reasonOf(error as Error) };
  }
}

const kindOfFile = async (path: string): Promise<Kind | undefined> => kindOf(await headOf(path));

async function headOf(path: string): Promise<Uint8Array> {
  const file = await open(path);
  try {
    return (await file.read(Buffer.alloc(16), 0, 16, 0)).buffer;
  } finally {
    await file.close();
  }
}

/** Why a file can't be opened. What is not its fault is thrown on: the system's errors, and a lack of memory. */
function reasonOf(error: Error) {
  const { message } = error;
  if (message === tooMuchMemory || systemCodeOf(error)) throw error;
  if (message.includes("Password")) return "is protected by a password: remove the password and add it again";
  return "is damaged and can’t be read";
}

async function inspectPicture(path: string, type: Kind, drawn: string): Promise<Inspected | Refused> {
  // The header tells what will be unpacked: of a small file, it may be gigabytes.
  const header = await headerOf(path);
  const refused = pictureRefusal(header);
  if (refused) return { refused };
  await drawPicture(path, "small", drawn);
  return { type, pages: 1, width: header.autoOrient.width, height: header.autoOrient.height };
}

/** A picture's header, however many pixels it announces. */
const headerOf = (path: string) => sharp(path, { limitInputPixels: false, failOn: "error" }).metadata();

async function inspectPdf(path: string, drawn: string) {
  const { drawPdfPage, findPageWithoutSize, isEncrypted, withPdf } = await loadPdf();
  return withPdf(path, async (document): Promise<Inspected | Refused> => {
    if (isEncrypted(document)) return { refused: "is protected: save it without protection and add it again" };
    const pages = document.getPageCount();
    if (pages < 1) return { refused: "has no pages" };
    if (pages > limits.pdfPages) return { refused: `has more than ${limits.pdfPages} pages: split it` };
    const bad = findPageWithoutSize(document) + 1;
    if (bad) return { refused: `is damaged: page ${bad} can’t be shown` };
    const { picture, width, height } = await drawPdfPage(document, 0, { pixels: drawnWidths.small });
    await picture.removeAlpha().webp().toFile(drawn);
    return { type: "application/pdf", pages, width: Math.round(width), height: Math.round(height) };
  });
}

async function drawPicture(path: string, size: DrawnSize, to: string) {
  const width = drawnWidths[size];
  await openPicture(path)
    .autoOrient()
    .resize(width, width * 4, { fit: "inside", withoutEnlargement: true })
    .flatten({ background: "white" })
    .webp()
    .toFile(to);
}

/** Draws one page (counted from 1) of a page file as WebP. */
export async function draw({
  path,
  type,
  page,
  size,
  to,
}: SourceFile & { page: number; size: DrawnSize; to: string }): Promise<void> {
  if (type !== "application/pdf") return drawPicture(path, size, to);
  const { drawPdfPage, withPdf } = await loadPdf();
  await withPdf(path, async (document) => {
    const { picture } = await drawPdfPage(document, page - 1, { pixels: drawnWidths[size] });
    await picture.removeAlpha().webp().toFile(to);
  });
}

/** Makes what others may download of a page file: the same picture or pages without metadata (EXIF, scripts, …). */
export async function clean({ path, type, to }: SourceFile & { to: string }): Promise<void> {
  if (type === "application/pdf") return (await loadCompose()).compose([{ path, type }], to);
  const picture = openPicture(path).autoOrient().keepIccProfile();
  // The shortest coding would hold a JPEG whole, 420 MB of a large scan, to spare 5 % of its bytes.
  const coded = type === "image/png" ? picture.png() : picture.jpeg({ quality: 92, optimizeCoding: false });
  await coded.toFile(to);
}

/** Draws a picture of any usual kind, SVG among them, as PNG. */
export async function asPng({ path, to }: { path: string; to: string }): Promise<void> {
  await sharp(path, { limitInputPixels: limits.pixels / 10 })
    .png()
    .toFile(to);
}

/** Draws a picture of a user, branch or company, small and without metadata. Refusals are whole sentences. */
export async function picture({ path, to }: { path: string; to: string }): Promise<Refused | undefined> {
  if (!isPicture(await headOf(path))) return { refused: "Choose a JPG, PNG or WebP picture" };
  const refused = pictureRefusal(await headerOf(path), limits.portraitPixels);
  if (refused) return { refused: `This picture ${refused}` };
  await openPicture(path)
    .autoOrient()
    .resize(pictureSide, pictureSide, { fit: "inside", withoutEnlargement: true })
    .webp()
    .toFile(to);
  return undefined;
}

/** Makes the sealed PDF: all pages in order, stamped unless `stamp` is absent. */
export async function seal({ files, stamp, to }: { files: SourceFile[]; stamp?: Stamp; to: string }): Promise<void> {
  await (await loadCompose()).compose(files, to, stamp);
}
