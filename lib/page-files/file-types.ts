import { mebibytesInBytes } from "../units.ts";
import { otherFileType } from "./other-file-types.ts";

/** Kinds of page files (`docs/specification.md` section 5, and WebP) and their limits, which are ours. */

export const fileTypes = {
  "image/jpeg": { extension: "jpg", label: "JPG" },
  "image/png": { extension: "png", label: "PNG" },
  "image/webp": { extension: "webp", label: "WebP" },
  "application/pdf": { extension: "pdf", label: "PDF" },
} as const;

/** A page file's media type, detected from its content. */
export type FileType = keyof typeof fileTypes;

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

/** Limits of a comparison of a document and a file (`compare.ts`). */
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

/** The message of a job's error if it would exceed its memory limit. */
export const tooMuchMemory = "This takes too much memory";

/** A PDF's header is among the first 1,024 bytes: drivers, mail gateways and editors write something before it. */
export const headBytes = 1024 + 5;

/** The kind that a file's first `headBytes` indicate; undefined for others. */
export function kindOf(head: Buffer): FileType | undefined {
  const text = head.toString("latin1");
  if (text.startsWith("\xff\xd8\xff")) return "image/jpeg";
  if (text.startsWith("\x89PNG\r\n\x1a\n")) return "image/png";
  if (/^RIFF.{4}WEBP/s.test(text)) return "image/webp";
  const isPdf = text.startsWith("%PDF-") || (text.includes("%PDF-") && !otherFileType(text));
  return isPdf ? "application/pdf" : undefined;
}

/** Whether a file's first bytes indicate a JPEG, PNG or WebP. */
export const isPicture = (head: Buffer) => kindOf(head)?.startsWith("image/") ?? false;

/** Pixels of a stored picture of a user, branch or company, each way. */
export const pictureSide = 512;

/**
 * The result of an inspection, with the size of the first page in pixels, or points (1/72 inch) for a PDF, `notes` on what
 * the sealed PDF will not have, as predicates to its name, and where a code would lie over something (`covered.ts`).
 */
export type Inspected = {
  type: FileType;
  pages: number;
  width: number;
  height: number;
  notes: string[];
  covered: string;
};

/** Increase it when cleaned files change: those of older editions are no longer served. Sealed ones stay as they are. */
export const edition = 4;

/** Why a file can't be a page file, as a predicate to its name. */
export type Rejection = { refused: string };

/** Widths of page images in pixels: thumbnails, and single pages. */
export const pageImageWidths = { small: 320, large: 1240 } as const;
export type PageImageSize = keyof typeof pageImageWidths;

/** The sheet that pictures are put on, in points. */
export const a4 = { short: 595.28, long: 841.89 };

export const corners = ["top-left", "top-right", "bottom-left", "bottom-right"] as const;

/** The sides that a code can have, in millimetres. */
export const codeSides = [35, 30, 20];

export type Corner = (typeof corners)[number];

/** Position of the QR code. `millimetres` is the side of the code itself, without its quiet zone. */
export type Placing = {
  /** A point is where the code itself begins, in millimetres from the left and upper edges of the page as viewed. */
  place: Corner | { left: number; top: number } | "own-page";
  pages: "first" | "last" | "every";
  millimetres: number;
  /** Without the characters below the code. */
  isBare?: boolean;
};
