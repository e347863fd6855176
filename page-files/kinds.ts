import { megabytesInBytes } from "#units";

/** What page files may be and how large (`docs/specification.md` section 5 names the kinds; the limits are ours). */

export const kinds = {
  "image/jpeg": { extension: "jpg", label: "JPG" },
  "image/png": { extension: "png", label: "PNG" },
  "application/pdf": { extension: "pdf", label: "PDF" },
} as const;

/** A page file's media type, told by its content. */
export type Kind = keyof typeof kinds;

export const limits = {
  fileBytes: megabytesInBytes(25),
  files: 100,
  documentBytes: megabytesInBytes(200),
  /** Of one picture: a 600 dpi scan of an A3 sheet has 70 million. */
  pixels: 100_000_000,
  /** Of a picture of a user, branch or company, which is shown with 512 each way: cameras of telephones have 12 to 24. */
  portraitPixels: 25_000_000,
  /** Of one PDF. */
  pdfPages: 500,
};

/** The limits in the words of refusals. */
const inMegabytes = (bytes: number) => `${bytes / megabytesInBytes(1)} MB`;
export const tooLarge = `is larger than ${inMegabytes(limits.fileBytes)}`;
export const tooLargeTogether = `These files are more than ${inMegabytes(limits.documentBytes)} together`;
export const tooMany = `A document can have ${limits.files} page files`;

/** The message of an error that a job throws where it would take more memory than it may. */
export const tooMuchMemory = "This takes too much memory";

/** The kind that the first bytes of a file belong to, or undefined for anything else. */
export function kindOf(head: Uint8Array): Kind | undefined {
  const begins = (...bytes: number[]) => bytes.every((byte, i) => head[i] === byte);
  if (begins(0xff, 0xd8, 0xff)) return "image/jpeg";
  if (begins(0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a)) return "image/png";
  if (begins(0x25, 0x50, 0x44, 0x46, 0x2d)) return "application/pdf";
  return undefined;
}

/** Whether the first bytes of a file belong to a picture that somebody may be shown by. */
export const isPicture = (head: Uint8Array) =>
  kindOf(head) === "image/jpeg" ||
  kindOf(head) === "image/png" ||
  new TextDecoder("latin1").decode(head).match(/^RIFF.{4}WEBP/s) !== null;

/** The most that such a picture has each way, in pixels. */
export const pictureSide = 512;

/** What inspection tells of a page file. Sizes are of its first page: pixels, or points (1/72 inch) for a PDF. */
export type Inspected = { type: Kind; pages: number; width: number; height: number };

/** Raise it when cleaned and sealed files change: cached ones of older editions are no longer served. */
export const edition = 2;

/** Why a file can't be a page file: the end of a sentence that begins with its name. */
export type Refused = { refused: string };

/** Widths of drawn pages in pixels: beside others, and alone. */
export const drawnWidths = { small: 320, large: 1240 } as const;
export type DrawnSize = keyof typeof drawnWidths;

type Corner = "top-left" | "top-right" | "bottom-left" | "bottom-right";

/** Where the QR code is stamped. `millimetres` is the side of the code itself, without its quiet zone. */
export type Placing = { corner: Corner; pages: "first" | "last" | "every"; millimetres: number };
