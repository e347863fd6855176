import sharp, { type Sharp } from "sharp";
import { pictureRefusal } from "./budget.ts";
import {
  a4,
  type PageImageSize,
  type Inspected,
  type FileType,
  type Rejection,
  pageImageWidths,
  limits,
} from "../file-types.ts";
import { coveredOn } from "../notes/covered.ts";
import { boundedNotes } from "../notes/notes.ts";

/** Opening pictures, within the process for page work alone. */

// Saves memory: one core, and no cache between jobs.
sharp.cache(false);
sharp.concurrency(1);

export const openPicture = (path: string) => sharp(path, { limitInputPixels: limits.pixels, failOn: "error" });

/** 0 for another file. */
export const pagesOfTiff = (path: string) =>
  headerOf(path).then(
    ({ format, pages = 1 }) => (format === "tiff" ? pages : 0),
    () => 0,
  );

export const animated = "is animated: the sealed PDF will have its first picture";

export async function inspectPicture(path: string, type: FileType, image: string): Promise<Inspected | Rejection> {
  // A small file may decode to gigabytes.
  const header = await headerOf(path);
  const refused = pictureRefusal(header);
  if (refused) return { refused };
  const { data, info: raw } = await scaled(path, "small").raw().toBuffer({ resolveWithObject: true });
  const notes = await blankNotes(sharp(data, { raw }));
  if (type === "image/webp") notes.push("is a WebP picture, which is a JPG in the sealed PDF");
  if ((header.pages ?? 1) > 1) notes.push(animated);
  await sharp(data, { raw }).webp().toFile(image);
  const { width, height } = header.autoOrient;
  const covered = await coveredOnSheet(sharp(data, { raw }), width > height);
  return { type, pages: 1, width, height, notes: boundedNotes(notes), covered };
}

/** `covered` of a picture on its sheet of A4. */
function coveredOnSheet(picture: Sharp, isLandscape: boolean) {
  const [short, long] = [pageImageWidths.small, Math.round(pageImageWidths.small * Math.SQRT2)];
  const [width, height] = isLandscape ? [long, short] : [short, long];
  const [across, down] = isLandscape ? [a4.long, a4.short] : [a4.short, a4.long];
  const sheet = picture.resize(width, height, { fit: "contain", background: "white" });
  return coveredOn(sheet, { width: across, height: down });
}

/** A picture's header, however many pixels it declares. */
export const headerOf = (path: string) => sharp(path, { limitInputPixels: false, failOn: "error" }).metadata();

export function scaled(path: string, size: PageImageSize) {
  const width = pageImageWidths[size];
  return openPicture(path)
    .autoOrient()
    .resize(width, width * 4, { fit: "inside", withoutEnlargement: true })
    .flatten({ background: "white" });
}

/** Notes on a drawn first page that has one colour throughout. */
export async function blankNotes(picture: Sharp) {
  const { channels } = await picture.stats();
  const colours = channels.slice(0, 3);
  if (colours.some(({ min, max }) => min !== max)) return [];
  const isWhite = colours.every(({ min }) => min === 255);
  return [
    isWhite
      ? "is blank on white paper: nothing can be seen on its first page"
      : "shows nothing but one colour on its first page",
  ];
}
