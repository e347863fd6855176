import { open } from "node:fs/promises";
import sharp from "sharp";
import { type SourceFile, type Stamp, compose } from "./compose.ts";
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
} from "./kinds.ts";
import { drawPdfPage, isEncrypted, withPdf } from "./pdf.ts";

/** What runs beside the server, one job at a time: everything that opens page files. Each export is one job. */

// One job at a time on one core, and nothing kept between jobs: memory is the scarce thing here.
sharp.cache(false);
sharp.concurrency(1);

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

function reasonOf({ message }: Error) {
  if (message.includes("Password")) return "is protected by a password: remove the password and add it again";
  if (message.includes("pixel limit")) {
    return `has more than ${limits.pixels / 1_000_000} million pixels: save it smaller and add it again`;
  }
  return "is damaged and can’t be read";
}

async function inspectPicture(path: string, type: Kind, drawn: string): Promise<Inspected> {
  // A small picture in the past, a bomb today: the header tells the size before anything is unpacked.
  const { autoOrient } = await openPicture(path).metadata();
  await drawPicture(path, "small", drawn);
  return { type, pages: 1, width: autoOrient.width, height: autoOrient.height };
}

function inspectPdf(path: string, drawn: string) {
  return withPdf(path, async (document): Promise<Inspected | Refused> => {
    if (isEncrypted(document)) return { refused: "is protected: save it without protection and add it again" };
    const pages = document.getPageCount();
    if (pages < 1) return { refused: "has no pages" };
    if (pages > limits.pdfPages) return { refused: `has more than ${limits.pdfPages} pages: split it` };
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
  await withPdf(path, async (document) => {
    const { picture } = await drawPdfPage(document, page - 1, { pixels: drawnWidths[size] });
    await picture.removeAlpha().webp().toFile(to);
  });
}

/** Makes what others may download of a page file: the same picture or pages without metadata (EXIF, scripts, …). */
export async function clean({ path, type, to }: SourceFile & { to: string }): Promise<void> {
  if (type === "application/pdf") await compose([{ path, type }], to);
  else if (type === "image/png") await openPicture(path).autoOrient().keepIccProfile().png().toFile(to);
  else await openPicture(path).autoOrient().keepIccProfile().jpeg({ quality: 92 }).toFile(to);
}

/** Draws a picture of any usual kind, SVG among them, as PNG. */
export async function asPng({ picture }: { picture: Uint8Array }): Promise<Uint8Array> {
  return sharp(picture, { limitInputPixels: limits.pixels / 10 })
    .png()
    .toBuffer();
}

/** Draws a picture of somebody or something, small and without metadata. False where the file is no picture. */
export async function picture({ path, to }: { path: string; to: string }): Promise<boolean> {
  if (!isPicture(await headOf(path))) return false;
  await openPicture(path)
    .autoOrient()
    .resize(pictureSide, pictureSide, { fit: "inside", withoutEnlargement: true })
    .webp()
    .toFile(to);
  return true;
}

/** Makes the sealed PDF: all pages in order, stamped unless `stamp` is absent. */
export async function seal({ files, stamp, to }: { files: SourceFile[]; stamp?: Stamp; to: string }): Promise<void> {
  await compose(files, to, stamp);
}
