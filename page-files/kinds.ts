import { mebibytesInBytes } from "#units";
/** Kinds of page files (`docs/specification.md` section 5) and their limits, which are ours. */

export const kinds = {
  "image/jpeg": { extension: "jpg", label: "JPG" },
  "image/png": { extension: "png", label: "PNG" },
  "application/pdf": { extension: "pdf", label: "PDF" },
} as const;

/** A page file's media type, detected from its content. */
export type Kind = keyof typeof kinds;

export const limits = {
  fileBytes: mebibytesInBytes(25),
  files: 100,
  documentBytes: mebibytesInBytes(200),
  /** A 600 dpi scan of an A3 sheet has 70 million. */
  pixels: 100_000_000,
  /** Pictures of users, branches and companies: phone cameras have 12 to 24 million. */
  portraitPixels: 25_000_000,
  pdfPages: 500,
};

/** What is compared of a document and a file (`compare.ts`). */
export const comparisonLimits = {
  /** Of the document. */
  pages: 60,
  /** Of the file, beyond those of the document. */
  addedPages: 10,
  /** Of a sealed PDF: it is opened beside the file. */
  sealedBytes: mebibytesInBytes(60),
};

const inMegabytes = (bytes: number) => `${bytes / mebibytesInBytes(1)} MB`;
export const tooLarge = `is larger than ${inMegabytes(limits.fileBytes)}`;

/** The message of a job's error where it would exceed its memory limit. */
export const tooMuchMemory = "This takes too much memory";

/** The kind that a file's first bytes indicate; undefined for others. */
export function kindOf(head: Uint8Array): Kind | undefined {
  const begins = (...bytes: number[]) => bytes.every((byte, i) => head[i] === byte);
  if (begins(0xff, 0xd8, 0xff)) return "image/jpeg";
  if (begins(0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a)) return "image/png";
  if (begins(0x25, 0x50, 0x44, 0x46, 0x2d)) return "application/pdf";
  return undefined;
}

/** Whether a file's first bytes indicate a JPEG, PNG or WebP. */
export const isPicture = (head: Uint8Array) =>
  kindOf(head) === "image/jpeg" ||
  kindOf(head) === "image/png" ||
  new TextDecoder("latin1").decode(head).match(/^RIFF.{4}WEBP/s) !== null;

/** Pixels of a stored picture of a user, branch or company, each way. */
export const pictureSide = 512;

/**
 * The result of an inspection, with the size of the first page in pixels, or points (1/72 inch) for a PDF, and `notes` on what
 * the sealed PDF will not have, as predicates to its name.
 */
export type Inspected = { type: Kind; pages: number; width: number; height: number; notes: string[] };

/** Increase it when cleaned files change: those of older editions are no longer served. Sealed ones stay as they are. */
export const edition = 2;

/** Why a file can't be a page file, as a predicate to its name. */
export type Rejection = { refused: string };

/** Widths of page images in pixels: thumbnails, and single pages. */
export const pageImageWidths = { small: 320, large: 1240 } as const;
export type PageImageSize = keyof typeof pageImageWidths;

type Corner = "top-left" | "top-right" | "bottom-left" | "bottom-right";

/** Where the QR code is stamped. `millimetres` is the side of the code itself, without its quiet zone. */
export type Placing = { corner: Corner; pages: "first" | "last" | "every"; millimetres: number };
